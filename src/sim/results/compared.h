/* A run that was recorded beside the same run simulated. */
#ifndef FTH_SIM_RESULTS_COMPARED_H
#define FTH_SIM_RESULTS_COMPARED_H

#include "sim/run/run.h"
#include "table/table.h"

/* A row for the run, for all messages, for all that is done with files, and for commands of each
 * kind: how many, how long they took, all processes together, there and here. `recorded`: the trace
 * as a program; NULL: there is none, and no row. To be freed by the caller. */
struct fth_table *fth_sim_compared(const struct fth_sim_world *world,
                                   const struct fth_sim_program *recorded);

#endif
