/* Locks that a process holds when it becomes another program by exec: that one holds them, until it
 * gives them up, closes a descriptor of the file or ends. Not all of that is followed. So who gets
 * such a lock later may know what the program did, but it is not certain. */
#include "base/memory.h"
#include "base/sink.h"
#include "order/match/match.h"

static void release_at_end(struct fth_matching *matching, const struct fth_trace *trace,
                           const char *means, uint32_t proc)
{
    int64_t end = fth_trace_process(trace, proc)->end;
    fth_match_unfollowed(matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = FTH_NO_OPERATION,
                                                 .start = end,
                                                 .end = end,
                                                 .releases = true});
}

/* What exec made of the process; UINT32_MAX: nothing that was recorded. */
static uint32_t next_program(const struct fth_trace *trace, uint32_t proc)
{
    for (uint32_t next = proc + 1; next < fth_trace_process_count(trace); next++)
        if (fth_trace_process(trace, next)->parent_proc == proc &&
            fth_trace_process(trace, next)->pid == fth_trace_process(trace, proc)->pid)
            return next;
    return UINT32_MAX;
}

/* An acquisition through a descriptor that others may have, too, keeps none of these out. */
static bool keeps_out(const struct fth_order_lock *lock)
{
    return lock->acquired && (!lock->inherited || lock->space == FTH_LOCK_OF_RECORD);
}

static void exchange(struct fth_matching *matching, const char *means,
                     const struct fth_lock_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fth_order_lock *lock = entries[i].lock;
        if (keeps_out(lock) || lock->touches)
            fth_match_unfollowed(matching, means,
                                 (struct fth_unfollowed){.proc = entries[i].proc,
                                                         .operation = lock->operation,
                                                         .start = lock->time,
                                                         .end = lock->time,
                                                         .releases = lock->touches,
                                                         .acquires = lock->acquired});
    }
}

void fth_match_kept_locks(struct fth_matching *matching, const struct fth_trace *trace,
                          const struct fth_lock_entry *entries, size_t count)
{
    struct fth_sink means;
    bool any = false;
    fth_sink_open_memory(&means);
    fth_sink_text(&means, "locks kept by exec on ");
    fth_sink_text(&means, entries->path);
    fth_sink_char(&means, 0);
    for (size_t i = 0; i < count; i++) {
        if (!entries[i].lock->kept)
            continue;
        uint32_t proc = entries[i].proc;
        while ((proc = next_program(trace, proc)) != UINT32_MAX) {
            release_at_end(matching, trace, means.bytes, proc);
            any = true;
        }
    }
    if (any)
        exchange(matching, means.bytes, entries, count);
    fth_sink_close_memory(&means);
}
