/* Two simulations side by side: what changed from one to the other, for the run as a whole, by
 * command and by resource. */
#ifndef FTH_SIM_RESULTS_CHANGES_H
#define FTH_SIM_RESULTS_CHANGES_H

#include "sim/run/run.h"
#include "table/table.h"

/* What is kept of a run; zeroed before, to be freed. */
struct fth_sim_outcome {
    int64_t time, end;
    struct fth_sim_spent spent[FTH_SIM_VERBS];
    struct fth_sim_used {
        char name[64];
        int64_t busy; /* ns, of the one of these that worked longest */
    } * used;
    uint32_t used_count;
};
void fth_sim_outcome_take(struct fth_sim_outcome *outcome, const struct fth_sim_world *world);
void fth_sim_outcome_free(struct fth_sim_outcome *outcome);

/* A row for each that took any time in either run, what changed most first. NULL: no memory. */
struct fth_table *fth_sim_changes(const struct fth_sim_outcome *before,
                                  const struct fth_sim_outcome *after);

#endif
