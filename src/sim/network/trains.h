/* Inner header of the sim room: trains, which are packets of flows that are counted instead of
 * played through. See trains.c. */
#ifndef FTH_SIM_NETWORK_TRAINS_H
#define FTH_SIM_NETWORK_TRAINS_H

#include "sim/network/flow.h"

/* Finds out where on the way of a new flow trains can be. */
void fth_sim_trains_plan(struct fth_sim_flow *flow);

/* A packet that comes to the entry of its flow, whether a train takes it to the end. */
bool fth_sim_train_takes(struct fth_sim_engine *engine, struct fth_sim_hop *entry);

/* The packet before the exit of its flow has been begun with, whether a train moves what is behind
 * it. */
bool fth_sim_train_moves(struct fth_sim_engine *engine, struct fth_sim_hop *before_exit);

void fth_sim_train_settle(struct fth_sim_engine *engine, struct fth_sim_train *train);

/* Before anything is done with a component, or with the messages of a flow that wait for their
 * turns. */
static inline void fth_sim_train_leave(struct fth_sim_engine *engine, struct fth_sim_train *train)
{
    if (train)
        fth_sim_train_settle(engine, train);
}

#endif
