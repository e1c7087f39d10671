/* Epochs of windows between some of their members: the k-th epoch in which an origin reaches a
 * target is the k-th in which that is exposed to it. The target's wait returns when all origins
 * have said that they are complete. An origin's start, or its complete, may return only when all
 * targets have posted: that is up to the library, and reported, but orders nothing. */
#include "base/memory.h"
#include "order/match/match.h"

enum { MOST_ENDS = 1 << 24 };

/* One end of an epoch between two processes. */
struct end {
    uint32_t group, origin, target;
    bool of_target;
    uint32_t proc, operation;
};

/* Calls of origins, and those of targets that belong to them. */
struct sides {
    enum fth_order_operation_kind origin, target;
};
static const struct sides ordered = {FTH_SYNC_COMPLETE, FTH_SYNC_WAIT},
                          started = {FTH_SYNC_START, FTH_SYNC_POST},
                          completed = {FTH_SYNC_COMPLETE, FTH_SYNC_POST};

struct ends {
    struct end *all;
    size_t count;
};

static int by_pair(const struct end *a, const struct end *b)
{
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->origin != b->origin)
        return a->origin < b->origin ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

static int by_pair_and_turn(const void *one, const void *other)
{
    const struct end *a = one, *b = other;
    int pair = by_pair(a, b);
    if (pair)
        return pair;
    return a->of_target != b->of_target
               ? a->of_target - b->of_target
               : (a->operation > b->operation) - (a->operation < b->operation);
}

/* `reports`: what is not known is said, and each epoch. */
static void add_ends(const struct fth_matching *matching, struct ends *ends, uint32_t proc,
                     uint32_t number, bool of_target, bool reports)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    struct fth_order_operation operation = fth_order_operation(process, number);
    uint32_t *procs = NULL, count = 0;
    bool has_group = operation.member < process->mpi.member_count &&
                     process->mpi.members[operation.member].group != FTH_NO_GROUP &&
                     operation.peer >= 0;
    bool known =
        has_group && fth_match_node(matching, proc, (uint32_t)operation.peer, &procs, &count);
    if (has_group && !known && reports)
        matching->find(matching->context, FTH_ORDER_UNORDERED, proc, &operation,
                       "the group of its epoch is unknown");
    if (reports)
        fth_match_report_epoch(matching, proc, &operation, known ? procs : NULL, known ? count : 0);
    for (uint32_t i = 0; known && i < count && ends->count < MOST_ENDS; i++) {
        FTH_GROW(ends->all, ends->count);
        ends->all[ends->count++] = (struct end){process->mpi.members[operation.member].group,
                                                of_target ? procs[i] : proc,
                                                of_target ? proc : procs[i],
                                                of_target,
                                                proc,
                                                number};
    }
    if (known)
        free(procs);
}

static void one_pair(const struct fth_matching *matching, const struct end *ends, size_t count,
                     bool orders)
{
    size_t of_target = 0;
    while (of_target < count && !ends[of_target].of_target)
        of_target++;
    for (size_t i = 0; i < of_target && of_target + i < count; i++) {
        const struct end *one = &ends[i], *other = &ends[of_target + i];
        struct fth_order_operation origin = fth_order_operation(&matching->processes[one->proc],
                                                                one->operation),
                                   target = fth_order_operation(&matching->processes[other->proc],
                                                                other->operation);
        if (orders)
            fth_clocks_edge(matching->clocks, origin.begin, target.end);
        else
            matching->options.posted(matching->options.message_context, origin.begin, origin.end,
                                     target.begin);
    }
}

static void match_sides(const struct fth_matching *matching, const struct sides *sides)
{
    bool orders = sides == &ordered;
    struct ends ends = {NULL, 0};
    uint32_t kinds = FTH_SYNC_BIT(sides->origin) | FTH_SYNC_BIT(sides->target);
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        const struct fth_order_operations *process = &matching->processes[proc];
        if (!fth_order_operations_have(process, kinds))
            continue;
        for (uint32_t i = 0; i < process->operation_count; i++) {
            uint8_t kind = fth_order_operation(process, i).kind;
            if (kind == sides->origin || kind == sides->target)
                add_ends(matching, &ends, proc, i, kind == sides->target, orders);
        }
    }
    if (ends.count)
        qsort(ends.all, ends.count, sizeof *ends.all, by_pair_and_turn);
    for (size_t from = 0, to = 0; from < ends.count; from = to) {
        while (to < ends.count && by_pair(&ends.all[from], &ends.all[to]) == 0)
            to++;
        one_pair(matching, ends.all + from, to - from, orders);
    }
    free(ends.all);
}

void fth_match_epochs(struct fth_matching *matching)
{
    match_sides(matching, &ordered);
    if (!matching->options.posted)
        return;
    match_sides(matching, &started);
    match_sides(matching, &completed);
}
