/* Waits that end before the call that they are for: in poll, select or epoll_wait, which order
 * nothing, and which are not recorded unless the user asks for them. Of a read, and of the write
 * whose bytes it returns, or of a write, and of the read that made room for it: how long the thread
 * waited for that one since the event before. */
#include "base/saturating.h"
#include "path/run_flow.h"

/* Who has waited reads at once: at most a tenth as long behind the write as may have been waited.
 * Who computed reads at any time, and by chance so early once in ten times. */
enum { AT_ONCE = 10 };

/* What the time before a call went to, ns. */
struct before {
    int64_t own;    /* nothing that is recorded */
    int64_t polled; /* recorded waits for descriptors */
};

static struct before before_call(const struct fth_path *path,
                                 const struct fth_thread_timeline *timeline, uint32_t entry)
{
    struct before before = {0, 0};
    struct fth_flow_shares shares = fth_flow_shares(timeline, entry - 1, entry);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time)) {
        uint16_t function = path->work.all[work].function;
        if (function == FTH_NO_FUNCTION)
            FTH_ADD_SATURATING(before.own, time);
        else if (path->facts[function].polls)
            FTH_ADD_SATURATING(before.polled, time);
    }
    return before;
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
    int64_t write = fth_path_time(path, cause),
            limit = write - fth_flow_time(timeline, entry - 1), /* that it may have waited */
        behind = fth_flow_time(timeline, entry) - write;
    if (limit <= 0 || behind < 0)
        return 0;
    struct before before = before_call(path, timeline, entry);
    if (!path->knows_polls && !most && behind > limit / AT_ONCE)
        return 0;
    int64_t waited = (path->knows_polls ? before.polled : before.own) - behind;
    return waited > limit ? limit : waited > 0 ? waited : 0;
}
