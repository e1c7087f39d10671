/* Traces of simulated runs: what `fathom record` would have written if the cluster were real.
 * Collective and point-to-point commands are calls of MPI, collective ones on files of MPI-IO,
 * others on files of the system; what is computed is between calls. Many ranges of one process are
 * as many calls; those of a collective command, or of one that is begun, stand as one access of as
 * many bytes, at the first of them. */
#ifndef FTH_SIM_RECORD_RECORD_H
#define FTH_SIM_RECORD_RECORD_H

#include "sim/run/run.h"

struct fth_sim_recorder;

/* Before the world runs: it notes each command that is over. Lives as long as the world. */
struct fth_sim_recorder *fth_sim_recorder_new(struct fth_sim_world *world,
                                              const struct fth_sim_program *program);
void fth_sim_recorder_free(struct fth_sim_recorder *recorder);

/* Afterwards: writes the trace, in place of what was there. `name`: of the program. */
int fth_sim_recorder_write(struct fth_sim_recorder *recorder, const char *path, const char *name,
                           struct fth_error **error);

#endif
