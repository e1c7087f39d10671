/* The graph of a workflow as an order of groups of processes, for the simulator: each step is a
 * group. Inner header of src/workflow/simulated. */
#ifndef FTH_WORKFLOW_STEP_ORDER_H
#define FTH_WORKFLOW_STEP_ORDER_H

#include "sim/plan/begin_order.h"
#include "workflow/simulated/step_programs.h"

struct fth_step_order {
    struct fth_sim_begin_order order;
    struct fth_sim_begin_edge *edges;
    int64_t *begins, *lengths;
    uint32_t *first_process;
    uint32_t *steps;  /* by group */
    uint32_t *groups; /* by step; FTH_NO_STEP: a script */
    int64_t start;    /* ns since 1970: of the first step */
};

/* Steps with programs get their processes in the order of the groups. `by_data`: only data orders
 * steps, and there is no time between them. */
void fth_step_order_make(struct fth_step_order *order, const struct fth_step_programs *programs,
                         bool by_data);
void fth_step_order_free(struct fth_step_order *order);

#endif
