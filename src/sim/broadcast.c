/* Ways to broadcast. Ranks are counted so that the root is 0: it changes places with rank 0. */
#include "sim/method.h"

/* What collectives add to each message. */
enum { HEADER = 20 };
enum { TAG_READY = 5, TAG_DATA = 30 };

/* From a rank to its place, and back. */
static uint32_t place(const struct fth_sim_activity *activity, uint32_t rank)
{
    uint32_t root = fth_sim_command(activity)->root;
    return rank == root ? 0 : rank == 0 ? root : rank;
}

/* The distances to the children of a place in a binomial tree are the powers of two from `first` down to 1. */
static uint32_t first_child(uint32_t at, uint32_t count)
{
    uint32_t distance = 1;
    if (at)
        return (at & -at) >> 1;
    while (distance < count)
        distance *= 2;
    return distance / 2;
}

static uint32_t parent_of(uint32_t at)
{
    return at & (at - 1);
}

/* Each rank says when it is there; who has got everything sends it to all children at the same time. */
static int binary_tree(struct fth_sim_activity *activity, int step)
{
    enum { START, CHILDREN, DATA, SEND, LAST };
    uint32_t count = fth_sim_ranks(activity), at = place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes + HEADER;
    uint32_t parent = place(activity, parent_of(at));
    switch (step) {
    case START:
        if (count == 1)
            return FTH_SIM_OVER;
        if (at)
            fth_sim_send(activity, parent, HEADER, TAG_READY, FTH_SIM_MESSAGE);
        return CHILDREN;
    case CHILDREN:
        for (uint32_t i = first_child(at, count); i; i /= 2)
            if (at + i < count)
                fth_sim_receive(activity, place(activity, at + i), TAG_READY, FTH_SIM_MESSAGE);
        return at ? DATA : SEND;
    case DATA:
        fth_sim_receive(activity, parent, TAG_DATA, FTH_SIM_MESSAGE);
        return SEND;
    case SEND:
        for (uint32_t i = first_child(at, count); i; i /= 2)
            if (at + i < count)
                fth_sim_send(activity, place(activity, at + i), bytes, TAG_DATA, FTH_SIM_MESSAGE);
        return LAST;
    default:
        return FTH_SIM_OVER;
    }
}

const struct fth_sim_method fth_sim_broadcasts[] = {
    {FTH_SIM_BCAST, "BinaryTree", binary_tree, NULL},
    {0, NULL, NULL, NULL},
};
