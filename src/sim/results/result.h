/* What came of a simulation, as tables. */
#ifndef FTH_SIM_RESULTS_RESULT_H
#define FTH_SIM_RESULTS_RESULT_H

#include "sim/run/run.h"
#include "table/table.h"

/* One row: time, end of the last process, processes, those that did not come to their end, events,
 * messages, bytes, what was busiest. */
struct fth_table *fth_sim_summary(const struct fth_sim_world *world, uint32_t ranks);
/* One row: processors of all nodes together, and how busy they were. */
struct fth_table *fth_sim_processors(const struct fth_sim_world *world);
/* A row for each kind of component of the network: how many, what went through, how busy. */
struct fth_table *fth_sim_components(const struct fth_sim_world *world);
/* A row for each server of files. */
struct fth_table *fth_sim_servers_table(const struct fth_sim_world *world);
/* A row for each burst buffer. */
struct fth_table *fth_sim_buffers_table(const struct fth_sim_world *world);
/* A row for each process: its end, or what it waits for. */
struct fth_table *fth_sim_ends(const struct fth_sim_world *world, uint32_t ranks);

#endif
