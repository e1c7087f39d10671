/* Whoever begins to read in the middle of a process finds the same calls as who begins at its
 * start. */
#include "log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 3 };

static struct fth_calls *open_at(const struct process *process, int64_t time)
{
    struct fth_error *error = NULL;
    struct fth_calls *calls = time < 0
                                  ? fth_calls_open(process->trace, process->proc, &error)
                                  : fth_calls_from(process->trace, process->proc, time, &error);
    if (!calls)
        fail("%s", fth_error_text(error));
    return calls;
}

static bool next(struct fth_calls *calls, struct fth_call *call)
{
    struct fth_error *error = NULL;
    int status = fth_calls_next(calls, call, &error);
    if (status < 0)
        fail("%s", fth_error_text(error));
    return status > 0;
}

static void compare_calls(const struct process *process, int64_t time, const struct fth_call *found,
                          const struct fth_call *wanted)
{
    static struct fth_bytes one, other;
    one.length = other.length = 0;
    put_call(&one, found);
    put_call(&other, wanted);
    if (strcmp((const char *)one.data, (const char *)other.data) == 0 &&
        found->thread == wanted->thread && found->number == wanted->number &&
        found->parent == wanted->parent && found->parent_thread == wanted->parent_thread &&
        found->start == wanted->start && found->end == wanted->end)
        return;
    fail("process %zu, read from %" PRId64 " ns on:\n  thread %u, call %" PRIu64 " at %" PRId64
         ": %s\n  from the start on:\n  thread %u, call %" PRIu64 " at %" PRId64 ": %s",
         process->proc, time, found->thread, found->number, found->start, one.data, wanted->thread,
         wanted->number, wanted->start, other.data);
}

static void compare_from(const struct process *process, int64_t time)
{
    struct fth_calls *whole = open_at(process, -1), *part = open_at(process, time);
    struct fth_call found, wanted;
    bool more;
    while (next(whole, &wanted)) {
        if (wanted.end < time)
            continue;
        if (!next(part, &found))
            fail("process %zu, read from %" PRId64 " ns on, ends before thread %u, call %" PRIu64,
                 process->proc, time, wanted.thread, wanted.number);
        compare_calls(process, time, &found, &wanted);
    }
    more = next(part, &found);
    if (more)
        fail("process %zu, read from %" PRId64 " ns on, has more calls: thread %u, call %" PRIu64,
             process->proc, time, found.thread, found.number);
    fth_calls_close(whole);
    fth_calls_close(part);
}

/* At times that are others for each process. */
void middle_compare(const struct process *process)
{
    const struct fth_process *facts = fth_trace_process(process->trace, process->proc);
    uint64_t lasted = (uint64_t)(facts->end - facts->start) + 1, random = (uint64_t)facts->pid;
    for (int i = 0; i < TIMES && facts->calls; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int64_t time = facts->start + (int64_t)((random >> 16) % lasted);
        compare_from(process, time > 0 ? time : 0);
    }
}
