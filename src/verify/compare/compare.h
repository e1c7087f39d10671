/* All conflicts of a run, judged under all models. Inner header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_COMPARE_H
#define FTH_VERIFY_COMPARE_COMPARE_H

#include "verify/advise/violation_groups.h"
#include "verify/gather/verify_progress.h"
#include "verify/judge/judge.h"
#include "verify/judge/ordering_means.h"

struct fth_comparing {
    const struct fth_consistencies *models;
    const unsigned *model_layers; /* by model: bits of the layers whose accesses it compares */
    const struct fth_run_accesses *accesses;
    uint32_t file_count;
    const struct fth_judge *judge;
    const struct fth_judge *possible; /* by what may have come before, too; NULL: that is no more */
    /* Called by any thread at its first violation under the first model: who judges by that, if all
     * collective calls were barriers. NULL: that is no more, or nobody asks. */
    const struct fth_judge *(*synchronized)(void *context);
    void *context;
    struct fth_possible_means *means;
    unsigned threads;                           /* no more than the judge's */
    const struct fth_verify_progress *progress; /* or NULL */
};

/* Counts pairs in `verdicts`, by model, and puts those that are not synchronized into `groups`,
 * those of threads of one process that nothing orders into `threads`. When it is given up, some are
 * missing. Returns whether any violation under the first model would be none by what
 * `synchronized` knows. */
bool fth_compare(const struct fth_comparing *comparing, struct fth_verdict_model *verdicts,
                 struct fth_groups *groups, struct fth_groups *threads);

#endif
