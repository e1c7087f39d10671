/* What calls did to each name, in order of time, and what that says at any time. Inner header of
 * the verify room. */
#ifndef FTH_VERIFY_GATHER_NAME_HISTORY_H
#define FTH_VERIFY_GATHER_NAME_HISTORY_H

#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

/* By place in fth_run_accesses.touches_by_name. */
struct fth_name_history {
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    /* Places from each one on up to here are of one thread, in the order of its calls: what came
     * before one of them came before those behind it. */
    uint32_t *run_end;
    int64_t *over;         /* when all calls on the name up to there were over */
    uint32_t *seen, *made; /* up to there, + 1: the last call that tells whether the name is there;
                            * that made it or removed it. 0: none */
};

/* Puts the touches in order of name and time. */
struct fth_name_history fth_name_history_of(struct fth_run_accesses *accesses,
                                            const struct fth_runs *runs);
void fth_name_history_free(struct fth_name_history *history);

/* Of those that were over at that time, up to the first one of the name that was not: the last one
 * of `last` (seen, made); NULL: none. */
const struct fth_touch *fth_name_history_last(const struct fth_name_history *history,
                                              const uint32_t *last, uint32_t name, int64_t time);
/* Behind the last place of the name whose call began at that time, or earlier. */
uint32_t fth_name_history_begun(const struct fth_name_history *history, uint32_t name,
                                int64_t time);
/* The first place of the run from `at` on whose call did not come before `later`. */
uint32_t fth_name_history_behind(const struct fth_name_history *history, uint32_t at,
                                 const struct fth_touch *later);

/* Did `a` happen before `b`? */
bool fth_touch_came_before(const struct fth_runs *runs, const struct fth_touch *a,
                           const struct fth_touch *b);

#endif
