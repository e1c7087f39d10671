/* Inner header of the sim room: what clients ask of files over servers, past burst buffers where
 * there are any, and how all of it comes and goes. */
#ifndef FTH_SIM_CLIENTS_H
#define FTH_SIM_CLIENTS_H

#include "sim/io/storage.h"

/* NULL: the cluster has no servers. Their NICs, and those of forwarders, are set afterwards. */
struct fth_sim_storage *fth_sim_storage_new(struct fth_sim_engine *engine,
                                            struct fth_sim_network *network,
                                            const struct fth_sim_cluster *cluster,
                                            const struct fth_sim_program *program);
void fth_sim_storage_free(struct fth_sim_storage *storage);

/* What a step of a command starts. The first one clips what is read to the file; the file grows
 * with the last one. */
void fth_sim_read(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_write(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);
void fth_sim_flush(struct fth_sim_activity *activity);
void fth_sim_written(struct fth_sim_activity *activity, const struct fth_sim_ranges *ranges);

#endif
