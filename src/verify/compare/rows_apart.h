/* Two rows of accesses of two processes to the same bytes. Inner header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_ROWS_APART_H
#define FTH_VERIFY_COMPARE_ROWS_APART_H

#include "verify/compare/compare.h"
#include "verify/compare/conflict.h"

/* For those models that compare accesses of these layers. */
struct fth_rows_finder {
    const struct fth_comparing *comparing;
    struct fth_judge *judge;
    struct fth_judge *possible;       /* by what may have come before, too; NULL: that is no more */
    struct fth_verdict_model *counts; /* by model */
    struct fth_groups *groups;
    unsigned layers;
    fth_conflict_take *take; /* pairs that have to be judged one by one */
    /* those pairs of violations under the first model that are the nearest to be none */
    void (*violates)(void *context, uint32_t x, uint32_t y, bool ordered);
    void *context;
};

/* Can rows of two processes be judged as a whole? Not where calls are missing. */
bool fth_rows_apart_can_be_judged(const struct fth_comparing *comparing);

/* All pairs of two rows that are even (fth_conflict_row), of which the one has all the lower
 * numbers of situations. */
void fth_rows_apart_judge(const struct fth_rows_finder *finder,
                          const struct fth_conflict_rows *rows);

#endif
