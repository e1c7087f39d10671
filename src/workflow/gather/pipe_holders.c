/* The order of a run knows who holds a pipe. It is given the calls that make descriptors, close
 * them or find an end. What they move is no matter here, and most of the calls. */
#include "workflow/gather/pipe_holders.h"

#include "base/memory.h"
#include "base/saturating.h"
#include "trace/record/builtin.h"

#include <string.h>

struct hold {
    int64_t closed;          /* ns since the start of the run */
    uint32_t holder, reader; /* processes */
    char pipe[63];           /* "pipe:[NUMBER]", and zeros */
    bool inherited;
};

struct adding {
    struct fth_trace *trace;
    struct fth_workflow *workflow;
    const uint32_t *owners, *numbers;
    int64_t epoch;
    uint32_t *child, *sibling; /* by process: its first child, and the next one of its parent; 0 */
};

static bool makes_pipes(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (!strcmp(fth_trace_function(trace, i)->kind, "pipe"))
            return true;
    return false;
}

void fth_pipe_holders_begin(struct fth_pipe_holders *holders, struct fth_trace *trace)
{
    *holders = (struct fth_pipe_holders){.holds = {.size = 1}};
    holders->order = makes_pipes(trace) ? fth_order_new(trace) : NULL;
}

struct fth_order_builder *fth_pipe_holders_feed(const struct fth_pipe_holders *holders,
                                                uint32_t proc)
{
    return holders->order ? fth_order_feed(holders->order, proc) : NULL;
}

/* Messages between ranks are many, and pass no pipe on. */
static bool counts(const struct fth_call *call)
{
    bool moves = (call->reads || call->writes) && call->bytes_known && call->bytes;
    return !moves && !fth_layer_is(call->function->layer, FTH_LAYER_MESSAGES);
}

bool fth_pipe_holders_call(struct fth_order_builder *builder, const struct fth_call *call,
                           bool *keep, struct fth_error **error)
{
    if (!builder || !counts(call))
        return true;
    if (!fth_order_call(builder, call, error))
        return false;
    if (fth_order_takes_each(builder))
        *keep = false;
    return true;
}

static void note(void *context, const struct fth_order_pipe_end *end)
{
    struct fth_pipe_holders *holders = context;
    struct hold hold = {.closed = end->closed,
                        .holder = end->holder,
                        .reader = end->reader,
                        .inherited = end->inherited};
    if (strncmp(end->pipe, "pipe:[", 6) != 0 || strlen(end->pipe) >= sizeof hold.pipe)
        return; /* a FIFO is a file */
    memcpy(hold.pipe, end->pipe, strlen(end->pipe));
    fth_keyed_get(&holders->holds, &hold, sizeof hold);
}

bool fth_pipe_holders_settle(struct fth_pipe_holders *holders, struct fth_error **error)
{
    const struct fth_order_options options = {
        .only_edges = true, .pipe_ended = note, .message_context = holders};
    return !holders->order || fth_order_settle(holders->order, options, error);
}

static void add_hold(const struct adding *adding, const struct hold *hold, uint32_t holder)
{
    struct fth_workflow *workflow = adding->workflow;
    char *name = fth_text_format("%s@%s", hold->pipe, workflow->steps[holder].host);
    fth_workflow_add_hold(
        workflow, (struct fth_workflow_hold){.holder = holder,
                                             .reader = adding->owners[hold->reader],
                                             .file = fth_workflow_file_number(workflow, name)});
    free(name);
}

/* Of a subshell; who made the pipe has it open for the time in which it starts its commands. */
static void add_children(const struct adding *adding, const struct hold *hold)
{
    const struct fth_workflow *workflow = adding->workflow;
    int64_t closed = fth_saturating_sum(adding->epoch, hold->closed);
    for (uint32_t i = adding->child[hold->holder]; i; i = adding->sibling[i]) {
        int64_t gone = workflow->processes[adding->numbers[i]].gone;
        if (gone != FTH_NEVER && gone <= closed && !workflow->steps[adding->owners[i]].is_script)
            add_hold(adding, hold, adding->owners[i]);
    }
}

static void find_children(struct adding *adding)
{
    uint32_t count = (uint32_t)fth_trace_process_count(adding->trace);
    adding->child = fth_new((size_t)count + 1, sizeof *adding->child);
    adding->sibling = fth_new((size_t)count + 1, sizeof *adding->sibling);
    for (uint32_t i = count; i-- > 1;) {
        int64_t parent = fth_trace_process(adding->trace, i)->parent_proc;
        if (parent < 0 || parent >= (int64_t)i)
            continue;
        adding->sibling[i] = adding->child[parent];
        adding->child[parent] = i;
    }
}

/* What another program takes over by exec, it holds. */
static bool is_passed_on(const struct adding *adding, const struct hold *hold)
{
    return !strcmp(fth_trace_process(adding->trace, hold->holder)->how_ended, "exec");
}

void fth_pipe_holders_add(const struct fth_pipe_holders *holders, struct fth_trace *trace,
                          struct fth_workflow *workflow, const uint32_t *owners,
                          const uint32_t *numbers, int64_t epoch)
{
    struct adding adding = {trace, workflow, owners, numbers, epoch, NULL, NULL};
    find_children(&adding);
    for (uint32_t i = 0; i < fth_keyed_count(&holders->holds); i++) {
        size_t length;
        const struct hold *hold = (const void *)fth_interned(&holders->holds.keys, i, &length);
        if (workflow->steps[owners[hold->reader]].is_script || is_passed_on(&adding, hold))
            continue;
        if (!workflow->steps[owners[hold->holder]].is_script)
            add_hold(&adding, hold, owners[hold->holder]);
        else if (hold->inherited)
            add_children(&adding, hold);
    }
    free(adding.child);
    free(adding.sibling);
}

void fth_pipe_holders_free(struct fth_pipe_holders *holders)
{
    fth_order_free(holders->order);
    fth_keyed_free(&holders->holds);
}
