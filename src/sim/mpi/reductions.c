/* Reductions by halving and doubling: in each round members exchange with one at a distance that is
 * a power of two (Thakur, Rabenseifner and Gropp 2005). */
#include "sim/world/binomial_tree.h"

enum { TAG = 9 };

/* What all of them are given: where the activity stands among the members that stay, and how to
 * reach the others. */
struct round {
    struct fth_sim_activity *activity;
    struct fth_sim_fold fold;
    uint32_t place;
};

static struct round find_round(struct fth_sim_activity *activity)
{
    uint32_t place = fth_sim_place(activity, fth_sim_rank(activity));
    return (struct round){activity, fth_sim_fold(place, fth_sim_ranks(activity)), place};
}

static uint32_t member(const struct round *round, uint32_t number)
{
    return fth_sim_place(round->activity, fth_sim_unfold(&round->fold, number));
}

/* Those who stand aside give `bytes` to their partners, or get that back. */
static void pair(const struct round *round, uint64_t bytes, bool back)
{
    if (!round->fold.is_paired)
        return;
    bool is_aside = round->fold.is_aside;
    uint32_t partner =
        fth_sim_place(round->activity, is_aside ? round->place - 1 : round->place + 1);
    if (is_aside != back) {
        fth_sim_send(round->activity, partner, bytes + FTH_SIM_HEADER, TAG, FTH_SIM_MESSAGE);
        return;
    }
    fth_sim_receive(round->activity, partner, TAG, FTH_SIM_MESSAGE);
    if (!back)
        fth_sim_reduce(round->activity, bytes);
}

static void swap_with(const struct round *round, uint32_t distance, uint64_t bytes)
{
    uint32_t partner = member(round, round->fold.number ^ distance);
    fth_sim_exchange(round->activity, partner, partner, bytes, TAG);
}

/* Halves are exchanged and reduced, with the neighbour first, until each has a part of the result.
 * Then the parts are brought to the root: two that lie next to each other together, which those
 * farthest apart have (`is_back`, the way of the halves back, as MPICH does it); or over a binomial
 * tree, neighbours first, as Kunkel (2013) models it. */
static int reduce_by_halves(struct fth_sim_activity *activity, int step, bool is_back)
{
    struct round round = find_round(activity);
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint32_t rounds = round.fold.rounds, turn = (uint32_t)step - 1;
    if (!rounds)
        return FTH_SIM_OVER;
    if (step == 0) {
        pair(&round, bytes, false);
        return round.fold.is_aside ? FTH_SIM_OVER : 1;
    }
    if (turn < rounds) {
        swap_with(&round, (uint32_t)1 << turn, bytes >> (turn + 1));
        fth_sim_reduce(activity, bytes >> (turn + 1));
        return step + 1;
    }
    uint32_t level = turn - rounds, number = round.fold.number;
    uint32_t distance = is_back ? round.fold.power >> (level + 1) : (uint32_t)1 << level;
    if (number & distance) {
        uint64_t parts = (uint64_t)1 << level;
        fth_sim_send(activity, member(&round, number - distance),
                     bytes / round.fold.power * parts + FTH_SIM_HEADER, TAG, FTH_SIM_MESSAGE);
        return FTH_SIM_OVER;
    }
    fth_sim_receive(activity, member(&round, number + distance), TAG, FTH_SIM_MESSAGE);
    return turn + 1 < 2 * rounds ? step + 1 : FTH_SIM_OVER;
}

static int reduce_halving(struct fth_sim_activity *activity, int step)
{
    return reduce_by_halves(activity, step, true);
}
static int reduce_halving_tree(struct fth_sim_activity *activity, int step)
{
    return reduce_by_halves(activity, step, false);
}

/* Rounds between the two in which those who stand aside give and get: `size` says how much is
 * exchanged at which distance. In the first ones, `reducing`, that is reduced. */
static int in_rounds(struct fth_sim_activity *activity, int step, uint32_t rounds,
                     uint32_t reducing, uint64_t given, uint64_t back,
                     uint64_t (*size)(const struct round *, uint32_t, uint32_t *))
{
    struct round round = find_round(activity);
    uint32_t turn = (uint32_t)step - 1;
    if (!round.fold.rounds)
        return FTH_SIM_OVER;
    if (step == 0) {
        pair(&round, given, false);
        return round.fold.is_aside ? (int)rounds + 1 : 1;
    }
    if (turn < rounds) {
        uint32_t distance;
        uint64_t bytes = size(&round, turn, &distance);
        swap_with(&round, distance, bytes);
        if (turn < reducing)
            fth_sim_reduce(activity, bytes);
        return turn + 1 < rounds || round.fold.is_paired ? step + 1 : FTH_SIM_OVER;
    }
    pair(&round, back, true);
    return FTH_SIM_OVER;
}

static uint64_t size_doubling(const struct round *round, uint32_t turn, uint32_t *distance)
{
    *distance = (uint32_t)1 << turn;
    return fth_sim_command(round->activity)->bytes;
}

/* Everybody exchanges everything, with somebody farther away in each round. */
static int allreduce_doubling(struct fth_sim_activity *activity, int step)
{
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint32_t rounds = find_round(activity).fold.rounds;
    return in_rounds(activity, step, rounds, rounds, bytes, bytes, size_doubling);
}

static uint64_t size_there_and_back(const struct round *round, uint32_t turn, uint32_t *distance)
{
    uint32_t rounds = round->fold.rounds;
    uint32_t half = turn < rounds ? turn + 1 : 2 * rounds - turn;
    *distance = (uint32_t)1 << (half - 1);
    return fth_sim_command(round->activity)->bytes >> half;
}

/* Halves are exchanged, with the neighbour first, until each has a part of the result; the same way
 * back, until all have everything. */
static int allreduce_halving(struct fth_sim_activity *activity, int step)
{
    uint64_t bytes = fth_sim_command(activity)->bytes;
    uint32_t rounds = find_round(activity).fold.rounds;
    return in_rounds(activity, step, 2 * rounds, rounds, bytes, bytes, size_there_and_back);
}

static uint64_t size_halving(const struct round *round, uint32_t turn, uint32_t *distance)
{
    *distance = round->fold.power >> (turn + 1);
    return fth_sim_command(round->activity)->bytes * fth_sim_ranks(round->activity) >> (turn + 1);
}

static uint64_t size_halving_near(const struct round *round, uint32_t turn, uint32_t *distance)
{
    uint64_t bytes = size_halving(round, turn, distance);
    *distance = (uint32_t)1 << turn;
    return bytes;
}

/* Bytes of all parts that a member has a share in after a round with one at that distance. */
static uint64_t share_of(const struct round *round, uint32_t number, uint32_t distance, bool near)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < round->fold.power; i++) {
        bool is_shared =
            near ? !((i ^ number) & (2 * distance - 1)) : i / distance == number / distance;
        if (!is_shared)
            continue;
        uint32_t place = fth_sim_unfold(&round->fold, i);
        bytes += fth_sim_part_of(round->activity, place);
        if (i < round->fold.rest)
            bytes += fth_sim_part_of(round->activity, place + 1);
    }
    return bytes;
}

/* The same when each rank has a part of its own size. */
static int scatter_unequal(struct fth_sim_activity *activity, int step, bool near)
{
    struct round round = find_round(activity);
    uint32_t rounds = round.fold.rounds, turn = (uint32_t)step - 1, number = round.fold.number;
    if (!rounds)
        return FTH_SIM_OVER;
    if (step == 0) {
        uint64_t all = 0;
        for (uint32_t i = 0; i < fth_sim_ranks(activity); i++)
            all += fth_sim_part_of(activity, i);
        pair(&round, all, false);
        return round.fold.is_aside ? (int)rounds + 1 : 1;
    }
    if (turn < rounds) {
        uint32_t distance = near ? (uint32_t)1 << turn : round.fold.power >> (turn + 1);
        uint32_t partner = number ^ distance;
        fth_sim_exchange(activity, member(&round, partner), member(&round, partner),
                         share_of(&round, partner, distance, near), TAG);
        fth_sim_reduce(activity, share_of(&round, number, distance, near));
        return turn + 1 < rounds || round.fold.is_paired ? step + 1 : FTH_SIM_OVER;
    }
    pair(&round, fth_sim_part_of(activity, round.fold.is_aside ? round.place : round.place + 1),
         true);
    return FTH_SIM_OVER;
}

/* Halves are exchanged until each has its part of the result: with the farthest first, so that
 * parts that lie next to each other stay together; or with the neighbour, as Kunkel (2013) models
 * it. */
static int reduce_scatter_halving(struct fth_sim_activity *activity, int step)
{
    uint64_t bytes = fth_sim_command(activity)->bytes;
    if (fth_sim_command(activity)->ranges.count)
        return scatter_unequal(activity, step, false);
    uint32_t rounds = find_round(activity).fold.rounds;
    return in_rounds(activity, step, rounds, rounds, bytes * fth_sim_ranks(activity), bytes,
                     size_halving);
}
static int reduce_scatter_halving_near(struct fth_sim_activity *activity, int step)
{
    uint64_t bytes = fth_sim_command(activity)->bytes;
    if (fth_sim_command(activity)->ranges.count)
        return scatter_unequal(activity, step, true);
    uint32_t rounds = find_round(activity).fold.rounds;
    return in_rounds(activity, step, rounds, rounds, bytes * fth_sim_ranks(activity), bytes,
                     size_halving_near);
}

const struct fth_sim_method fth_sim_reductions[] = {
    {FTH_SIM_REDUCE, "HalvingGather", reduce_halving, NULL},
    {FTH_SIM_REDUCE, "HalvingTree", reduce_halving_tree, NULL},
    {FTH_SIM_ALLREDUCE, "Doubling", allreduce_doubling, NULL},
    {FTH_SIM_ALLREDUCE, "HalvingDoubling", allreduce_halving, NULL},
    {FTH_SIM_REDUCE_SCATTER, "Halving", reduce_scatter_halving, NULL},
    {FTH_SIM_REDUCE_SCATTER, "HalvingNear", reduce_scatter_halving_near, NULL},
    {0, NULL, NULL, NULL},
};
