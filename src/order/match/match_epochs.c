/* Epochs of windows between some of their members: the k-th epoch in which an origin reaches a
 * target is the k-th in which that is exposed to it. The target's wait returns when all origins
 * have said that they are complete. */
#include "base/memory.h"
#include "order/match/match.h"

enum { MOST_ENDS = 1 << 24 };

/* One end of an epoch between two processes. */
struct end {
    uint32_t group, origin, target;
    bool waits;
    uint32_t proc, operation;
};

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
    return a->waits != b->waits ? a->waits - b->waits
                                : (a->operation > b->operation) - (a->operation < b->operation);
}

static void add_ends(const struct fth_matching *matching, struct ends *ends, uint32_t proc,
                     uint32_t number)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    struct fth_order_operation operation = fth_order_operation(process, number);
    uint32_t *procs, count;
    if (operation.member >= process->mpi.member_count ||
        process->mpi.members[operation.member].group == FTH_NO_GROUP || operation.peer < 0) {
        fth_match_report_epoch(matching, proc, &operation, NULL, 0);
        return;
    }
    if (!fth_match_node(matching, proc, (uint32_t)operation.peer, &procs, &count)) {
        matching->find(matching->context, FTH_ORDER_UNORDERED, proc, &operation,
                       "the group of its epoch is unknown");
        fth_match_report_epoch(matching, proc, &operation, NULL, 0);
        return;
    }
    fth_match_report_epoch(matching, proc, &operation, procs, count);
    bool waits = operation.kind == FTH_SYNC_WAIT;
    for (uint32_t i = 0; i < count && ends->count < MOST_ENDS; i++) {
        FTH_GROW(ends->all, ends->count);
        ends->all[ends->count++] = (struct end){process->mpi.members[operation.member].group,
                                                waits ? procs[i] : proc,
                                                waits ? proc : procs[i],
                                                waits,
                                                proc,
                                                number};
    }
    free(procs);
}

static void one_pair(const struct fth_matching *matching, const struct end *ends, size_t count)
{
    size_t waits = 0;
    while (waits < count && !ends[waits].waits)
        waits++;
    for (size_t i = 0; i < waits && waits + i < count; i++) {
        const struct end *from = &ends[i], *to = &ends[waits + i];
        fth_clocks_edge(
            matching->clocks,
            fth_order_operation(&matching->processes[from->proc], from->operation).begin,
            fth_order_operation(&matching->processes[to->proc], to->operation).end);
    }
}

void fth_match_epochs(struct fth_matching *matching)
{
    struct ends ends = {NULL, 0};
    for (uint32_t proc = 0; proc < matching->process_count; proc++)
        for (uint32_t i = 0; i < matching->processes[proc].operation_count; i++) {
            uint8_t kind = fth_order_operation(&matching->processes[proc], i).kind;
            if (kind == FTH_SYNC_COMPLETE || kind == FTH_SYNC_WAIT)
                add_ends(matching, &ends, proc, i);
        }
    if (ends.count)
        qsort(ends.all, ends.count, sizeof *ends.all, by_pair_and_turn);
    for (size_t from = 0, to = 0; from < ends.count; from = to) {
        while (to < ends.count && by_pair(&ends.all[from], &ends.all[to]) == 0)
            to++;
        one_pair(matching, ends.all + from, to - from);
    }
    free(ends.all);
}
