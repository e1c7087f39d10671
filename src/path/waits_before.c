/* Waits that end before the call that they are for: in poll, select or epoll_wait, which order
 * nothing. That they are over is recorded, and how long they took if the user asks for it. Of a
 * read, and of the write whose bytes it returns, or of a write, and of the read that made room for
 * it: how long the thread waited for that one since the event before. */
#include "base/saturating.h"
#include "path/run_flow.h"

/* Who has waited finds the descriptor ready, or reads, at once: at most a tenth as long behind the
 * write as may have been waited. Who computed does so at any time, and by chance so early once in
 * ten times. */
enum { AT_ONCE = 10 };

/* ns that went to nothing that is recorded, or to waits for descriptors, before a call. */
static int64_t time_before(const struct fth_path *path, const struct fth_thread_timeline *timeline,
                           uint32_t entry, bool polled)
{
    int64_t sum = 0;
    struct fth_flow_shares shares = fth_flow_shares(timeline, entry - 1, entry);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time)) {
        uint16_t function = path->work.all[work].function;
        if (polled ? function != FTH_NO_FUNCTION && path->facts[function].polls
                   : function == FTH_NO_FUNCTION)
            FTH_ADD_SATURATING(sum, time);
    }
    return sum;
}

static bool is_of_pipe(const struct fth_path *path, const struct fth_thread_timeline *timeline,
                       uint32_t entry, struct fth_event cause)
{
    uint16_t function = fth_flow_kind(timeline, entry)->function,
             awaited = fth_path_event_kind(path, cause)->function;
    return function != FTH_NO_FUNCTION && awaited != FTH_NO_FUNCTION &&
           path->facts[function].class->data && path->facts[awaited].awaited == FTH_WAIT_PIPE;
}

int64_t fth_path_waited_before(const struct fth_path *path, uint32_t number, uint32_t step,
                               struct fth_event cause, bool most)
{
    const struct fth_thread_timeline *timeline = &path->timelines[number];
    uint32_t entry = fth_flow_entry(timeline, step);
    if (!entry || timeline->of_mpi || !is_of_pipe(path, timeline, entry, cause))
        return 0;
    int64_t write = fth_path_time(path, cause), read = fth_flow_time(timeline, entry), ready = read,
            limit = write - fth_flow_time(timeline, entry - 1); /* that it may have waited */
    if (limit <= 0 || read < write)
        return 0;
    /* A wait for descriptors that was over before the write waited for something else. */
    bool polled = fth_flow_polled(timeline, entry, &ready);
    if (polled ? ready < write : path->knows_polls)
        return 0;
    if (!path->knows_polls && !most && ready - write > limit / AT_ONCE)
        return 0;
    int64_t waited = time_before(path, timeline, entry, path->knows_polls) -
                     ((path->knows_polls ? ready : read) - write);
    return waited > limit ? limit : waited > 0 ? waited : 0;
}
