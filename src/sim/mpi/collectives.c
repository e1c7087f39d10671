/* Collective commands in the simple ways: all with one process, over trees, round a ring. */
#include "sim/world/binomial_tree.h"

enum { HEADER = FTH_SIM_HEADER, TAG = 7, TAG_READY };

/* Everybody to rank 0, rank 0 to everybody. */
static int barrier_direct(struct fth_sim_activity *activity, int step)
{
    enum { START, RELEASE };
    uint32_t count = fth_sim_ranks(activity);
    if (count == 1)
        return FTH_SIM_OVER;
    if (fth_sim_rank(activity)) {
        fth_sim_send(activity, 0, HEADER, TAG, FTH_SIM_MESSAGE);
        fth_sim_receive(activity, 0, TAG, FTH_SIM_MESSAGE);
        return FTH_SIM_OVER;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (step == START)
            fth_sim_receive(activity, i, TAG, FTH_SIM_MESSAGE);
        else
            fth_sim_send(activity, i, HEADER, TAG, FTH_SIM_MESSAGE);
    }
    return step == START ? RELEASE : FTH_SIM_OVER;
}

/* In round k each rank hears from the one 2^k before it, and so of 2^(k+1) (Hensgen, Finkel and
 * Manber 1988); or, backwards, from the one 2^k behind it, as Kunkel (2013) models it. */
static int disseminate(struct fth_sim_activity *activity, int step, bool backwards)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint64_t distance = (uint64_t)1 << step;
    if (distance >= count)
        return FTH_SIM_OVER;
    uint32_t behind = (uint32_t)((rank + distance) % count);
    uint32_t before = (uint32_t)((rank + count - distance) % count);
    fth_sim_send(activity, backwards ? before : behind, HEADER, TAG + (uint32_t)step,
                 FTH_SIM_MESSAGE);
    fth_sim_receive(activity, backwards ? behind : before, TAG + (uint32_t)step, FTH_SIM_MESSAGE);
    return step + 1;
}

static int barrier_dissemination(struct fth_sim_activity *activity, int step)
{
    return disseminate(activity, step, false);
}
static int barrier_dissemination_back(struct fth_sim_activity *activity, int step)
{
    return disseminate(activity, step, true);
}

/* Up a binomial tree and down again. */
static int barrier_tree(struct fth_sim_activity *activity, int step)
{
    enum { START, PARENT, CHILDREN };
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    if (step == PARENT) {
        uint32_t parent = fth_sim_place(activity, fth_sim_parent(at));
        fth_sim_exchange(activity, parent, parent, 0, TAG);
        return CHILDREN;
    }
    for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2) {
        if (at + i >= count)
            continue;
        uint32_t child = fth_sim_place(activity, at + i);
        if (step == START)
            fth_sim_receive(activity, child, TAG, FTH_SIM_MESSAGE);
        else
            fth_sim_send(activity, child, HEADER, TAG, FTH_SIM_MESSAGE);
    }
    return step == CHILDREN ? FTH_SIM_OVER : at ? PARENT : CHILDREN;
}

/* The root talks with everybody at once: it collects `bytes` of each, or hands them out. */
static int with_root(struct fth_sim_activity *activity, bool collects)
{
    uint32_t count = fth_sim_ranks(activity), root = fth_sim_command(activity)->root;
    uint64_t bytes = fth_sim_command(activity)->bytes + HEADER;
    bool is_root = fth_sim_rank(activity) == root;
    for (uint32_t i = is_root ? 0 : root; i < (is_root ? count : root + 1); i++) {
        if (is_root && i == root)
            continue;
        if (is_root == collects)
            fth_sim_receive(activity, i, TAG, FTH_SIM_MESSAGE);
        else
            fth_sim_send(activity, i, bytes, TAG, FTH_SIM_MESSAGE);
    }
    return FTH_SIM_OVER;
}

static int collect_direct(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return with_root(activity, true);
}

static int reduce_direct(struct fth_sim_activity *activity, int step)
{
    (void)step;
    if (fth_sim_rank(activity) == fth_sim_command(activity)->root)
        for (uint32_t i = 1; i < fth_sim_ranks(activity); i++)
            fth_sim_reduce(activity, fth_sim_command(activity)->bytes);
    return with_root(activity, true);
}

static int hand_out_direct(struct fth_sim_activity *activity, int step)
{
    (void)step;
    return with_root(activity, false);
}

/* Up a binomial tree: a rank has what its children have before it goes on. `grows`: parts are kept
 * apart, so that more is sent the nearer the root is; else they are reduced. */
static int up_the_tree(struct fth_sim_activity *activity, int step, bool grows)
{
    enum { START, PARENT };
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint64_t bytes = fth_sim_command(activity)->bytes;
    if (step == START) {
        for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2) {
            if (at + i >= count)
                continue;
            fth_sim_receive(activity, fth_sim_place(activity, at + i), TAG, FTH_SIM_MESSAGE);
            if (!grows)
                fth_sim_reduce(activity, bytes);
        }
        return PARENT;
    }
    if (at)
        fth_sim_send(activity, fth_sim_place(activity, fth_sim_parent(at)),
                     (grows ? bytes * fth_sim_subtree(at, count) : bytes) + HEADER, TAG,
                     FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

static int reduce_tree(struct fth_sim_activity *activity, int step)
{
    return up_the_tree(activity, step, false);
}

static int gather_tree(struct fth_sim_activity *activity, int step)
{
    return up_the_tree(activity, step, true);
}

/* Down a binomial tree: each child gets what is for its subtree. */
static int scatter_tree(struct fth_sim_activity *activity, int step)
{
    enum { START, CHILDREN };
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    if (step == START && at) {
        fth_sim_receive(activity, fth_sim_place(activity, fth_sim_parent(at)), TAG,
                        FTH_SIM_MESSAGE);
        return CHILDREN;
    }
    for (uint32_t i = fth_sim_first_child(at, count); i; i /= 2)
        if (at + i < count)
            fth_sim_send(activity, fth_sim_place(activity, at + i),
                         fth_sim_command(activity)->bytes * fth_sim_subtree(at + i, count) + HEADER,
                         TAG, FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

/* The same, one child after the other, the one with the largest subtree first. */
static int scatter_in_turn(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    if (at && step == 0) {
        fth_sim_receive(activity, fth_sim_place(activity, fth_sim_parent(at)), TAG,
                        FTH_SIM_MESSAGE);
        return 1;
    }
    uint32_t distance = fth_sim_first_child(at, count);
    while (distance && at + distance >= count)
        distance /= 2;
    distance >>= at ? step - 1 : step;
    if (!distance)
        return FTH_SIM_OVER;
    fth_sim_send(activity, fth_sim_place(activity, at + distance),
                 fth_sim_command(activity)->bytes * fth_sim_subtree(at + distance, count) + HEADER,
                 TAG, FTH_SIM_MESSAGE);
    return step + 1;
}

/* The same, to children that have said that they are there; one is asked while the one before it
 * gets its part. */
static int scatter_ready(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), at = fth_sim_place(activity, fth_sim_rank(activity));
    uint32_t largest = fth_sim_first_child(at, count);
    while (largest && at + largest >= count)
        largest /= 2;
    if (at && step == 0) {
        uint32_t parent = fth_sim_place(activity, fth_sim_parent(at));
        fth_sim_send(activity, parent, HEADER, TAG_READY, FTH_SIM_MESSAGE);
        fth_sim_receive(activity, parent, TAG, FTH_SIM_MESSAGE);
        return largest ? 1 : FTH_SIM_OVER;
    }
    int child = at ? step - 1 : step;
    uint32_t asked = largest >> child, served = child ? largest >> (child - 1) : 0;
    if (asked)
        fth_sim_receive(activity, fth_sim_place(activity, at + asked), TAG_READY, FTH_SIM_MESSAGE);
    if (served)
        fth_sim_send(activity, fth_sim_place(activity, at + served),
                     fth_sim_command(activity)->bytes * fth_sim_subtree(at + served, count) +
                         HEADER,
                     TAG, FTH_SIM_MESSAGE);
    return asked ? step + 1 : FTH_SIM_OVER;
}

/* Who hands out on a node: the root on its own one, elsewhere the first rank. */
static uint32_t leader_of(const struct fth_sim_activity *activity, uint32_t rank)
{
    uint32_t root = fth_sim_command(activity)->root, leader = 0;
    if (fth_sim_are_on_one_node(activity, rank, root))
        return root;
    while (!fth_sim_are_on_one_node(activity, leader, rank))
        leader++;
    return leader;
}

/* In two levels: one rank of each node gets what is for all of it, and hands that out. */
static int scatter_by_nodes(struct fth_sim_activity *activity, int step)
{
    enum { START, HAND_OUT };
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint32_t root = fth_sim_command(activity)->root, leader = leader_of(activity, rank);
    uint64_t bytes = fth_sim_command(activity)->bytes;
    if (step == START && rank != root) {
        fth_sim_receive(activity, rank == leader ? root : leader, TAG, FTH_SIM_MESSAGE);
        return rank == leader ? HAND_OUT : FTH_SIM_OVER;
    }
    for (uint32_t i = 0; rank == root && i < count; i++) {
        uint32_t parts = 0;
        if (i == root || leader_of(activity, i) != i)
            continue;
        for (uint32_t j = i; j < count; j++)
            parts += fth_sim_are_on_one_node(activity, i, j);
        fth_sim_send(activity, i, bytes * parts + HEADER, TAG, FTH_SIM_MESSAGE);
    }
    for (uint32_t i = 0; i < count; i++)
        if (i != rank && fth_sim_are_on_one_node(activity, i, rank))
            fth_sim_send(activity, i, bytes + HEADER, TAG, FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

/* In each of p - 1 steps the part that came last goes on to the right. */
static int allgather_ring(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    if ((uint32_t)step + 1 >= count)
        return FTH_SIM_OVER;
    fth_sim_send(activity, (rank + 1) % count, fth_sim_command(activity)->bytes + HEADER, TAG,
                 FTH_SIM_MESSAGE);
    fth_sim_receive(activity, (rank + count - 1) % count, TAG, FTH_SIM_MESSAGE);
    return step + 1;
}

/* Two commands, one after the other. */
static int in_two(struct fth_sim_activity *activity, int step, enum fth_sim_verb first,
                  enum fth_sim_verb second, uint64_t second_bytes)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.root = 0;
    part.verb = step ? second : first;
    if (step)
        part.bytes = second_bytes;
    fth_sim_call(activity, &part);
    return step ? FTH_SIM_OVER : 1;
}

static int allreduce(struct fth_sim_activity *activity, int step)
{
    return in_two(activity, step, FTH_SIM_REDUCE, FTH_SIM_BCAST, fth_sim_command(activity)->bytes);
}

/* Rank 0 notifies all that it is ready, gets what they have, and sends the result to each (Kunkel
 * 2013, figure 5.13). */
static int allreduce_direct(struct fth_sim_activity *activity, int step)
{
    enum { READY, COLLECT, RESULT };
    uint32_t count = fth_sim_ranks(activity);
    uint64_t bytes = fth_sim_command(activity)->bytes;
    if (fth_sim_rank(activity)) {
        if (step == READY)
            fth_sim_receive(activity, 0, TAG, FTH_SIM_MESSAGE);
        else
            fth_sim_exchange(activity, 0, 0, bytes, TAG + 1);
        return step == READY ? COLLECT : FTH_SIM_OVER;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (step == COLLECT) {
            fth_sim_receive(activity, i, TAG + 1, FTH_SIM_MESSAGE);
            fth_sim_reduce(activity, bytes);
        } else {
            fth_sim_send(activity, i, step == READY ? HEADER : bytes + HEADER,
                         step == READY ? TAG : TAG + 1, FTH_SIM_MESSAGE);
        }
    }
    return step == RESULT ? FTH_SIM_OVER : step + 1;
}

static int reduce_scatter_in_two(struct fth_sim_activity *activity, int step)
{
    struct fth_sim_command part = *fth_sim_command(activity);
    part.root = 0;
    part.verb = step ? FTH_SIM_SCATTER : FTH_SIM_REDUCE;
    part.ranges = (struct fth_sim_ranges){0};
    if (!step)
        part.bytes *= fth_sim_ranks(activity);
    fth_sim_call(activity, &part);
    return step ? FTH_SIM_OVER : 1;
}

/* From rank to rank: each hands on what it has with its own added. */
static int scan_linear(struct fth_sim_activity *activity, int step)
{
    enum { START, SEND };
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    if (step == START && rank) {
        fth_sim_receive(activity, rank - 1, TAG, FTH_SIM_MESSAGE);
        fth_sim_reduce(activity, fth_sim_command(activity)->bytes);
        return SEND;
    }
    if (rank + 1 < count)
        fth_sim_send(activity, rank + 1, fth_sim_command(activity)->bytes + HEADER, TAG,
                     FTH_SIM_MESSAGE);
    return FTH_SIM_OVER;
}

static int allgather_in_two(struct fth_sim_activity *activity, int step)
{
    return in_two(activity, step, FTH_SIM_GATHER, FTH_SIM_BCAST,
                  fth_sim_command(activity)->bytes * fth_sim_ranks(activity));
}

const struct fth_sim_method fth_sim_collectives[] = {
    {FTH_SIM_BARRIER, "Dissemination", barrier_dissemination, NULL},
    {FTH_SIM_BARRIER, "DisseminationBack", barrier_dissemination_back, NULL},
    {FTH_SIM_BARRIER, "BinaryTree", barrier_tree, NULL},
    {FTH_SIM_BARRIER, "Direct", barrier_direct, NULL},
    {FTH_SIM_REDUCE, "BinaryTree", reduce_tree, NULL},
    {FTH_SIM_REDUCE, "Direct", reduce_direct, NULL},
    {FTH_SIM_ALLREDUCE, "ReduceBroadcast", allreduce, NULL},
    {FTH_SIM_ALLREDUCE, "Direct", allreduce_direct, NULL},
    {FTH_SIM_GATHER, "BinaryTree", gather_tree, NULL},
    {FTH_SIM_GATHER, "Direct", collect_direct, NULL},
    {FTH_SIM_SCATTER, "BinaryTree", scatter_tree, NULL},
    {FTH_SIM_SCATTER, "BinaryTreeInTurn", scatter_in_turn, NULL},
    {FTH_SIM_SCATTER, "BinaryTreeReady", scatter_ready, NULL},
    {FTH_SIM_SCATTER, "Direct", hand_out_direct, NULL},
    {FTH_SIM_SCATTER, "Hierarchical", scatter_by_nodes, NULL},
    {FTH_SIM_ALLGATHER, "Ring", allgather_ring, NULL},
    {FTH_SIM_ALLGATHER, "GatherBroadcast", allgather_in_two, NULL},
    {FTH_SIM_REDUCE_SCATTER, "ReduceScatter", reduce_scatter_in_two, NULL},
    {FTH_SIM_SCAN, "Linear", scan_linear, NULL},
    {FTH_SIM_EXSCAN, "Linear", scan_linear, NULL},
    {0, NULL, NULL, NULL},
};
