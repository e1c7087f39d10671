/* Collective commands in which everybody sends to everybody, or to those at growing distances
 * (Bruck et al. 1997; Thakur, Rabenseifner and Gropp 2005). */
#include "sim/io/storage.h"
#include "sim/world/binomial_tree.h"

enum { TAG = 11 };

static uint32_t behind(uint32_t rank, uint64_t distance, uint32_t count)
{
    return (uint32_t)((rank + distance) % count);
}

static uint32_t before(uint32_t rank, uint64_t distance, uint32_t count)
{
    return (uint32_t)((rank + count - distance % count) % count);
}

/* With all others at the same time. */
static int alltoall_direct(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    (void)step;
    for (uint32_t i = 1; i < count; i++)
        fth_sim_exchange(activity, behind(rank, i, count), before(rank, i, count),
                         fth_sim_command(activity)->bytes, TAG);
    return FTH_SIM_OVER;
}

/* With one after the other; what comes is reduced, or kept. */
static int in_pairs(struct fth_sim_activity *activity, int step, bool reduces)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint32_t distance = (uint32_t)step + 1;
    if (distance >= count)
        return FTH_SIM_OVER;
    uint32_t to = behind(rank, distance, count);
    fth_sim_exchange(activity, to, before(rank, distance, count),
                     reduces ? fth_sim_part_of(activity, to) : fth_sim_command(activity)->bytes,
                     TAG);
    if (reduces)
        fth_sim_reduce(activity, fth_sim_part_of(activity, rank));
    return distance + 1 < count ? step + 1 : FTH_SIM_OVER;
}

static int alltoall_pairwise(struct fth_sim_activity *activity, int step)
{
    return in_pairs(activity, step, false);
}
static int reduce_scatter_pairwise(struct fth_sim_activity *activity, int step)
{
    return in_pairs(activity, step, true);
}

/* In each round all parts whose way has this power of two in it. */
static int alltoall_bruck(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint64_t distance = (uint64_t)1 << step, rest = count % (2 * distance);
    if (distance >= count)
        return FTH_SIM_OVER;
    uint64_t parts = count / (2 * distance) * distance + (rest > distance ? rest - distance : 0);
    fth_sim_exchange(activity, behind(rank, distance, count), before(rank, distance, count),
                     fth_sim_command(activity)->bytes * parts, TAG);
    return 2 * distance < count ? step + 1 : FTH_SIM_OVER;
}

/* What each has so far goes to one at twice the distance. */
static int allgather_bruck(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint64_t distance = (uint64_t)1 << step;
    if (distance >= count)
        return FTH_SIM_OVER;
    uint64_t parts = distance < count - distance ? distance : count - distance;
    fth_sim_exchange(activity, before(rank, distance, count), behind(rank, distance, count),
                     fth_sim_command(activity)->bytes * parts, TAG);
    return 2 * distance < count ? step + 1 : FTH_SIM_OVER;
}

/* In pairs; of numbers that are no powers of two not everybody has one. */
static int allgather_doubling(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint32_t distance = (uint32_t)1 << step;
    if (count & (count - 1))
        return allgather_bruck(activity, step);
    if (distance >= count)
        return FTH_SIM_OVER;
    fth_sim_exchange(activity, rank ^ distance, rank ^ distance,
                     fth_sim_command(activity)->bytes * distance, TAG);
    return 2 * distance < count ? step + 1 : FTH_SIM_OVER;
}

static int scan_doubling(struct fth_sim_activity *activity, int step)
{
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint64_t distance = (uint64_t)1 << step;
    if (distance >= count)
        return FTH_SIM_OVER;
    if (rank + distance < count)
        fth_sim_send(activity, (uint32_t)(rank + distance),
                     fth_sim_command(activity)->bytes + FTH_SIM_HEADER, TAG, FTH_SIM_MESSAGE);
    if (rank >= distance) {
        fth_sim_receive(activity, (uint32_t)(rank - distance), TAG, FTH_SIM_MESSAGE);
        fth_sim_reduce(activity, fth_sim_command(activity)->bytes);
    }
    return 2 * distance < count ? step + 1 : FTH_SIM_OVER;
}

/* How many bytes a member wants of this rank. */
static uint64_t wanted_of(const struct fth_sim_member *member, uint32_t rank)
{
    uint64_t low = 0, high = member->ranges.count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (member->list[middle].offset < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < member->ranges.count && member->list[low].offset == rank ? member->list[low].bytes
                                                                          : 0;
}

/* With all others at the same time, as soon as all are there: only who receives says how much. */
static int alltoallv_direct(struct fth_sim_activity *activity, int step)
{
    enum { START, PARTS, LAST };
    uint32_t count = fth_sim_ranks(activity), rank = fth_sim_rank(activity);
    uint64_t *state = fth_sim_state(activity);
    struct fth_sim_meeting *meeting = (void *)(uintptr_t)state[0];
    if (step == START) {
        state[0] = (uintptr_t)fth_sim_meeting_enter(activity);
        return PARTS;
    }
    if (step == LAST) {
        fth_sim_meeting_leave(activity, meeting);
        return FTH_SIM_OVER;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t to = behind(rank, i, count), from = before(rank, i, count);
        uint64_t bytes = wanted_of(&meeting->members[to], rank);
        if (bytes)
            fth_sim_send(activity, to, bytes + FTH_SIM_HEADER, TAG, FTH_SIM_MESSAGE);
        if (wanted_of(&meeting->members[rank], from))
            fth_sim_receive(activity, from, TAG, FTH_SIM_MESSAGE);
    }
    return LAST;
}

/* With all of them at the same time. */
static int neighbours_direct(struct fth_sim_activity *activity, int step)
{
    const struct fth_sim_command *command = fth_sim_command(activity);
    struct fth_sim_command part = *command;
    (void)step;
    part.tag = part.from_tag = TAG;
    for (uint64_t i = 0; i < command->ranges.count; i++) {
        struct fth_sim_extent one = fth_sim_range(&command->ranges, i);
        part.verb = one.bytes == FTH_SIM_COMES ? FTH_SIM_RECV : FTH_SIM_SEND;
        part.to = part.from = (uint32_t)one.offset;
        part.bytes = one.bytes;
        fth_sim_call(activity, &part);
    }
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_exchanges[] = {
    {FTH_SIM_ALLGATHER, "Bruck", allgather_bruck, NULL},
    {FTH_SIM_ALLGATHER, "Doubling", allgather_doubling, NULL},
    {FTH_SIM_ALLTOALL, "Pairwise", alltoall_pairwise, NULL},
    {FTH_SIM_ALLTOALL, "Direct", alltoall_direct, NULL},
    {FTH_SIM_ALLTOALL, "Bruck", alltoall_bruck, NULL},
    {FTH_SIM_ALLTOALLV, "Direct", alltoallv_direct, NULL},
    {FTH_SIM_NEIGHBOURS, "Direct", neighbours_direct, NULL},
    {FTH_SIM_REDUCE_SCATTER, "Pairwise", reduce_scatter_pairwise, NULL},
    {FTH_SIM_SCAN, "Doubling", scan_doubling, NULL},
    {FTH_SIM_EXSCAN, "Doubling", scan_doubling, NULL},
    {0, NULL, NULL, NULL},
};
