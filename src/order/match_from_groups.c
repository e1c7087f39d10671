/* Communicators that only the members of a group make together (MPI_Comm_create_group, MPI_Comm_create_from_group): the k-th call by each of them with the same group,
 * tag and communicator. */
#include "base/memory.h"
#include "order/match.h"

#include <string.h>

/* What members agree on. */
struct terms {
    const struct fth_order_making *making;
    uint32_t above; /* the group of the communicator of the call; FTH_NO_GROUP: it has none */
    uint32_t *procs, count;
};

static bool same_tag(const struct fth_order_making *one, const struct fth_order_making *other)
{
    bool texts = one->text && other->text;
    return one->tag == other->tag && !one->text == !other->text &&
           (!texts || strcmp(one->text, other->text) == 0);
}

/* False: its communicator is not known. */
static bool find_above(const struct fth_matching *matching, uint32_t proc,
                       const struct fth_order_making *making, uint32_t *above)
{
    const struct fth_order_deeds *process = &matching->processes[proc];
    const struct fth_member *member =
        fth_match_member(matching, proc, process->deeds[making->deed].member);
    *above = member ? member->group : FTH_NO_GROUP;
    return !member || member->group != FTH_NO_GROUP;
}

/* The first call of this process on these terms; NULL: there is none, or one of those before it may be. */
static struct fth_order_making *next_call(const struct fth_matching *matching, uint32_t proc,
                                          const struct terms *terms)
{
    struct fth_order_deeds *process = &matching->processes[proc];
    struct fth_order_making *found = NULL;
    uint32_t strand = UINT32_MAX;
    for (size_t i = 0; i < process->making_count; i++) {
        struct fth_order_making *making = &process->makings[i];
        uint32_t above, *procs, count;
        if (making->form != FTH_MAKES_FROM_GROUP || !same_tag(making, terms->making))
            continue;
        /* threads that do the same have no order that would be known here */
        if (strand != UINT32_MAX && strand != process->deeds[making->deed].begin.strand)
            return NULL;
        strand = process->deeds[making->deed].begin.strand;
        if (making->met || found)
            continue;
        if (!find_above(matching, proc, making, &above) ||
            !fth_match_node(matching, proc, making->node, &procs, &count))
            return NULL;
        if (above == terms->above && count == terms->count &&
            memcmp(procs, terms->procs, count * sizeof *procs) == 0)
            found = making;
        free(procs);
    }
    return found;
}

static void make(struct fth_matching *matching, const struct terms *terms,
                 struct fth_order_making **makings)
{
    struct fth_order_deed **deeds = fth_new(terms->count + 1, sizeof *deeds);
    struct fth_group *made = fth_match_add_group(matching, terms->count, terms->count);
    for (uint32_t i = 0; i < terms->count; i++) {
        made->procs[i] = terms->procs[i];
        if (!makings[i])
            continue;
        makings[i]->met = true;
        made->members[i] = makings[i]->made;
        deeds[i] = &matching->processes[terms->procs[i]].deeds[makings[i]->deed];
    }
    fth_match_place_members(matching);
    made = &matching->groups[matching->group_count - 1];
    if (made->size) {
        fth_match_tell_together(matching, made, deeds);
        fth_match_collective(matching, (uint32_t)matching->group_count - 1, deeds);
    }
    free(deeds);
}

/* Processes that are not recorded have a place, and no call. */
static bool meet(struct fth_matching *matching, const struct terms *terms)
{
    struct fth_order_making **makings = fth_new(terms->count + 1, sizeof *makings);
    bool all = true, any = false;
    for (uint32_t i = 0; all && i < terms->count; i++) {
        if (terms->procs[i] >= matching->process_count)
            continue;
        makings[i] = next_call(matching, terms->procs[i], terms);
        all = makings[i] != NULL;
        any |= makings[i] == terms->making;
    }
    if (all && any)
        make(matching, terms, makings);
    free(makings);
    return all && any;
}

bool fth_match_from_groups(struct fth_matching *matching)
{
    bool progress = false;
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        const struct fth_order_deeds *process = &matching->processes[proc];
        for (size_t i = 0; i < process->making_count; i++) {
            struct terms terms = {.making = &process->makings[i]};
            if (terms.making->form != FTH_MAKES_FROM_GROUP || terms.making->met ||
                !find_above(matching, proc, terms.making, &terms.above) ||
                !fth_match_node(matching, proc, terms.making->node, &terms.procs, &terms.count))
                continue;
            progress |= meet(matching, &terms);
            free(terms.procs);
        }
    }
    return progress;
}
