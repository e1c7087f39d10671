/* Who watches what processes of a simulation do. */
#ifndef FTH_SIM_WORLD_WATCH_H
#define FTH_SIM_WORLD_WATCH_H

#include "sim/plan/program_commands.h"

struct fth_sim_world;

/* What a process did: a command that is over, or begun with a request of this number, or that
 * request. Ranks are those of the command's communicator. */
struct fth_sim_watched {
    const struct fth_sim_command *command;
    int64_t since, now;
    uint32_t number;
    uint32_t source, tag; /* of what was received */
    uint64_t received;    /* bytes */
};
struct fth_sim_watch {
    void *context;
    uint32_t (*requested)(void *context, uint32_t rank); /* a number for a request */
    void (*completed)(void *context, uint32_t rank, const struct fth_sim_watched *watched);
    void (*over)(void *context, uint32_t rank, const struct fth_sim_watched *watched);
};
/* The node of a rank, from 0. */
uint32_t fth_sim_world_node(const struct fth_sim_world *world, uint32_t rank);

#endif
