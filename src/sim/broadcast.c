/* Ways to broadcast. Ranks are counted so that the root is 0: it changes places with rank 0. */
#include "sim/tree.h"

/* What collectives add to each message. */
enum { HEADER = FTH_SIM_HEADER, TAG_READY = 5, TAG_DATA = 30 };

/* Each rank says when it is there; who has got everything sends it to all children at the same time. */
static int binary_tree(struct fth_sim_activity *activity, int step)
{
    enum { START, CHILDREN, DATA, SEND, LAST };
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes + HEADER;
    uint32_t parent = fth_sim_place(activity, fth_sim_parent(at));
    switch (step) {
    case START:
        if (count == 1)
            return FTH_SIM_OVER;
        if (at)
            fth_sim_send(activity, parent, HEADER, TAG_READY, FTH_SIM_MESSAGE);
        return CHILDREN;
    case CHILDREN:
        for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2)
            if (at + i < count)
                fth_sim_receive(activity, fth_sim_place(activity, at + i), TAG_READY,
                                FTH_SIM_MESSAGE);
        return at ? DATA : SEND;
    case DATA:
        fth_sim_receive(activity, parent, TAG_DATA, FTH_SIM_MESSAGE);
        return SEND;
    case SEND:
        for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2)
            if (at + i < count)
                fth_sim_send(activity, fth_sim_place(activity, at + i), bytes, TAG_DATA,
                             FTH_SIM_MESSAGE);
        return LAST;
    default:
        return FTH_SIM_OVER;
    }
}

/* The same tree; a rank sends to its children one after the other, and nobody says that he is there. */
static int binary_tree_in_turn(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes + HEADER;
    uint32_t distance = fth_sim_first_child(at, count);
    int child = step;
    if (at && step == 0) {
        fth_sim_receive(activity, fth_sim_place(activity, fth_sim_parent(at)), TAG_DATA,
                        FTH_SIM_MESSAGE);
        return 1;
    }
    if (at)
        child--;
    while (distance && at + distance >= count)
        distance /= 2;
    distance >>= child;
    if (!distance)
        return FTH_SIM_OVER;
    fth_sim_send(activity, fth_sim_place(activity, at + distance), bytes, TAG_DATA,
                 FTH_SIM_MESSAGE);
    return step + 1;
}

/* The root sends to one rank after the other. */
static int direct(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes + HEADER;
    if (at) {
        fth_sim_receive(activity, fth_sim_command(activity)->root, TAG_DATA, FTH_SIM_MESSAGE);
        return FTH_SIM_OVER;
    }
    if ((uint32_t)step + 1 == count)
        return FTH_SIM_OVER;
    fth_sim_send(activity, fth_sim_place(activity, (uint32_t)step + 1), bytes, TAG_DATA,
                 FTH_SIM_MESSAGE);
    return step + 1;
}

/* Blocks of 1 MiB go from rank to rank; only the first one goes before the next rank has said that it is there (Kunkel 2013, listing 6.9). */
static int pipelined(struct fth_sim_activity *activity, int step)
{
    enum { BLOCK = 1 << 20 };
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint64_t blocks = bytes ? (bytes - 1) / BLOCK + 1 : 1, number = (uint64_t)step;
    uint32_t before = at ? fth_sim_place(activity, at - 1) : 0;
    uint32_t behind = at + 1 < count ? fth_sim_place(activity, at + 1) : 0;
    bool is_last = at + 1 == count;
    if (count == 1)
        return FTH_SIM_OVER;
    if (at && number < blocks)
        fth_sim_receive(activity, before, TAG_DATA, FTH_SIM_MESSAGE);
    if (at && !number)
        fth_sim_send(activity, before, HEADER, TAG_READY, FTH_SIM_MESSAGE);
    if (!is_last && !number)
        fth_sim_receive(activity, behind, TAG_READY, FTH_SIM_MESSAGE);
    /* Ranks between the ends send on what they got in the step before. */
    uint64_t sends = at ? number - 1 : number;
    if (!is_last && (!at || number)) {
        uint64_t left = bytes - sends * BLOCK;
        fth_sim_send(activity, behind, (left < BLOCK ? left : BLOCK) + HEADER, TAG_DATA,
                     FTH_SIM_MESSAGE);
    }
    uint64_t steps = at && !is_last ? blocks + 1 : blocks;
    return number + 1 < steps ? step + 1 : FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_broadcasts[] = {
    {FTH_SIM_BCAST, "BinaryTree", binary_tree, NULL},
    {FTH_SIM_BCAST, "BinaryTreeInTurn", binary_tree_in_turn, NULL},
    {FTH_SIM_BCAST, "Direct", direct, NULL},
    {FTH_SIM_BCAST, "Pipelined", pipelined, NULL},
    {0, NULL, NULL, NULL},
};
