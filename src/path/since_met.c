/* What threads did since they met others in a collective call: how long they computed and did I/O,
 * how long they waited, and for whom most. */
#include "path/since_met.h"

#include "base/saturating.h"

struct fth_spent fth_spent_between(const struct fth_path *path,
                                   const struct fth_thread_timeline *timeline, uint32_t from,
                                   uint32_t to, uint16_t but)
{
    struct fth_spent spent = {0};
    struct fth_flow_shares shares = fth_flow_shares(timeline, from, to);
    uint32_t work;
    int64_t time;
    while (fth_flow_next_share(&shares, &work, &time)) {
        uint16_t function = path->work.all[work].function;
        if (path->work.all[work].activity == FTH_FLOW_COMPUTES)
            FTH_ADD_SATURATING(spent.computing, time);
        else if (path->work.all[work].activity < FTH_ACTIVITY_IO_KINDS) {
            FTH_ADD_SATURATING(spent.io, time);
            FTH_ADD_SATURATING(spent.below,
                               function != but && path->facts[function].class->system ? time : 0);
        }
    }
    return spent;
}

/* Whom most of the time is for, without a sum for each: what others have is taken away. */
static void add_cause(struct fth_since_met *since, struct fth_event cause, int64_t wait)
{
    FTH_ADD_SATURATING(since->waited, wait);
    if (since->most && cause.timeline != since->cause.timeline) {
        if (since->most >= wait) {
            since->most -= wait;
            return;
        }
        wait -= since->most;
        since->most = 0;
    }
    FTH_ADD_SATURATING(since->most, wait);
    since->cause = cause;
}

void fth_since_met_go_on(struct fth_path *path, struct fth_since_met *all, struct fth_event until)
{
    const struct fth_thread_timeline *timeline = &path->timelines[until.timeline];
    struct fth_since_met *since = &all[until.timeline];
    if (until.step > since->at) {
        struct fth_spent more =
            fth_spent_between(path, timeline, since->at, until.step, FTH_NO_FUNCTION);
        FTH_ADD_SATURATING(since->spent.computing, more.computing);
        FTH_ADD_SATURATING(since->spent.io, more.io);
        FTH_ADD_SATURATING(path->results.computed[timeline->proc], more.computing);
        FTH_ADD_SATURATING(path->results.did_io[timeline->proc], more.io);
        since->at = until.step;
    }
    struct fth_event cause;
    while (fth_path_walk_on(path, &since->walk, until.step))
        if (fth_path_cause(path, until.timeline, since->walk.step, since->walk.edge, &cause)) {
            int64_t wait = fth_path_waited(path, until.timeline, since->walk.step, cause);
            if (wait > 0)
                add_cause(since, cause, wait);
        }
}

struct fth_since_met fth_since_met_at(const struct fth_path *path, uint32_t timeline, uint32_t met,
                                      uint32_t at)
{
    return (struct fth_since_met){
        .met = met, .at = at, .walk = fth_path_walk_from(path, timeline, met ? met + 1 : 0)};
}
