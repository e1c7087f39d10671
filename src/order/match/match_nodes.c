/* Groups of MPI: which processes they have, from how they were made. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

enum { MOST_NODES = 1000 /* that one group is made of */ };

struct list {
    uint32_t *procs;
    uint32_t count;
};

static bool has(const struct list *list, uint32_t proc)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->procs[i] == proc)
            return true;
    return false;
}

static struct list empty(uint32_t room)
{
    return (struct list){fth_resize(NULL, room + 1, sizeof(uint32_t)), 0};
}

static bool of_member(const struct fth_matching *matching, size_t proc, uint32_t number,
                      bool remote, struct list *list)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    if (number >= process->mpi.member_count || process->mpi.members[number].group == FTH_NO_GROUP)
        return false;
    const struct fth_member *member = &process->mpi.members[number];
    const struct fth_group *group = &matching->groups[member->group];
    bool other_side = (member->place >= group->split) != remote;
    uint32_t from = other_side ? group->split : 0, to = other_side ? group->size : group->split;
    *list = empty(to - from);
    for (uint32_t i = from; i < to; i++)
        list->procs[list->count++] = group->procs[i];
    return true;
}

static struct list picked(const struct list *from, const struct fth_group_node *node)
{
    struct list list = empty((uint32_t)node->rank_count);
    for (size_t i = 0; i < node->rank_count; i++)
        if (node->ranks[i] >= 0 && node->ranks[i] < from->count)
            list.procs[list.count++] = from->procs[node->ranks[i]];
    return list;
}

static struct list left(const struct list *from, const struct fth_group_node *node)
{
    struct list list = empty(from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        bool out = false;
        for (size_t k = 0; k < node->rank_count; k++)
            out |= node->ranks[k] == i;
        if (!out)
            list.procs[list.count++] = from->procs[i];
    }
    return list;
}

/* The k-th rank of a range, or -1 behind its end. */
static int64_t rank_of_range(const int64_t *range, int64_t k)
{
    int64_t first = range[0], last = range[1], stride = range[2];
    if (first < 0 || first > INT32_MAX || last < 0 || last > INT32_MAX || stride == 0 ||
        stride > INT32_MAX || stride < -INT32_MAX)
        return -1;
    int64_t rank = first + k * stride;
    return stride > 0 ? (rank <= last ? rank : -1) : (rank >= last ? rank : -1);
}

/* The ranges are those of a group of `from->count`, each of its ranks at most once; false: they are
 * not. */
static bool ranged(const struct list *from, const struct fth_group_node *node, bool in,
                   struct list *list)
{
    bool *chosen = fth_new(from->count + 1, sizeof *chosen), valid = node->rank_count % 3 == 0;
    *list = empty(from->count);
    for (size_t i = 0; valid && i < node->rank_count; i += 3) {
        int64_t rank;
        for (int64_t k = 0; valid && (rank = rank_of_range(&node->ranks[i], k)) >= 0; k++) {
            valid = rank < from->count && !chosen[rank];
            if (!valid)
                break;
            chosen[rank] = true;
            if (in)
                list->procs[list->count++] = from->procs[rank];
        }
    }
    for (uint32_t i = 0; valid && !in && i < from->count; i++)
        if (!chosen[i])
            list->procs[list->count++] = from->procs[i];
    free(chosen);
    if (!valid)
        free(list->procs);
    return valid;
}

/* Those of `one` that are in `other`, or are not; with `rest` then all of `other` that are not in
 * `one`. */
static struct list combined(const struct list *one, const struct list *other, bool with,
                            bool without, bool rest)
{
    struct list list = empty(one->count + other->count);
    for (uint32_t i = 0; i < one->count; i++)
        if (has(other, one->procs[i]) ? with : without)
            list.procs[list.count++] = one->procs[i];
    for (uint32_t i = 0; rest && i < other->count; i++)
        if (!has(one, other->procs[i]))
            list.procs[list.count++] = other->procs[i];
    return list;
}

static bool evaluate(const struct fth_matching *matching, size_t proc, uint32_t number,
                     unsigned *nodes, struct list *list)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    if (number >= process->mpi.node_count || ++*nodes > MOST_NODES)
        return false;
    const struct fth_group_node *node = &process->mpi.nodes[number];
    if (node->form == FTH_NODE_UNKNOWN || node->form == FTH_NODE_PSET)
        return false;
    if (node->form == FTH_NODE_MEMBERS || node->form == FTH_NODE_REMOTE)
        return of_member(matching, proc, node->one, node->form == FTH_NODE_REMOTE, list);
    bool two = node->form == FTH_NODE_UNION || node->form == FTH_NODE_INTERSECTION ||
               node->form == FTH_NODE_DIFFERENCE;
    struct list one, other = {NULL, 0};
    if (node->one >= number || !evaluate(matching, proc, node->one, nodes, &one))
        return false;
    if (two && (node->other >= number || !evaluate(matching, proc, node->other, nodes, &other))) {
        free(one.procs);
        return false;
    }
    if (node->form == FTH_NODE_RANGE_INCL || node->form == FTH_NODE_RANGE_EXCL) {
        bool valid = ranged(&one, node, node->form == FTH_NODE_RANGE_INCL, list);
        free(one.procs);
        return valid;
    }
    *list = node->form == FTH_NODE_INCL           ? picked(&one, node)
            : node->form == FTH_NODE_EXCL         ? left(&one, node)
            : node->form == FTH_NODE_UNION        ? combined(&one, &other, true, true, true)
            : node->form == FTH_NODE_INTERSECTION ? combined(&one, &other, true, false, false)
                                                  : combined(&one, &other, false, true, false);
    free(one.procs);
    free(other.procs);
    return true;
}

bool fth_match_node(const struct fth_matching *matching, size_t proc, uint32_t node,
                    uint32_t **procs, uint32_t *count)
{
    struct list list;
    unsigned nodes = 0;
    if (!evaluate(matching, proc, node, &nodes, &list))
        return false;
    *procs = list.procs;
    *count = list.count;
    return true;
}

void fth_match_free(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->group_count; i++) {
        free(matching->groups[i].procs);
        free(matching->groups[i].members);
    }
    for (size_t i = 0; i < matching->shared_count; i++)
        free(matching->shared[i].pairs);
    free(matching->births);
    free(matching->unfollowed);
    fth_intern_free(&matching->unfollowed_means);
    free(matching->groups);
    free(matching->shared);
    free(matching->threaded_groups);
    fth_match_free_sides(matching);
    fth_match_free_spawns(matching);
    fth_match_free_meetings(matching);
}
