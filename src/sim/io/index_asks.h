/* Inner header of the sim room: a request to the servers of index_servers.h on its way. */
#ifndef FTH_SIM_INDEX_ASKS_H
#define FTH_SIM_INDEX_ASKS_H

#include "sim/io/index_servers.h"

/* Whom the server of a process asks, one round after the other, and how many bytes of data come
 * with each answer. */
enum { FTH_SIM_ASK_ROUNDS = 3 };
struct fth_sim_rounds {
    struct fth_sim_shares of[FTH_SIM_ASK_ROUNDS];
    uint64_t bytes;
};

/* The activity goes on when all have answered. Its own server does its part itself. */
void fth_sim_index_ask(struct fth_sim_activity *activity, const struct fth_sim_rounds *rounds);

#endif
