/* Two passes over the calls of a process: which handles are shared; then which calls have to do
 * with others. */
#include "proxy/find_threads.h"

#include "base/memory.h"
#include "repeat/what/thread_order.h"

#include <stdio.h>

struct wait {
    uint32_t by, thread;    /* `by` waits for `thread` */
    uint64_t before, steps; /* numbers of calls of each */
};

struct finding {
    struct fth_run_threads *threads;
    struct fth_proxy_calls kept;
    struct fth_thread_order *order;
    struct wait *waits;
    size_t wait_count;
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
    if (!finding->kept.reading.form.step)
        fth_thread_order_note(finding->order, &finding->kept.access.call);
}

/* ---- what a call has to do with ---- */

static void take_variable(struct finding *finding, int handle_class, uint32_t variable,
                          bool changes)
{
    char name[48];
    if (variable == FTH_NO_VARIABLE || !(variable & FTH_SHARED_VARIABLE))
        return;
    snprintf(name, sizeof name, "%d %u", handle_class, (unsigned)variable);
    fth_thread_order_thing(finding->order, "variable", name, changes);
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
                fth_thread_order_thing(finding->order, "constant", argument->names[k], true);
        }
    }
    if (form->result != FTH_NO_VARIABLE)
        take_variable(finding, (int)form->result_class, form->result, true);
}

/* ---- steps ---- */

static void add_step(struct finding *finding, uint32_t by, uint64_t before,
                     enum fth_relatives_step what, uint32_t thread, uint64_t passed)
{
    const struct fth_thread_step step = {before, what, thread, passed};
    fth_run_threads_add(finding->threads, by, &step);
}

static void start(void *context, uint32_t thread, uint64_t before)
{
    add_step(context, 0, before, FTH_THREADS_START, thread, 0);
}

static void join(void *context, uint32_t thread, uint64_t before)
{
    add_step(context, 0, before, FTH_THREADS_JOIN, thread, 0);
}

static void wait_for(void *context, uint32_t by, uint64_t before, uint32_t thread, uint64_t steps)
{
    struct finding *finding = context;
    FTH_GROW(finding->waits, finding->wait_count);
    finding->waits[finding->wait_count++] = (struct wait){by, thread, before, steps};
}

static const struct fth_thread_order_listener listener = {start, join, wait_for};

/* Also processes are started behind threads that were over. */
static void order_call(struct finding *finding)
{
    const struct fth_call *call = &finding->kept.access.call;
    if (finding->kept.reading.form.step) {
        if (!call->thread && !finding->kept.is_over)
            fth_thread_order_meanwhile(finding->order, call);
        return;
    }
    fth_thread_order_call(finding->order, call, call->number);
    take_handles(finding);
    fth_thread_order_row(finding->order, finding->kept.reading.form.row);
    fth_thread_order_done(finding->order, call->number + 1);
}

/* ---- steps ---- */

static int by_mark(const void *left, const void *right)
{
    const struct wait *one = left, *other = right;
    if (one->thread != other->thread)
        return one->thread > other->thread ? 1 : -1;
    return (one->steps > other->steps) - (one->steps < other->steps);
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
        if (is_first || before->steps != wait->steps) {
            passed++;
            add_step(finding, wait->thread, wait->steps, FTH_THREADS_PASS, wait->thread, 0);
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

static void take_threads(struct finding *finding)
{
    struct fth_run_threads *threads = finding->threads;
    threads->repeated = fth_thread_order_others(finding->order);
    for (uint32_t i = 0; i < threads->count; i++) {
        threads->list[i].is_repeated = fth_thread_order_repeats(finding->order, i);
        threads->list[i].slot = fth_thread_order_slot(finding->order, i);
    }
}

static int find(struct finding *finding, struct fth_trace *trace, size_t proc,
                const struct fth_proxy_scope *scope, enum fth_proxy_skips skips,
                struct fth_error **error)
{
    int result = go_through(finding, trace, proc, scope, skips, true, note_thread, error);
    take_threads(finding);
    if (result || !finding->threads->repeated)
        return result;
    result = go_through(finding, trace, proc, scope, skips, false, order_call, error);
    fth_thread_order_end(finding->order);
    add_waits(finding);
    sort_steps(finding->threads);
    return result;
}

int fth_proxy_find_threads(struct fth_trace *trace, size_t proc,
                           const struct fth_proxy_scope *scope, enum fth_proxy_skips skips,
                           struct fth_error **error)
{
    struct fth_run_threads *threads = &scope->threads[proc];
    const struct fth_process *process = fth_trace_process(trace, proc);
    struct finding finding = {.threads = threads};
    fth_run_threads_free(threads);
    finding.order = fth_thread_order_open(process, &listener, &finding);
    if (!finding.order)
        return 0;
    *threads =
        (struct fth_run_threads){.count = (uint32_t)process->thread_count,
                                 .list = fth_new(process->thread_count, sizeof *threads->list),
                                 .shared.size = sizeof(bool)};
    bool *is_looking = scope->relatives ? &scope->relatives->is_looking : NULL,
         was_looking = is_looking && *is_looking;
    if (is_looking)
        *is_looking = false;
    int result = find(&finding, trace, proc, scope, skips, error);
    fth_thread_order_close(finding.order);
    free(finding.waits);
    if (is_looking)
        *is_looking = was_looking;
    if (!threads->repeated)
        fth_run_threads_free(threads);
    return result;
}
