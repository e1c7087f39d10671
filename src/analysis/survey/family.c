/* Who is around a call: the calls that are open in its thread when it begins, and, where one of
 * these started the thread, in the thread that did so. Who is inside: the calls that follow until
 * one that is no deeper, and those of threads that are started by them. */
#include "analysis/survey/family.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct name {
    uint32_t thread;
    uint64_t number;
};

/* Calls of a thread that are open: [depth] is the one at that depth. */
struct thread {
    uint64_t *open;
    uint32_t depths;
    bool inside;     /* what comes is inside the call ... */
    uint32_t deeper; /* ... while it is deeper than this */
};

struct fth_family {
    size_t proc;
    struct name call;
    int64_t end;
    struct name *around;
    size_t around_count;
    struct thread *threads;
    size_t thread_count; /* one more stands behind them, for numbers that are none */
};

static struct thread *thread_of(struct fth_family *family, uint32_t number)
{
    return &family->threads[number < family->thread_count ? number : family->thread_count];
}

/* ---- the call ---- */

static void enter(struct fth_family *family, const struct fth_call *call)
{
    struct thread *thread = thread_of(family, call->thread);
    if (call->depth > thread->depths) /* calls around it are not known */
        return;
    if (call->depth == thread->depths) {
        FTH_GROW(thread->open, thread->depths);
        thread->depths++;
    }
    thread->open[call->depth] = call->number;
}

/* All calls of a thread that are open at this depth and above. */
static void add_open(struct fth_family *family, uint32_t number, uint64_t innermost)
{
    const struct thread *thread = thread_of(family, number);
    uint32_t depth = 0;
    while (depth < thread->depths && thread->open[depth] != innermost)
        depth++;
    for (uint32_t i = 0; depth < thread->depths && i <= depth; i++) {
        FTH_GROW(family->around, family->around_count);
        family->around[family->around_count++] = (struct name){number, thread->open[i]};
    }
}

static void take_call(struct fth_family *family, const struct fth_call *call)
{
    family->end = call->end;
    if (call->parent != FTH_NO_CALL)
        add_open(family, call->parent_thread, call->parent);
}

static int find(struct fth_family *family, struct fth_trace *trace, int64_t from,
                struct fth_progress *progress, struct fth_error **error)
{
    struct fth_calls *calls = fth_calls_from(trace, family->proc, from, error);
    struct fth_call call;
    uint64_t of_thread = 0;
    int more = calls ? 1 : -1;
    while (more > 0 && (more = fth_calls_next(calls, &call, error)) > 0) {
        fth_progress_add(progress, 1);
        of_thread += call.thread == family->call.thread;
        if (call.thread == family->call.thread && call.number == family->call.number) {
            take_call(family, &call);
            break;
        }
        enter(family, &call);
    }
    fth_calls_close(calls);
    if (more < 0)
        return fth_fail_in(error, "cannot read the calls of process %zu", family->proc);
    return more ? 0
                : fth_fail(error,
                           "thread %" PRIu32 " of process %zu made no call %" PRIu64
                           "; it made %" PRIu64 ", counted from 0",
                           family->call.thread, family->proc, family->call.number, of_thread);
}

static int parse(struct fth_family *family, const struct fth_trace *trace, const char *id,
                 struct fth_error **error)
{
    int end = 0;
    if (sscanf(id, "%zu.%" SCNu32 ".%" SCNu64 "%n", &family->proc, &family->call.thread,
               &family->call.number, &end) != 3 ||
        id[end] || id[0] < '0' || id[0] > '9')
        return fth_fail(error,
                        "a call is named PROCESS.THREAD.NUMBER, such as 3.0.253 (`id` of `fathom "
                        "dump --json`), not '%s'",
                        id);
    if (family->proc >= fth_trace_process_count(trace))
        return fth_fail(error, "there is no process %zu; there are %zu, counted from 0",
                        family->proc, fth_trace_process_count(trace));
    family->thread_count = fth_trace_process(trace, family->proc)->thread_count;
    family->threads = fth_new(family->thread_count + 1, sizeof *family->threads);
    return 0;
}

struct fth_family *fth_analysis_family(struct fth_trace *trace, const char *id, int64_t from,
                                       struct fth_progress *progress, struct fth_error **error)
{
    struct fth_family *family = fth_new(1, sizeof *family);
    if (parse(family, trace, id, error) == 0 && find(family, trace, from, progress, error) == 0)
        return family;
    fth_fail_in(error, "--call");
    fth_family_free(family);
    return NULL;
}

/* ---- those around and inside ---- */

size_t fth_family_proc(const struct fth_family *family)
{
    return family->proc;
}

static bool is_around(const struct fth_family *family, const struct fth_call *call)
{
    for (size_t i = 0; i < family->around_count; i++)
        if (family->around[i].thread == call->thread && family->around[i].number == call->number)
            return true;
    return false;
}

/* Calls in none of their thread name the one in which it was started. */
static bool is_started_inside(struct fth_family *family, const struct fth_call *call)
{
    return call->starter && call->parent_thread == family->call.thread &&
           call->parent >= family->call.number && thread_of(family, call->parent_thread)->inside;
}

bool fth_family_has(struct fth_family *family, const struct fth_call *call)
{
    struct thread *thread = thread_of(family, call->thread);
    if (call->thread == family->call.thread && call->number == family->call.number) {
        thread->inside = true;
        thread->deeper = call->depth;
        return true;
    }
    if (call->thread != family->call.thread)
        thread->inside = call->depth ? thread->inside : is_started_inside(family, call);
    else if (thread->inside && call->depth <= thread->deeper)
        thread->inside = false;
    return thread->inside || is_around(family, call);
}

bool fth_family_is_over(const struct fth_family *family, const struct fth_call *call)
{
    return call->start > family->end;
}

void fth_family_free(struct fth_family *family)
{
    if (!family)
        return;
    for (size_t i = 0; family->threads && i <= family->thread_count; i++)
        free(family->threads[i].open);
    free(family->threads);
    free(family->around);
    free(family);
}
