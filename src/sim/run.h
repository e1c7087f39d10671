/* A simulation: a program on a cluster. */
#ifndef FTH_SIM_RUN_H
#define FTH_SIM_RUN_H

#include "base/error.h"
#include "sim/cluster.h"
#include "sim/method.h"
#include "sim/program.h"

struct fth_sim_world;

/* The cluster and the program outlive it. NULL: the program does not fit the cluster. */
struct fth_sim_world *fth_sim_world_new(const struct fth_sim_cluster *cluster,
                                        const struct fth_sim_program *program,
                                        struct fth_error **error);
void fth_sim_world_free(struct fth_sim_world *world);

/* Before it runs: commands of this method's verb are carried out in its way. */
void fth_sim_world_use(struct fth_sim_world *world, const struct fth_sim_method *method);

/* Simulates until nothing happens any more. */
void fth_sim_world_run(struct fth_sim_world *world);

/* Afterwards. */
int64_t fth_sim_world_time(const struct fth_sim_world *world);
uint64_t fth_sim_world_events(const struct fth_sim_world *world);
uint64_t fth_sim_world_messages(const struct fth_sim_world *world, uint64_t *bytes);
const struct fth_sim_network *fth_sim_world_network(const struct fth_sim_world *world);
/* The end of a rank, or -1: it still waits, and `text` says what for. */
int64_t fth_sim_world_end(const struct fth_sim_world *world, uint32_t rank, char *text,
                          size_t size);

#endif
