/* Accesses of one process to the same bytes, in order: what single file systems want of them. Inner
 * header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_ALONE_H
#define FTH_VERIFY_COMPARE_ALONE_H

#include "verify/compare/compare.h"
#include "verify/compare/conflict.h"

/* For those models that compare accesses of these layers. */
struct fth_alone_finder {
    const struct fth_comparing *comparing;
    const struct fth_judge *judge;
    struct fth_verdict_model *counts; /* by model: only counts */
    unsigned layers;
};

enum fth_hazard fth_hazard_of(const struct fth_situation *x, const struct fth_situation *y,
                              bool ordered);

/* To cut a file off is no matter of its data. */
void fth_alone_judge(const struct fth_alone_finder *finder, const struct fth_conflict *conflict,
                     struct fth_violation violation);
/* All pairs of two rows at once; those whose calls take turns are given to `take` one by one. */
void fth_alone_judge_rows(const struct fth_alone_finder *finder,
                          const struct fth_conflict_rows *rows, fth_conflict_take *take,
                          void *context);
void fth_alone_join(struct fth_verdict_alone *to, const struct fth_verdict_alone *from);

#endif
