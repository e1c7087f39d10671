/* Ways to broadcast. Ranks are counted so that the root is 0: it changes places with rank 0. */
#include "sim/world/binomial_tree.h"

/* What collectives add to each message. */
enum { HEADER = FTH_SIM_HEADER, TAG_READY = 5, TAG_DATA = 30 };

/* Who has got everything sends it to all children at the same time; above the eager limit when they
 * have said that they are there. */
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
        if (fth_sim_command(activity)->bytes <= fth_sim_eager(activity))
            return at ? DATA : SEND;
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

/* The same tree; a rank sends to its children one after the other, and nobody says that he is
 * there. */
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

/* The root sends to all ranks at the same time; nothing is added to these messages (Kunkel
 * 2013). */
static int direct(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes;
    (void)step;
    if (at)
        fth_sim_receive(activity, fth_sim_command(activity)->root, TAG_DATA, FTH_SIM_MESSAGE);
    for (uint32_t i = 1; !at && i < count; i++)
        fth_sim_send(activity, fth_sim_place(activity, i), bytes, TAG_DATA, FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

/* The root sends to one rank after the other. */
static int direct_in_turn(struct fth_sim_activity *activity, int step)
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

/* Blocks go along a chain; only the first one goes before the next rank has said that it is there
 * (Kunkel 2013, listing 6.9). */
struct chain {
    uint32_t at, before, behind;
    bool is_last;
};

static int in_blocks(struct fth_sim_activity *activity, int step, uint64_t block,
                     const struct chain *chain)
{
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint64_t blocks = bytes ? (bytes - 1) / block + 1 : 1, number = (uint64_t)step;
    if (fth_sim_ranks(activity) == 1)
        return FTH_SIM_OVER;
    if (chain->at && number < blocks)
        fth_sim_receive(activity, chain->before, TAG_DATA, FTH_SIM_MESSAGE);
    if (chain->at && !number)
        fth_sim_send(activity, chain->before, HEADER, TAG_READY, FTH_SIM_MESSAGE);
    if (!chain->is_last && !number)
        fth_sim_receive(activity, chain->behind, TAG_READY, FTH_SIM_MESSAGE);
    /* Ranks between the ends send on what they got in the step before. */
    uint64_t sends = chain->at ? number - 1 : number;
    if (!chain->is_last && (!chain->at || number)) {
        uint64_t left = bytes - sends * block;
        fth_sim_send(activity, chain->behind, (left < block ? left : block) + HEADER, TAG_DATA,
                     FTH_SIM_MESSAGE);
    }
    uint64_t steps = chain->at && !chain->is_last ? blocks + 1 : blocks;
    return number + 1 < steps ? step + 1 : FTH_SIM_OVER;
}

enum { LARGE_BLOCK = 1 << 20, SMALL_BLOCK = 512 };

/* Along the ranks. */
static int by_rank(struct fth_sim_activity *activity, int step, uint64_t block)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    struct chain chain = {.at = at, .is_last = at + 1 == count};
    chain.before = at ? fth_sim_place(activity, at - 1) : 0;
    chain.behind = chain.is_last ? 0 : fth_sim_place(activity, at + 1);
    return in_blocks(activity, step, block, &chain);
}

/* Along the nodes, so that a node is entered and left once. The chain is looked up once. */
static int by_node(struct fth_sim_activity *activity, int step, uint64_t block)
{
    enum { BEFORE, BEHIND };
    uint32_t count = fth_sim_ranks(activity);
    uint64_t *state = fth_sim_state(activity);
    if (!step) {
        uint32_t at = fth_sim_chain_place(activity, fth_sim_rank(activity));
        state[BEFORE] = (uint64_t)at << 32 | (at ? fth_sim_chain_rank(activity, at - 1) : 0);
        state[BEHIND] = at + 1 < count ? fth_sim_chain_rank(activity, at + 1) : 0;
    }
    uint32_t at = (uint32_t)(state[BEFORE] >> 32);
    struct chain chain = {at, (uint32_t)state[BEFORE], (uint32_t)state[BEHIND], at + 1 == count};
    return in_blocks(activity, step, block, &chain);
}

static int pipelined(struct fth_sim_activity *activity, int step)
{
    return by_rank(activity, step, LARGE_BLOCK);
}
static int pipelined_512(struct fth_sim_activity *activity, int step)
{
    return by_rank(activity, step, SMALL_BLOCK);
}
static int pipelined_smp(struct fth_sim_activity *activity, int step)
{
    return by_node(activity, step, LARGE_BLOCK);
}
static int pipelined_smp_512(struct fth_sim_activity *activity, int step)
{
    return by_node(activity, step, SMALL_BLOCK);
}

/* Blocks go down the tree, to all children at the same time, each when it has come. */
static int binary_tree_blockwise(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint64_t blocks = bytes ? (bytes - 1) / LARGE_BLOCK + 1 : 1, number = (uint64_t)step;
    if (at && number < blocks)
        fth_sim_receive(activity, fth_sim_place(activity, fth_sim_parent(at)), TAG_DATA,
                        FTH_SIM_MESSAGE);
    if (!at || number) {
        uint64_t left = bytes - (at ? number - 1 : number) * LARGE_BLOCK;
        for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2)
            if (at + i < count)
                fth_sim_send(activity, fth_sim_place(activity, at + i),
                             (left < LARGE_BLOCK ? left : LARGE_BLOCK) + HEADER, TAG_DATA,
                             FTH_SIM_MESSAGE);
    }
    return number + 1 < blocks + (at != 0) ? step + 1 : FTH_SIM_OVER;
}

/* Each gets a part, and all exchange their parts. */
static int scatter_and_gather(struct fth_sim_activity *activity, int step, const char *scatter,
                              bool meets, const char *allgather)
{
    enum { SCATTER, BARRIER, GATHER };
    uint32_t count = fth_sim_ranks(activity);
    uint64_t part = (fth_sim_command(activity)->bytes + count - 1) / count;
    if (count == 1)
        return FTH_SIM_OVER;
    switch (step) {
    case SCATTER:
        fth_sim_call_named(activity, FTH_SIM_SCATTER, scatter, part);
        return meets ? BARRIER : GATHER;
    case BARRIER:
        fth_sim_call_named(activity, FTH_SIM_BARRIER, "Dissemination", 0);
        return GATHER;
    default:
        fth_sim_call_named(activity, FTH_SIM_ALLGATHER, allgather, part);
        return FTH_SIM_OVER;
    }
}

static int scatter_ring(struct fth_sim_activity *activity, int step)
{
    return scatter_and_gather(activity, step, "BinaryTreeInTurn", false, "Ring");
}
static int scatter_ready_ring(struct fth_sim_activity *activity, int step)
{
    return scatter_and_gather(activity, step, "BinaryTreeReady", false, "Ring");
}
static int scatter_barrier_ring(struct fth_sim_activity *activity, int step)
{
    return scatter_and_gather(activity, step, "BinaryTreeInTurn", true, "Ring");
}
static int scatter_doubling(struct fth_sim_activity *activity, int step)
{
    return scatter_and_gather(activity, step, "BinaryTreeInTurn", false, "Doubling");
}

const struct fth_sim_method fth_sim_broadcasts[] = {
    {FTH_SIM_BCAST, "BinaryTree", binary_tree, NULL},
    {FTH_SIM_BCAST, "BinaryTreeInTurn", binary_tree_in_turn, NULL},
    {FTH_SIM_BCAST, "Direct", direct, NULL},
    {FTH_SIM_BCAST, "DirectInTurn", direct_in_turn, NULL},
    {FTH_SIM_BCAST, "BinaryTreeBlockwise", binary_tree_blockwise, NULL},
    {FTH_SIM_BCAST, "Pipelined", pipelined, NULL},
    {FTH_SIM_BCAST, "Pipelined512", pipelined_512, NULL},
    {FTH_SIM_BCAST, "PipelinedSMP", pipelined_smp, NULL},
    {FTH_SIM_BCAST, "PipelinedSMP512", pipelined_smp_512, NULL},
    {FTH_SIM_BCAST, "ScatterRing", scatter_ring, NULL},
    {FTH_SIM_BCAST, "ScatterReadyRing", scatter_ready_ring, NULL},
    {FTH_SIM_BCAST, "ScatterBarrierRing", scatter_barrier_ring, NULL},
    {FTH_SIM_BCAST, "ScatterDoubling", scatter_doubling, NULL},
    {0, NULL, NULL, NULL},
};
