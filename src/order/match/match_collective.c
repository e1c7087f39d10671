/* Who waits for whom in one collective call, by data dependence. A member that sends nothing (a
 * count of 0) is waited for by nobody, and a member that receives nothing waits for nobody. In
 * calls with a count per member, only members with a count other than 0 are ordered; the
 * receivers know the counts. */
#include "base/memory.h"
#include "order/match/match.h"

#include <stdlib.h>
#include <string.h>

struct call {
    struct fth_clocks *clocks;
    struct fth_matching *matching;
    const struct fth_group *group;
    const struct fth_order_operation **operations; /* by place; NULL: not recorded */
};

static bool gives(const struct fth_order_operation *operation, bool always)
{
    return operation && (always || (operation->flags & FTH_SYNC_GIVES));
}

static bool gets(const struct fth_order_operation *operation, bool always)
{
    return operation && (always || (operation->flags & FTH_SYNC_GETS));
}

/* ---- all ---- */

/* What the member says about who gives it something; NULL: nothing. */
static const struct fth_order_counts *counts_of(const struct call *call, uint32_t place)
{
    const struct fth_order_operation *operation = call->operations[place];
    const struct fth_order_operations *process =
        &call->matching->processes[call->group->procs[place]];
    if (!operation || !(operation->flags & FTH_SYNC_COUNTS) || operation->peer < 0 ||
        (size_t)operation->peer >= process->mpi.counts_count)
        return NULL;
    return &process->mpi.counts[operation->peer];
}

static bool is_some(const struct fth_order_counts *counts, uint32_t i)
{
    return i < counts->size && (counts->some[i / 64] >> i % 64 & 1);
}

/* Two sides of a call: who may give, and who may get. They are the same side, or have nobody in
 * common. */
struct sides {
    uint32_t from, from_end, to, to_end;
};

/* Does the member at place `to` wait for the one at `from`? For itself it need not. */
static bool waits(const struct sides *sides, const struct fth_order_counts *counts, uint32_t to,
                  uint32_t from)
{
    return from == to || is_some(counts, counts->of_members ? to - sides->to : from - sides->from);
}

/* Many wait for the same members: then for one hub, which was made for `like`. */
static bool waits_like(const struct sides *sides, const struct fth_order_counts *counts,
                       uint32_t to, const struct fth_order_counts *like, uint32_t like_to)
{
    for (uint32_t i = sides->from; like && i < sides->from_end; i++)
        if (i != to && waits(sides, counts, to, i) != waits(sides, like, like_to, i))
            return false;
    return like;
}

static void by_counts(const struct call *call, const struct sides *sides)
{
    const struct fth_order_counts *like = NULL;
    uint32_t hub = 0, like_to = 0;
    for (uint32_t to = sides->to; to < sides->to_end; to++) {
        const struct fth_order_counts *counts = counts_of(call, to);
        if (!counts)
            continue;
        if (counts->size <
            (counts->of_members ? sides->to_end - sides->to : sides->from_end - sides->from))
            call->matching->find(call->matching->context, FTH_ORDER_UNORDERED,
                                 call->group->procs[to], call->operations[to],
                                 "its sources are known for the first members only");
        if (!waits_like(sides, counts, to, like, like_to)) {
            hub = fth_clocks_hub(call->clocks, false);
            for (uint32_t from = sides->from; from < sides->from_end; from++)
                if (call->operations[from] && waits(sides, counts, to, from))
                    fth_clocks_into(call->clocks, call->operations[from]->begin);
            like = counts;
            like_to = to;
        }
        fth_clocks_out_of(call->clocks, hub, call->operations[to]->end);
    }
}

/* All at places from..from_end that give come before all at places to..to_end that get. */
static void all_to_all(const struct call *call, uint32_t from, uint32_t from_end, uint32_t to,
                       uint32_t to_end, bool always)
{
    by_counts(call, &(struct sides){from, from_end, to, to_end});
    uint32_t hub = fth_clocks_hub(call->clocks, false);
    for (uint32_t i = from; i < from_end; i++)
        if (gives(call->operations[i], always))
            fth_clocks_into(call->clocks, call->operations[i]->begin);
    for (uint32_t i = to; i < to_end; i++)
        if (gets(call->operations[i], always) && !counts_of(call, i))
            fth_clocks_out_of(call->clocks, hub, call->operations[i]->end);
}

static void with_root(const struct call *call, uint32_t root, uint32_t from, uint32_t to,
                      bool root_gives)
{
    const struct fth_order_operation *centre =
        root < call->group->size ? call->operations[root] : NULL;
    if (!centre)
        return;
    for (uint32_t i = from; i < to; i++) {
        if (i == root)
            continue;
        if (root_gives && gets(call->operations[i], false))
            fth_clocks_edge(call->clocks, centre->begin, call->operations[i]->end);
        if (!root_gives && gives(call->operations[i], false))
            fth_clocks_edge(call->clocks, call->operations[i]->begin, centre->end);
    }
}

/* The root is who says so, and all of the other side. */
static void with_root_of_two_sides(const struct call *call, bool root_gives)
{
    for (uint32_t i = 0; i < call->group->size; i++) {
        if (!call->operations[i] || call->operations[i]->peer != FTH_PEER_ROOT)
            continue;
        bool first_side = i < call->group->split;
        with_root(call, i, first_side ? call->group->split : 0,
                  first_side ? call->group->size : call->group->split, root_gives);
    }
}

static void upwards(const struct call *call)
{
    for (uint32_t i = 0; i < call->group->size; i++) {
        uint32_t hub = fth_clocks_hub(call->clocks, i > 0);
        if (i > 0 && gets(call->operations[i], false))
            fth_clocks_out_of(call->clocks, hub - 1, call->operations[i]->end);
        if (gives(call->operations[i], false))
            fth_clocks_into(call->clocks, call->operations[i]->begin);
    }
}

/* ---- topologies ---- */

/* `number`: which of its neighbours that is to it. */
static void one_neighbour(const struct call *call, uint32_t place, int64_t source, uint32_t number)
{
    const struct fth_order_counts *counts = counts_of(call, place);
    if (source < 0 || source >= call->group->size || !call->operations[source] ||
        (counts && !is_some(counts, number)))
        return;
    if (gives(call->operations[source], false) && gets(call->operations[place], false))
        fth_clocks_edge(call->clocks, call->operations[source]->begin,
                        call->operations[place]->end);
}

/* Those one step ahead and behind in each dimension. The last dimension varies fastest. */
static int64_t *cartesian_sources(const struct fth_topology *topology, uint32_t place)
{
    int64_t *sources = fth_new(2 * topology->dim_count + 1, sizeof *sources), stride = 1;
    for (size_t i = topology->dim_count; i-- > 0;) {
        int64_t dim = topology->dims[i], at = place / stride % dim;
        for (int64_t step = -1; step <= 1; step += 2) {
            int64_t to = at + step;
            if (topology->periods[i])
                to = (to + dim) % dim;
            sources[2 * i + (step > 0)] = to >= 0 && to < dim ? place + (to - at) * stride : -1;
        }
        stride *= dim;
    }
    return sources;
}

int64_t *fth_match_sources(const struct fth_topology *topology, uint32_t place, size_t *count)
{
    *count = topology->dim_count ? 2 * topology->dim_count : topology->source_count;
    if (topology->dim_count)
        return cartesian_sources(topology, place);
    int64_t *sources = fth_new(*count + 1, sizeof *sources);
    if (*count)
        memcpy(sources, topology->sources, *count * sizeof *sources);
    return sources;
}

static void all_neighbours(const struct call *call, uint32_t place,
                           const struct fth_topology *topology)
{
    size_t count;
    int64_t *sources = fth_match_sources(topology, place, &count);
    for (size_t k = 0; k < count; k++)
        one_neighbour(call, place, sources[k], (uint32_t)k);
    free(sources);
}

static void neighbours(const struct call *call)
{
    for (uint32_t i = 0; i < call->group->size; i++) {
        if (!call->operations[i])
            continue;
        const struct fth_order_operations *process =
            &call->matching->processes[call->group->procs[i]];
        const struct fth_topology *topology =
            process->mpi.members[call->group->members[i]].topology;
        if (!topology || !topology->known)
            call->matching->find(call->matching->context, FTH_ORDER_UNORDERED,
                                 call->group->procs[i], call->operations[i],
                                 "the trace does not have its neighbours");
        else if (topology->disordered && counts_of(call, i))
            call->matching->find(call->matching->context, FTH_ORDER_UNORDERED,
                                 call->group->procs[i], call->operations[i],
                                 "the order of its neighbours is unknown");
        else
            all_neighbours(call, i, topology);
    }
}

/* ---- by rule ---- */

void fth_match_collective(struct fth_matching *matching, uint32_t number,
                          const struct fth_order_operation **operations)
{
    const struct fth_group *group = &matching->groups[number];
    struct call call = {matching->clocks, matching, group, operations};
    const struct fth_order_operation *first = NULL;
    for (uint32_t i = 0; i < group->size && !first; i++)
        first = operations[i];
    bool of_two_sides = group->split != group->size;
    enum fth_order_rule rule = fth_order_rule_in(first->tag);
    if (rule == FTH_RULE_NONE && (matching->options.collectives_synchronize || matching->barriers))
        rule = FTH_RULE_BARRIER;
    if (fth_order_rule_in(first->tag) == FTH_RULE_NONE && matching->barriers)
        call.clocks = matching->barriers;
    switch (rule) {
    case FTH_RULE_NONE:
    case FTH_RULE_FENCE:
    case FTH_RULE_FREE:
        break;
    case FTH_RULE_BARRIER:
    case FTH_RULE_ALL:
        if (of_two_sides) {
            all_to_all(&call, 0, group->split, group->split, group->size, rule == FTH_RULE_BARRIER);
            all_to_all(&call, group->split, group->size, 0, group->split, rule == FTH_RULE_BARRIER);
        } else {
            all_to_all(&call, 0, group->size, 0, group->size, rule == FTH_RULE_BARRIER);
        }
        break;
    case FTH_RULE_FROM_ROOT:
    case FTH_RULE_TO_ROOT:
        if (of_two_sides)
            with_root_of_two_sides(&call, rule == FTH_RULE_FROM_ROOT);
        else
            with_root(&call, (uint32_t)first->peer, 0, group->size, rule == FTH_RULE_FROM_ROOT);
        break;
    case FTH_RULE_UPWARDS:
        upwards(&call);
        break;
    case FTH_RULE_NEIGHBOURS:
        neighbours(&call);
        break;
    }
}
