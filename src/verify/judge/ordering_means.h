/* What may order two accesses, though it was not followed. Inner header of the verify room. */
#ifndef FTH_VERIFY_JUDGE_ORDERING_MEANS_H
#define FTH_VERIFY_JUDGE_ORDERING_MEANS_H

#include "verify/gather/run_accesses.h"
#include "verify/gather/runs.h"

#include <pthread.h>

struct fth_possible_means {
    const struct fth_runs *runs;
    struct fth_runs possible; /* with what may have come before in place of what certainly did */
    bool is_possible;         /* that is more */
    /* with all that may have come before if all collective calls were barriers */
    struct fth_runs synchronized;
    bool is_synchronized; /* that is more, and fth_means_synchronize has found it */
    const char **missing; /* by run: which calls are missing, whatever they did; or NULL */
    /* by run: places in files are what another tool assumed, with no open, close or sync */
    bool *is_assumed;
    pthread_mutex_t lock; /* of the texts */
    char **texts;
    size_t text_count;
};

/* When orders are settled. */
void fth_means_open(struct fth_possible_means *means, const struct fth_runs *runs);
/* While others may judge. */
void fth_means_synchronize(struct fth_possible_means *means);
void fth_means_close(struct fth_possible_means *means);

/* Are calls of the runs of x and y missing, as their recording stopped or another tool did not
 * write them? Any of these may have
 * ordered the two, or committed x. */
bool fth_means_are_missing(const struct fth_possible_means *means, const struct fth_situation *x,
                           const struct fth_situation *y);

/* Of any two? */
bool fth_means_may_be_missing(const struct fth_possible_means *means);

/* Is nothing certain of the run of x? */
static inline bool fth_means_are_assumed(const struct fth_possible_means *means,
                                         const struct fth_situation *x)
{
    return means->is_assumed[means->runs->run_of_proc[x->proc]];
}

/* By which means x and y may be ordered: "memory that both have mapped; threads whose locks were
 * not recorded". Equal texts are one, which lives as long as the means; any thread may ask. */
const char *fth_means_between(struct fth_possible_means *means, const struct fth_situation *x,
                              const struct fth_situation *y);

#endif
