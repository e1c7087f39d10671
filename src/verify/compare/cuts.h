/* Conflicts of accesses with calls that cut a file off. Inner header of the verify room.
 *
 * A file may be cut off a hundred times, each time below a million accesses, but what one call took
 * away no other one takes again: of those that one thread makes an access meets the last ones
 * before it, the first ones behind it, as far as these take what no nearer one has taken, and all
 * that are in no order with it. They are searched for by halves. */
#ifndef FTH_VERIFY_COMPARE_CUTS_H
#define FTH_VERIFY_COMPARE_CUTS_H

#include "verify/compare/conflict.h"
#include "verify/judge/judge.h"

struct fth_cuts;

/* Of accesses whose files are known, for layers whose bit is set. NULL: no file is cut off. */
struct fth_cuts *fth_cuts_new(const struct fth_run_accesses *accesses, uint32_t file_count,
                              unsigned layers);
void fth_cuts_free(struct fth_cuts *cuts);
/* Several threads may be at its slices. */
size_t fth_cuts_slices(const struct fth_cuts *cuts);
struct fth_cuts_asked {
    struct fth_judge *judge;
    struct fth_judge *possible; /* by what may have come before, too; NULL: that is no more */
    fth_conflict_take *take;
    /* of pairs in no order that come together: those that are the nearest to be in one; or NULL */
    void (*violates)(void *context, uint32_t a, uint32_t b, bool ordered);
    void *context;
    /* May pairs that have the same verdict come together, as if all were with the cut of the lowest
     * number? Pairs of two cuts that leave the file as long may be left out. */
    bool in_runs;
};
void fth_cuts_find(const struct fth_cuts *cuts, const struct fth_cuts_asked *asked, size_t slice);

#endif
