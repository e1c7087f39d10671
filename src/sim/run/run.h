/* A simulation: a program on a cluster. */
#ifndef FTH_SIM_RUN_RUN_H
#define FTH_SIM_RUN_RUN_H

#include "base/error.h"
#include "sim/plan/cluster.h"
#include "sim/plan/program_commands.h"
#include "sim/world/watch.h"
#include "sim/world/method.h"
#include "sim/world/watch.h"

struct fth_sim_world;

/* The cluster and the program outlive it. NULL: the program does not fit the cluster. */
struct fth_sim_world *fth_sim_world_new(const struct fth_sim_cluster *cluster,
                                        const struct fth_sim_program *program,
                                        struct fth_error **error);
void fth_sim_world_free(struct fth_sim_world *world);

/* Before it runs: commands of this method's verb are carried out in its way. */
void fth_sim_world_use(struct fth_sim_world *world, const struct fth_sim_method *method);

/* Before it runs: every packet is played through by itself. Everything is the same, only slower. */
void fth_sim_world_play_all(struct fth_sim_world *world);

/* Before it runs. */
void fth_sim_world_watch(struct fth_sim_world *world, const struct fth_sim_watch *watch);

/* Simulates until nothing happens any more. */
void fth_sim_world_run(struct fth_sim_world *world);

/* Afterwards. */
int64_t fth_sim_world_time(const struct fth_sim_world *world);
uint64_t fth_sim_world_events(const struct fth_sim_world *world);
uint64_t fth_sim_world_messages(const struct fth_sim_world *world, uint64_t *bytes);
const struct fth_sim_network *fth_sim_world_network(const struct fth_sim_world *world);
/* NULL: there are no so many servers. */
const struct fth_sim_server *fth_sim_world_server(const struct fth_sim_world *world,
                                                  uint32_t index);
/* The same of burst buffers. */
const struct fth_sim_buffer *fth_sim_world_buffer(const struct fth_sim_world *world,
                                                  uint32_t index);
/* What was spent on commands of the program of that verb; a command with a request only until it
 * had begun. */
const struct fth_sim_spent *fth_sim_world_spent(const struct fth_sim_world *world,
                                                enum fth_sim_verb verb);
/* The end of a rank, or -1: it still waits, and `text` says what for. */
int64_t fth_sim_world_end(const struct fth_sim_world *world, uint32_t rank, char *text,
                          size_t size);

/* Afterwards, of a program with an order: when a group of ranks began and ended. */
struct fth_sim_group_times fth_sim_world_group(const struct fth_sim_world *world, uint32_t group);

/* The end of the rank that came to it last; *unfinished: how many never do. */
int64_t fth_sim_world_last_end(const struct fth_sim_world *world, uint32_t *unfinished);

/* When somebody waits: who waits for whom in a circle, or for one that has come to its end; up to
 * `size` characters. */
void fth_sim_world_describe_waits(const struct fth_sim_world *world, char *text, size_t size);
/* Messages that nobody receives although they have left; what is known of the first of them, up to
 * `size` characters. */
uint64_t fth_sim_world_unreceived(const struct fth_sim_world *world, char *text, size_t size);

/* Puts processes on nodes, and connects nodes and servers. */
void fth_sim_build(struct fth_sim_world *world);

#endif
