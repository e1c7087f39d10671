/* Violations that are alike become one group, with an example, and what to do about it. Inner
 * header of the verify room. */
#ifndef FTH_VERIFY_ADVISE_VIOLATION_GROUPS_H
#define FTH_VERIFY_ADVISE_VIOLATION_GROUPS_H

#include "verify/gather/file_identity.h"
#include "verify/judge/judge.h"
#include "verify/verify.h"

struct fth_violation {
    uint32_t x, y; /* situations; x happened first, or, unordered, began first */
    uint64_t x_call, y_call;
    uint64_t start, end;
    bool ordered;
    bool unsure; /* they may have no byte in common */
    /* by which means they may be ordered, though that cannot be followed; or NULL. It lives as long
     * as the order */
    const char *doubt;
    enum fth_hazard hazard;
};

/* Violations under the same models; 64 models at most, the lowest bit is the first one. */
struct fth_group_key {
    uint64_t models;
    uint64_t doubt; /* which text it is */
    uint32_t file, x_chain, y_chain, hazard, unsure, leaves_out;
};

struct fth_group_sum {
    uint64_t pairs;
    struct fth_violation example;
};

struct fth_groups {
    struct fth_intern keys; /* of struct fth_group_key */
    uint32_t last;          /* the group that was added to */
    struct fth_group_key last_key;
    struct fth_group_sum *sums;
    const struct fth_run_accesses *accesses;
};

/* Which of two is the example does not depend on who finds them first: threads take turns as it
 * happens. */
bool fth_violation_is_better_example(const struct fth_violation *one,
                                     const struct fth_violation *other);

void fth_groups_open(struct fth_groups *groups, const struct fth_run_accesses *accesses);
void fth_groups_close(struct fth_groups *groups);
void fth_groups_add(struct fth_groups *groups, uint64_t models,
                    const struct fth_violation *violation, uint64_t pairs);
/* Adds those that `more` has found. */
void fth_groups_join(struct fth_groups *groups, const struct fth_groups *more);
/* By time, and what was at the same time by who did it. */
int fth_verdict_access_order(const struct fth_verdict_access *a,
                             const struct fth_verdict_access *b);
/* Fills in what the examples of fth_verdict_alone are. */
void fth_groups_fill_alone(const struct fth_run_accesses *accesses, const struct fth_files *files,
                           struct fth_verdict_model *verdict);
/* Fills the groups of one model, and with those of `threads` its groups of threads that nothing
 * orders. */
void fth_groups_fill(const struct fth_groups *groups, const struct fth_groups *threads,
                     size_t model, struct fth_verdict_model *verdict, struct fth_judge *judge,
                     const struct fth_runs *runs, const struct fth_files *files);

#endif
