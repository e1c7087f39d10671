/* Methods chosen by the sizes of messages and groups, at the limits that MPICH has had since 1.2
 * (Thakur, Rabenseifner and Gropp 2005, section 4). */
#include "sim/world/binomial_tree.h"

enum { KI = 1024 };

static bool is_power(uint32_t count)
{
    return !(count & (count - 1));
}

static const char *choose_broadcast(uint64_t bytes, uint32_t count)
{
    if (bytes < 12 * KI || count < 8)
        return "BinaryTreeInTurn";
    return bytes < 512 * KI && is_power(count) ? "ScatterDoubling" : "ScatterRing";
}

static const char *choose_reduce(uint64_t bytes, uint32_t count)
{
    return bytes <= 2 * KI || count < 4 ? "BinaryTree" : "HalvingGather";
}

static const char *choose_allreduce(uint64_t bytes, uint32_t count)
{
    return bytes <= 2 * KI || count < 4 ? "Doubling" : "HalvingDoubling";
}

static const char *choose_allgather(uint64_t bytes, uint32_t count)
{
    uint64_t all = bytes * count;
    if (all < 512 * KI && is_power(count))
        return "Doubling";
    return all < 80 * KI ? "Bruck" : "Ring";
}

static const char *choose_alltoall(uint64_t bytes, uint32_t count)
{
    if (bytes <= 256 && count >= 8)
        return "Bruck";
    return bytes <= 32 * KI ? "Direct" : "Pairwise";
}

static const char *choose_reduce_scatter(uint64_t bytes, uint32_t count)
{
    return bytes * count < 512 * KI ? "Halving" : "Pairwise";
}

#define TUNED(name, verb)                                                                          \
    static int tuned_##name(struct fth_sim_activity *activity, int step)                           \
    {                                                                                              \
        uint64_t bytes = fth_sim_command(activity)->bytes;                                         \
        (void)step;                                                                                \
        fth_sim_call_named(activity, verb, choose_##name(bytes, fth_sim_ranks(activity)), bytes);  \
        return FTH_SIM_OVER;                                                                       \
    }
TUNED(broadcast, FTH_SIM_BCAST)
TUNED(reduce, FTH_SIM_REDUCE)
TUNED(allreduce, FTH_SIM_ALLREDUCE)
TUNED(allgather, FTH_SIM_ALLGATHER)
TUNED(alltoall, FTH_SIM_ALLTOALL)
TUNED(reduce_scatter, FTH_SIM_REDUCE_SCATTER)

const struct fth_sim_method fth_sim_tuned[] = {
    {FTH_SIM_BCAST, "Tuned", tuned_broadcast, NULL},
    {FTH_SIM_REDUCE, "Tuned", tuned_reduce, NULL},
    {FTH_SIM_ALLREDUCE, "Tuned", tuned_allreduce, NULL},
    {FTH_SIM_ALLGATHER, "Tuned", tuned_allgather, NULL},
    {FTH_SIM_ALLTOALL, "Tuned", tuned_alltoall, NULL},
    {FTH_SIM_REDUCE_SCATTER, "Tuned", tuned_reduce_scatter, NULL},
    {0, NULL, NULL, NULL},
};
