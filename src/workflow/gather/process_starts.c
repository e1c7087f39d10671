/* Looks only at calls that start processes or wait for them. Numbers of processes come again, but a
 * parent gets the same one again only when it has waited for the one before. */
#include "workflow/gather/process_starts.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"
#include "model/reading/trace_functions.h"

#include <string.h>
#include <sys/wait.h>

struct fth_process_event {
    uint32_t proc;     /* that made the call */
    bool starts;       /* else it knows of an end */
    int64_t pid, time; /* ns: begin of a call that starts, end of one that waits */
};

/* ---- the calls ---- */

struct listening {
    struct fth_process_starts *tree;
    uint32_t proc, count, closing_count, swap_count;
    struct fth_name_swap *swaps;
    struct fth_process_event *events;
    struct fth_process_closing *closings;
    struct fth_keyed pipes;            /* by name, that this process made */
    bool counts;                       /* the call that came last is such a call */
    struct fth_order_builder *builder; /* or NULL */
};

static void *open_process(void *context, size_t proc)
{
    struct listening *listening = fth_new(1, sizeof *listening);
    listening->tree = context;
    listening->proc = (uint32_t)proc;
    listening->pipes.size = 1;
    listening->builder = fth_pipe_holders_feed(&listening->tree->holders, listening->proc);
    return listening;
}

/* NULL: it has none, or it is no number. */
static const struct fth_value *number_of(const struct fth_call *call, const char *name)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].name, name) &&
            call->arguments[i].type == FTH_VALUE_INTEGER)
            return &call->arguments[i];
    return NULL;
}

/* Does the call say of a process that it is gone, and not only that it stopped or goes on? */
static bool tells_end(const struct fth_call *call)
{
    const struct fth_value *status = number_of(call, "wstatus"),
                           *options = number_of(call, "options");
    if (status)
        return WIFEXITED((int)status->integer) || WIFSIGNALED((int)status->integer);
    return !options || !(options->integer & (WUNTRACED | WCONTINUED));
}

/* The process that a call started or waited for; 0: none, or it is not known which. */
static int64_t process_of(const struct fth_call *call, bool starts)
{
    const struct fth_value *child = starts ? number_of(call, "pid") : NULL;
    if (child) /* its result is a code */
        return call->result.integer == 0 ? child->integer : 0;
    return call->result.type == FTH_VALUE_INTEGER && call->result.integer > 0 &&
                   (starts || tells_end(call))
               ? call->result.integer
               : 0;
}

static bool opens_another(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED)
            return true;
    return false;
}

static bool is_replaced(const struct fth_call *call, const struct fth_handle_use *use)
{
    return use->kind == FTH_HANDLE_CLOSED && opens_another(call) && use->handle->path &&
           (use->handle->access & FTH_ACCESS_WRITE) && use->handle->type &&
           !strcmp(use->handle->type, "file");
}

static void note_replaced(struct listening *listening, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        if (!is_replaced(call, &call->uses[i]))
            continue;
        FTH_GROW(listening->closings, listening->closing_count);
        listening->closings[listening->closing_count++] = (struct fth_process_closing){
            listening->proc, fth_text_copy(call->uses[i].handle->path), call->end};
        listening->counts = true;
    }
}

/* How a pipe is called is known from the calls behind the one that made it. */
static void note_pipes(struct listening *listening, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle, *first = handle;
        if (!handle->path || !handle->type || strcmp(handle->type, "pipe") != 0)
            continue;
        while (first->duplicate && first->parent)
            first = first->parent;
        if (first->origin == FTH_HANDLE_MADE)
            fth_keyed_get(&listening->pipes, handle->path, strlen(handle->path));
    }
}

/* Is this flag of a rename set, by what its name says? */
static bool exchanges(struct fth_trace *trace, const struct fth_call *call)
{
    const struct fth_value *value = number_of(call, "flags");
    const struct fth_flags *flags = value ? fth_trace_flags(trace, call->proc, "rename") : NULL;
    for (size_t i = 0; flags && i < flags->count; i++)
        if (value->integer & flags->entries[i].value && strstr(flags->entries[i].name, "EXCHANGE"))
            return true;
    return false;
}

static void note_swap(struct listening *listening, const struct fth_call *call)
{
    if (!call->other_file || call->function->links_name || !exchanges(listening->tree->trace, call))
        return;
    FTH_GROW(listening->swaps, listening->swap_count);
    listening->swaps[listening->swap_count++] =
        (struct fth_name_swap){listening->proc, call->start};
    listening->counts = true;
}

static bool take(void *state, const struct fth_call *call, struct fth_error **error)
{
    struct listening *listening = state;
    bool keep = true;
    const char *orders = call->function->orders;
    bool starts = orders && !strcmp(orders, "fork"), waits = orders && !strcmp(orders, "reap");
    listening->counts = starts || waits;
    note_replaced(listening, call);
    note_pipes(listening, call);
    note_swap(listening, call);
    if (!fth_pipe_holders_call(listening->builder, call, &keep, error))
        return false;
    listening->counts |= !keep;
    int64_t pid = starts || waits ? process_of(call, starts) : 0;
    if (pid <= 0)
        return true;
    FTH_GROW(listening->events, listening->count);
    listening->events[listening->count++] =
        (struct fth_process_event){listening->proc, starts, pid, starts ? call->start : call->end};
    return true;
}

static enum fth_keeping keep(void *state, uint32_t site)
{
    (void)site;
    return ((const struct listening *)state)->counts ? FTH_KEEP_NOT : FTH_KEEP;
}

static void pass_again(void *state, const struct fth_calls_again *calls)
{
    (void)state;
    (void)calls;
}

static void close_process(void *context, void *state)
{
    struct fth_process_starts *tree = context;
    struct listening *listening = state;
    for (uint32_t i = 0; i < listening->count; i++) {
        FTH_GROW(tree->events, tree->event_count);
        tree->events[tree->event_count++] = listening->events[i];
    }
    for (uint32_t i = 0; i < listening->closing_count; i++) {
        FTH_GROW(tree->closings, tree->closing_count);
        tree->closings[tree->closing_count++] = listening->closings[i];
    }
    for (uint32_t i = 0; i < fth_keyed_count(&listening->pipes); i++) {
        size_t length;
        const void *name = fth_interned(&listening->pipes.keys, i, &length);
        tree->pipes.size = 1;
        fth_keyed_get(&tree->pipes, name, length);
    }
    for (uint32_t i = 0; i < listening->swap_count; i++) {
        tree->swaps.size = 1;
        fth_keyed_get(&tree->swaps, &listening->swaps[i], sizeof listening->swaps[i]);
    }
    fth_keyed_free(&listening->pipes);
    free(listening->swaps);
    free(listening->events);
    free(listening->closings);
    free(listening);
}

struct fth_listener fth_process_starts_listener(struct fth_process_starts *tree)
{
    return (struct fth_listener){.context = tree,
                                 .open = open_process,
                                 .call = take,
                                 .keep = keep,
                                 .again = pass_again,
                                 .close = close_process};
}

/* ---- the tree ---- */

struct child_key {
    int64_t pid;
    uint64_t parent; /* process */
};

static int by_process(const void *one, const void *other)
{
    const struct fth_process_event *a = one, *b = other;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

static bool has_parent(struct fth_trace *trace, uint32_t proc)
{
    int64_t parent = fth_trace_process(trace, proc)->parent_proc;
    return parent >= 0 && parent < (int64_t)proc;
}

bool fth_process_took_place(struct fth_trace *trace, uint32_t proc)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    return has_parent(trace, proc) &&
           fth_trace_process(trace, (size_t)process->parent_proc)->pid == process->pid;
}

static void add_processes(const struct fth_process_starts *tree, struct fth_workflow *workflow,
                          uint32_t *numbers)
{
    for (uint32_t proc = 0; proc < fth_trace_process_count(tree->trace); proc++) {
        const struct fth_process *process = fth_trace_process(tree->trace, proc);
        uint32_t parent =
            has_parent(tree->trace, proc) ? numbers[process->parent_proc] : FTH_NO_STEP;
        if (fth_process_took_place(tree->trace, proc)) {
            numbers[proc] = parent;
            workflow->processes[parent].one_thread &= process->thread_count <= 1;
            continue;
        }
        numbers[proc] = fth_workflow_add_process(
            workflow, &(struct fth_workflow_process){.parent = parent,
                                                     .one_thread = process->thread_count <= 1,
                                                     .started = FTH_NEVER,
                                                     .gone = FTH_NEVER});
    }
}

/* By parent and number of the system: the process + 1, or FTH_NO_STEP if several had the number. */
static void note_children(const struct fth_process_starts *tree, struct fth_keyed *children,
                          const uint32_t *numbers, const struct fth_workflow *workflow)
{
    for (uint32_t proc = 0; proc < fth_trace_process_count(tree->trace); proc++) {
        uint32_t parent = workflow->processes[numbers[proc]].parent;
        if (parent == FTH_NO_STEP || fth_process_took_place(tree->trace, proc))
            continue;
        const struct child_key key = {fth_trace_process(tree->trace, proc)->pid, parent};
        uint32_t *place = fth_keyed_get(children, &key, sizeof key);
        *place = *place ? FTH_NO_STEP : numbers[proc] + 1;
    }
}

void fth_process_starts_add(const struct fth_process_starts *tree, struct fth_workflow *workflow,
                            uint32_t *numbers, int64_t epoch)
{
    struct fth_keyed children = {.size = sizeof(uint32_t)};
    add_processes(tree, workflow, numbers);
    note_children(tree, &children, numbers, workflow);
    if (tree->event_count)
        qsort(tree->events, tree->event_count, sizeof *tree->events, by_process);
    for (uint32_t i = 0; i < tree->event_count; i++) {
        const struct fth_process_event *event = &tree->events[i];
        const struct child_key key = {event->pid, numbers[event->proc]};
        uint32_t place;
        if (!fth_keyed_number(&children, &key, sizeof key, &place))
            continue;
        uint32_t child = *(const uint32_t *)fth_keyed_item(&children, place);
        if (child == FTH_NO_STEP)
            continue; /* several had that number */
        int64_t time = fth_saturating_sum(epoch, event->time);
        struct fth_workflow_process *process = &workflow->processes[child - 1];
        if (event->starts)
            process->started = time;
        else
            process->gone = time;
    }
    fth_keyed_free(&children);
}

void fth_process_starts_free(struct fth_process_starts *tree)
{
    for (uint32_t i = 0; i < tree->closing_count; i++)
        free(tree->closings[i].path);
    fth_keyed_free(&tree->pipes);
    fth_pipe_holders_free(&tree->holders);
    fth_keyed_free(&tree->swaps);
    free(tree->closings);
    free(tree->events);
}
