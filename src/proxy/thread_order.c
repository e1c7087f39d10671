/* Two passes over the calls of a process: which handles are shared; then which calls have to do
 * with others. */
#include "proxy/thread_order.h"

#include "base/memory.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <string.h>

/* A call of a thread. */
struct place {
    uint64_t number;
    int64_t end; /* ns */
};

/* What calls have to do with: of each thread, the last call that changed it, and that used it. */
struct thing {
    struct use {
        bool has_changed, has_used;
        struct place changed, used;
    } * by_thread;
    uint32_t thread_count;
    bool is_there;   /* of a name: a call has opened or made it */
    bool is_written; /* data of it have been */
};

struct wait {
    uint32_t by, thread;     /* `by` waits for `thread` */
    uint64_t before, behind; /* numbers of calls of each */
};

struct thread_state {
    bool has_come;      /* in the second pass */
    int64_t begin, end; /* of its calls that are repeated, ns */
    uint64_t *known;    /* by thread: of so many calls of it is known that they are over */
};

struct finding {
    struct fth_run_threads *threads;
    struct fth_proxy_calls kept;
    struct thread_state *states;
    struct fth_keyed things; /* of struct thing, by text */
    struct wait *waits;
    size_t wait_count;
    uint32_t *by_end; /* threads that are repeated, without the first one */
    uint32_t over;    /* so many of these are */
    /* Of the first thread: its last call, and what was known before that. */
    bool has_call;
    struct place last;
    uint64_t *known_before;
};

/* ---- the passes ---- */

/* Which processes are started is known, or to be found out by others. */
static int go_through(struct finding *finding, struct fth_trace *trace, size_t proc,
                      const struct fth_proxy_scope *scope, enum fth_proxy_skips skips,
                      bool is_looking, void (*take)(struct finding *finding),
                      struct fth_error **error)
{
    struct fth_proxy_calls *kept = &finding->kept;
    uint64_t bytes;
    int more = fth_kept_calls_open(kept, trace, proc, FTH_ALL_THREADS, scope, NULL, error);
    if (more < 0)
        return -1;
    kept->variables.is_looking = is_looking;
    while ((more = fth_program_calls_next(kept, skips, &bytes, error)) == 1)
        if (!kept->reading.form.fills)
            take(finding);
    fth_kept_calls_close(kept);
    return more;
}

static void note_thread(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    struct thread_state *state = &finding->states[call->thread];
    if (finding->kept.reading.form.step)
        return;
    struct fth_run_thread *thread = &finding->threads->list[call->thread];
    if (!thread->is_repeated) {
        state->begin = call->start;
        thread->slot = call->thread ? ++finding->threads->repeated : 0;
    }
    thread->is_repeated = true;
    state->end = call->end > state->end ? call->end : state->end;
}

/* ---- what waits for what ---- */

static void wait_for(struct finding *finding, uint32_t thread, const struct place *of)
{
    const struct fth_call *call = &finding->kept.access.call;
    uint64_t *known = finding->states[call->thread].known;
    if (thread == call->thread || of->end > call->start || known[thread] > of->number)
        return;
    known[thread] = of->number + 1;
    FTH_GROW(finding->waits, finding->wait_count);
    finding->waits[finding->wait_count++] =
        (struct wait){call->thread, thread, call->number, of->number};
}

static struct thing *thing_of(struct finding *finding, const char *kind, const char *name)
{
    char *key = fth_text_format("%s\n%s", kind, name);
    struct thing *thing = fth_keyed_get(&finding->things, key, strlen(key));
    free(key);
    return thing;
}

static void take_thing(struct finding *finding, struct thing *thing, bool changes)
{
    const struct fth_call *call = &finding->kept.access.call;
    for (uint32_t i = 0; i < thing->thread_count; i++) {
        const struct use *use = &thing->by_thread[i];
        if (use->has_changed)
            wait_for(finding, i, &use->changed);
        if (changes && use->has_used)
            wait_for(finding, i, &use->used);
    }
    thing->by_thread =
        fth_reach(thing->by_thread, &thing->thread_count, call->thread, sizeof *thing->by_thread);
    struct use *own = &thing->by_thread[call->thread];
    const struct place here = {call->number, call->end};
    if (changes) {
        own->has_changed = true;
        own->changed = here;
    } else {
        own->has_used = true;
        own->used = here;
    }
}

/* ---- what a call has to do with ---- */

static void take_variable(struct finding *finding, int handle_class, uint32_t variable,
                          bool changes)
{
    char name[48];
    if (variable == FTH_NO_VARIABLE || !(variable & FTH_SHARED_VARIABLE))
        return;
    snprintf(name, sizeof name, "%d %u", handle_class, (unsigned)variable);
    take_thing(finding, thing_of(finding, "variable", name), changes);
}

/* The handle of a control block is its descriptor. */
static int class_of(const struct finding *finding, const struct fth_field *field)
{
    const struct fth_field *descriptor = finding->kept.context.descriptor;
    return field->role == FTH_ROLE_AIO && descriptor ? descriptor->class_index : field->class_index;
}

static void take_handles(struct finding *finding)
{
    const struct fth_form *form = &finding->kept.reading.form;
    bool collective = finding->kept.access.call.collective;
    for (size_t i = 0; i < form->row->field_count; i++) {
        const struct fth_field *field = &form->row->fields[i];
        const struct fth_argument *argument = &form->arguments[i];
        bool is_block = argument->written == FTH_WRITTEN_BLOCK,
             changes = (field->role != FTH_ROLE_USE && !is_block) || collective;
        if (is_block)
            take_variable(finding, FTH_BLOCK_CLASS, argument->block, true);
        for (uint32_t k = 0; k < argument->handle_count; k++) {
            take_variable(finding, class_of(finding, field), argument->variables[k], changes);
            if (collective && argument->names[k])
                take_thing(finding, thing_of(finding, "constant", argument->names[k]), true);
        }
    }
    if (form->result != FTH_NO_VARIABLE)
        take_variable(finding, (int)form->result_class, form->result, true);
}

static bool is_of(const struct fth_row *row, const char *kind)
{
    return !strcmp(row->kind, kind);
}

/* Libraries for files may not bear calls of two threads at once. */
static void take_library(struct finding *finding)
{
    const char *layer = finding->kept.reading.form.row->layer;
    if (!fth_layer_is(layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS | FTH_LAYER_MESSAGES |
                                 FTH_LAYER_TOGETHER))
        take_thing(finding, thing_of(finding, "library", layer), true);
}

/* The first one that opens a name may have made it; what closes it behind writes may have been what
 * others waited for. */
static bool changes_name(struct thing *thing, const struct fth_call *call,
                         const struct fth_row *row)
{
    thing->is_written |= call->writes;
    if (is_of(row, "close"))
        return thing->is_written;
    if (is_of(row, "delete") || is_of(row, "name")) {
        thing->is_there = is_of(row, "name");
        return true;
    }
    bool opens = is_of(row, "open") && !thing->is_there;
    thing->is_there |= opens;
    return opens;
}

static void take_name(struct finding *finding, const char *path)
{
    const struct fth_call *call = &finding->kept.access.call;
    struct thing *thing = path && *path == '/' ? thing_of(finding, "name", path) : NULL;
    if (!thing)
        return;
    bool changes = !call->error_number && changes_name(thing, call, finding->kept.reading.form.row);
    take_thing(finding, thing, changes);
    const char *slash = strrchr(path, '/');
    char *folder = fth_text_part(path, (size_t)(slash - path));
    if (*folder)
        take_thing(finding, thing_of(finding, "name", folder), false);
    free(folder);
}

/* What is written does not wait for its name: only what may be missing, or be in the way. */
static bool is_about_name(const struct fth_call *call, const struct fth_row *row)
{
    return (!call->reads && !call->writes) || is_of(row, "close");
}

static void note_written(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    if (call->writes && call->file && *call->file == '/')
        thing_of(finding, "name", call->file)->is_written = true;
}

static void order_by_things(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    take_handles(finding);
    take_library(finding);
    note_written(finding);
    if (!is_about_name(call, finding->kept.reading.form.row))
        return;
    take_name(finding, call->file);
    take_name(finding, call->other_file);
}

/* ---- where threads begin and end ---- */

static void add_step(struct finding *finding, uint32_t by, uint64_t before,
                     enum fth_relatives_step what, uint32_t thread, uint64_t passed)
{
    const struct fth_thread_step step = {before, what, thread, passed};
    fth_run_threads_add(finding->threads, by, &step);
}

static void begin(struct finding *finding, uint32_t thread)
{
    struct thread_state *state = &finding->states[thread];
    bool goes_on = finding->has_call && finding->last.end > state->begin;
    uint64_t before = finding->last.number + (finding->has_call && !goes_on);
    const uint64_t *known = goes_on ? finding->known_before : finding->states[0].known;
    add_step(finding, 0, before, FTH_THREADS_START, thread, 0);
    memcpy(state->known, known, finding->threads->count * sizeof *known);
    state->known[0] = before;
}

static void join(struct finding *finding, uint32_t thread, uint64_t before)
{
    const uint64_t *of_thread = finding->states[thread].known;
    uint64_t *known = finding->states[0].known;
    add_step(finding, 0, before, FTH_THREADS_JOIN, thread, 0);
    for (uint32_t i = 0; i < finding->threads->count; i++)
        known[i] = of_thread[i] > known[i] ? of_thread[i] : known[i];
    known[thread] = UINT64_MAX;
}

static void go_on_with_first(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    const struct fth_run_threads *threads = finding->threads;
    memcpy(finding->known_before, finding->states[0].known,
           threads->count * sizeof *finding->known_before);
    for (; finding->over < threads->repeated; finding->over++) {
        uint32_t thread = finding->by_end[finding->over];
        if (finding->states[thread].end > call->start)
            break;
        join(finding, thread, call->number);
    }
}

/* Also processes are started behind threads that were over. */
static void order_step(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    if (!call->thread && !finding->kept.is_over)
        go_on_with_first(finding);
}

static void order_call(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    struct thread_state *state = &finding->states[call->thread];
    if (finding->kept.reading.form.step) {
        order_step(finding);
        return;
    }
    if (call->thread && !state->has_come)
        begin(finding, call->thread);
    state->has_come = true;
    if (!call->thread)
        go_on_with_first(finding);
    order_by_things(finding);
    if (!call->thread) {
        finding->has_call = true;
        finding->last = (struct place){call->number, call->end};
    }
}

/* ---- steps ---- */

static int by_mark(const void *left, const void *right)
{
    const struct wait *one = left, *other = right;
    if (one->thread != other->thread)
        return one->thread > other->thread ? 1 : -1;
    return (one->behind > other->behind) - (one->behind < other->behind);
}

/* Each call that others wait for is a mark of its thread. */
static void add_waits(struct finding *finding)
{
    uint64_t passed = 0;
    if (finding->wait_count)
        qsort(finding->waits, finding->wait_count, sizeof *finding->waits, by_mark);
    for (size_t i = 0; i < finding->wait_count; i++) {
        const struct wait *wait = &finding->waits[i], *before = i ? wait - 1 : NULL;
        bool is_first = !before || before->thread != wait->thread;
        passed = is_first ? 0 : passed;
        if (is_first || before->behind != wait->behind) {
            passed++;
            add_step(finding, wait->thread, wait->behind + 1, FTH_THREADS_PASS, wait->thread, 0);
        }
        add_step(finding, wait->by, wait->before, FTH_THREADS_WAIT, wait->thread, passed);
    }
}

/* In one place: first what others may wait for. */
static int rank_of(const struct fth_thread_step *step)
{
    return step->what == FTH_THREADS_PASS ? 0 : step->what == FTH_THREADS_START ? 1 : 2;
}

static int by_place(const void *left, const void *right, void *list)
{
    const struct fth_thread_step *one = left, *other = right;
    const struct fth_run_thread *threads = list;
    uint32_t slot = threads[one->thread].slot, of_other = threads[other->thread].slot;
    if (one->before != other->before)
        return one->before > other->before ? 1 : -1;
    if (rank_of(one) != rank_of(other))
        return rank_of(one) > rank_of(other) ? 1 : -1;
    if (slot != of_other)
        return slot > of_other ? 1 : -1;
    return (one->passed > other->passed) - (one->passed < other->passed);
}

static void sort_steps(struct fth_run_threads *threads)
{
    for (uint32_t i = 0; i < threads->count; i++)
        if (threads->list[i].step_count)
            qsort_r(threads->list[i].steps, threads->list[i].step_count,
                    sizeof *threads->list[i].steps, by_place, threads->list);
}

/* ---- all ---- */

static int by_end(const void *left, const void *right, void *states)
{
    const struct thread_state *of = states, *one = &of[*(const uint32_t *)left],
                              *other = &of[*(const uint32_t *)right];
    return (one->end > other->end) - (one->end < other->end);
}

static void prepare(struct finding *finding)
{
    const struct fth_run_threads *threads = finding->threads;
    uint32_t count = 0;
    finding->by_end = fth_new(threads->repeated + 1, sizeof *finding->by_end);
    for (uint32_t i = 0; i < threads->count; i++) {
        if (!i || threads->list[i].is_repeated)
            finding->states[i].known = fth_new(threads->count, sizeof(uint64_t));
        if (i && threads->list[i].is_repeated)
            finding->by_end[count++] = i;
    }
    qsort_r(finding->by_end, count, sizeof *finding->by_end, by_end, finding->states);
    finding->known_before = fth_new(threads->count, sizeof(uint64_t));
    finding->things.size = sizeof(struct thing);
}

static void finish(struct finding *finding)
{
    for (; finding->over < finding->threads->repeated; finding->over++)
        join(finding, finding->by_end[finding->over], UINT64_MAX);
    add_waits(finding);
    sort_steps(finding->threads);
}

static void free_finding(struct finding *finding)
{
    for (uint32_t i = 0; i < fth_keyed_count(&finding->things); i++)
        free(((struct thing *)fth_keyed_item(&finding->things, i))->by_thread);
    fth_keyed_free(&finding->things);
    for (uint32_t i = 0; i < finding->threads->count; i++)
        free(finding->states[i].known);
    free(finding->states);
    free(finding->by_end);
    free(finding->known_before);
    free(finding->waits);
}

int fth_thread_order_find(struct fth_trace *trace, size_t proc, const struct fth_proxy_scope *scope,
                          enum fth_proxy_skips skips, struct fth_error **error)
{
    enum { MOST_THREADS = 2048 /* with more, only the first one is repeated */ };
    struct fth_run_threads *threads = &scope->threads[proc];
    size_t count = fth_trace_process(trace, proc)->thread_count;
    fth_run_threads_free(threads);
    if (count < 2 || count > MOST_THREADS)
        return 0;
    *threads = (struct fth_run_threads){.count = (uint32_t)count,
                                        .list = fth_new(count, sizeof *threads->list),
                                        .shared.size = sizeof(bool)};
    bool *is_looking = scope->relatives ? &scope->relatives->is_looking : NULL,
         was_looking = is_looking && *is_looking;
    if (is_looking)
        *is_looking = false;
    struct finding finding = {.threads = threads, .states = fth_new(count, sizeof *finding.states)};
    int result = go_through(&finding, trace, proc, scope, skips, true, note_thread, error);
    if (!result && threads->repeated) {
        prepare(&finding);
        result = go_through(&finding, trace, proc, scope, skips, false, order_call, error);
        finish(&finding);
    }
    free_finding(&finding);
    if (is_looking)
        *is_looking = was_looking;
    if (!threads->repeated)
        fth_run_threads_free(threads);
    return result;
}
