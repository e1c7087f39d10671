/* Inner header of the sim room: groups of processes that begin in an order. */
#ifndef FTH_SIM_WORLD_BEGIN_GATES_H
#define FTH_SIM_WORLD_BEGIN_GATES_H

#include "sim/world/world.h"

/* Before anything happens: begins those groups of the order of the program that wait for none, and
 * the others when their time has come. */
void fth_sim_gates_open(struct fth_sim_world *world);

#endif
