/* Inner header of the sim room: binomial trees over the ranks of a command. Ranks are counted so that the root is 0: it changes places
 * with rank 0. */
#ifndef FTH_SIM_TREE_H
#define FTH_SIM_TREE_H

#include "sim/method.h"

enum { FTH_SIM_HEADER = 20 }; /* what collective commands add to each message */

/* From a rank to its place, and back. */
static inline uint32_t fth_sim_place(const struct fth_sim_activity *activity, uint32_t rank)
{
    uint32_t root = fth_sim_command(activity)->root;
    return rank == root ? 0 : rank == 0 ? root : rank;
}

static inline uint32_t fth_sim_parent(uint32_t place)
{
    return place & (place - 1);
}

/* The distances to the children of a place are the powers of two from this one down to 1, where there are as many places. */
static inline uint32_t fth_sim_first_child(uint32_t place, uint32_t count)
{
    uint32_t distance = 1;
    if (place)
        return (place & -place) >> 1;
    while (distance < count)
        distance *= 2;
    return distance / 2;
}

/* How many places a subtree has. */
static inline uint32_t fth_sim_subtree(uint32_t place, uint32_t count)
{
    uint32_t most = place ? place & -place : count;
    return most < count - place ? most : count - place;
}

#endif
