/* Inner header of the sim room: binomial trees over the ranks of a command. Ranks are counted so
 * that the root is 0: it changes places with rank 0. */
#ifndef FTH_SIM_WORLD_BINOMIAL_TREE_H
#define FTH_SIM_WORLD_BINOMIAL_TREE_H

#include "sim/world/method.h"

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

/* The distances to the children of a place are the powers of two from this one down to 1, where
 * there are as many places. */
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

/* Halving and doubling need a number of members that is a power of two. The first 2 * `rest` of
 * other numbers go in pairs: the odd ones hand over what they have to the even ones and stand
 * aside. Those who stay are numbered anew. */
struct fth_sim_fold {
    uint32_t power, rounds, rest, number;
    bool is_paired, is_aside;
};

static inline struct fth_sim_fold fth_sim_fold(uint32_t place, uint32_t count)
{
    struct fth_sim_fold fold = {.power = 1};
    while (fold.power <= count / 2) {
        fold.power *= 2;
        fold.rounds++;
    }
    fold.rest = count - fold.power;
    fold.is_paired = place < 2 * fold.rest;
    fold.is_aside = fold.is_paired && place % 2;
    fold.number = fold.is_paired ? place / 2 : place - fold.rest;
    return fold;
}

static inline uint32_t fth_sim_unfold(const struct fth_sim_fold *fold, uint32_t number)
{
    return number < fold->rest ? 2 * number : number + fold->rest;
}

/* Of a reduce_scatter: bytes of a rank's part, which may be another one for each (a list, gone
 * round when it is shorter). */
static inline uint64_t fth_sim_part_of(const struct fth_sim_activity *activity, uint32_t rank)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    const struct fth_sim_ranges *parts = &command->ranges;
    return parts->count ? parts->list[rank % parts->count].bytes : command->bytes;
}

/* Sends so much to one and receives from another at the same time. */
static inline void fth_sim_exchange(struct fth_sim_activity *activity, uint32_t to, uint32_t from,
                                    uint64_t bytes, uint32_t tag)
{
    fth_sim_send(activity, to, bytes + FTH_SIM_HEADER, tag, FTH_SIM_MESSAGE);
    fth_sim_receive(activity, from, tag, FTH_SIM_MESSAGE);
}

/* Another command with the same root and communicator, by a method of this name. */
static inline void fth_sim_call_named(struct fth_sim_activity *activity, enum fth_sim_verb verb,
                                      const char *method, uint64_t bytes)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.verb = verb;
    part.bytes = bytes;
    fth_sim_call_by(activity, &part, fth_sim_method(verb, method));
}

#endif
