/* Communicators that only the members of a group make together (MPI_Comm_create_group,
 * MPI_Comm_create_from_group), or of two groups (MPI_Intercomm_create_from_groups): the k-th call
 * by each of them with the same groups, tag and communicator. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* What members agree on. */
struct terms {
    const struct fth_order_creation *creation;
    uint32_t above; /* the group of the communicator of the call; FTH_NO_GROUP: it has none */
    uint32_t *procs, count, split; /* of two groups one behind the other; == count: one */
};

static bool same_tag(const struct fth_order_creation *one, const struct fth_order_creation *other)
{
    bool texts = one->text && other->text;
    return one->tag == other->tag && !one->text == !other->text &&
           (!texts || strcmp(one->text, other->text) == 0);
}

/* False: its communicator is not known. */
static bool find_above(const struct fth_matching *matching, uint32_t proc,
                       const struct fth_order_creation *creation, uint32_t *above)
{
    const struct fth_order_operations *process = &matching->processes[proc];
    const struct fth_member *member =
        fth_match_member(matching, proc, fth_order_operation(process, creation->operation).member);
    *above = member ? member->group : FTH_NO_GROUP;
    return !member || member->group != FTH_NO_GROUP;
}

static bool is_of_groups(const struct fth_order_creation *creation)
{
    return creation->form == FTH_MAKES_FROM_GROUP || creation->form == FTH_MAKES_FROM_GROUPS;
}

/* The processes of its group, or of both its groups; false: they are not known. The caller frees
 * terms->procs. */
static bool find_processes(const struct fth_matching *matching, uint32_t proc,
                           const struct fth_order_creation *creation, struct terms *terms)
{
    uint32_t *others, more;
    if (!fth_match_node(matching, proc, creation->node, &terms->procs, &terms->count))
        return false;
    terms->split = terms->count;
    if (creation->form == FTH_MAKES_FROM_GROUP)
        return true;
    if (!fth_match_node(matching, proc, creation->other_node, &others, &more)) {
        free(terms->procs);
        return false;
    }
    terms->procs = fth_resize(terms->procs, terms->count + more + 1, sizeof *terms->procs);
    memcpy(terms->procs + terms->count, others, more * sizeof *others);
    terms->count += more;
    free(others);
    return true;
}

/* Who is on the other side names the groups the other way round. */
static bool same_processes(const struct terms *one, const struct terms *other)
{
    uint32_t split = one->split, rest = one->count - split;
    size_t first = split * sizeof *one->procs, second = rest * sizeof *one->procs;
    if (one->count != other->count)
        return false;
    return (split == other->split && memcmp(one->procs, other->procs, first + second) == 0) ||
           (rest == other->split && memcmp(one->procs, other->procs + rest, first) == 0 &&
            memcmp(one->procs + split, other->procs, second) == 0);
}

/* The first call of this process on these terms; NULL: there is none, or one of those before it may
 * be. */
static struct fth_order_creation *next_call(const struct fth_matching *matching, uint32_t proc,
                                            const struct terms *terms)
{
    struct fth_order_operations *process = &matching->processes[proc];
    struct fth_order_creation *found = NULL;
    uint32_t timeline = UINT32_MAX;
    for (size_t i = 0; i < process->mpi.creation_count; i++) {
        struct fth_order_creation *creation = &process->mpi.creations[i];
        struct terms its = {.creation = creation};
        if (creation->form != terms->creation->form || !same_tag(creation, terms->creation))
            continue;
        /* threads that do the same have no order that would be known here */
        uint32_t its_timeline = fth_order_operation(process, creation->operation).begin.timeline;
        if (timeline != UINT32_MAX && timeline != its_timeline)
            return NULL;
        timeline = its_timeline;
        if (creation->met || found)
            continue;
        if (!find_above(matching, proc, creation, &its.above) ||
            !find_processes(matching, proc, creation, &its))
            return NULL;
        if (its.above == terms->above && same_processes(&its, terms))
            found = creation;
        free(its.procs);
    }
    return found;
}

static void make(struct fth_matching *matching, const struct terms *terms,
                 struct fth_order_creation **creations)
{
    const struct fth_order_operation **operations = fth_new(terms->count + 1, sizeof *operations);
    struct fth_order_operation *taken = fth_new(terms->count + 1, sizeof *taken);
    struct fth_group *made = fth_match_add_group(matching, terms->count, terms->split);
    for (uint32_t i = 0; i < terms->count; i++) {
        made->procs[i] = terms->procs[i];
        if (!creations[i])
            continue;
        creations[i]->met = true;
        made->members[i] = creations[i]->made;
        taken[i] =
            fth_order_operation(&matching->processes[terms->procs[i]], creations[i]->operation);
        operations[i] = &taken[i];
    }
    fth_match_place_members(matching);
    made = &matching->groups[matching->group_count - 1];
    if (made->size) {
        fth_match_report_together(matching, made, operations);
        fth_match_collective(matching, (uint32_t)matching->group_count - 1, operations);
    }
    free(operations);
    free(taken);
}

/* Processes that are not recorded have a place, and no call. */
static bool meet(struct fth_matching *matching, const struct terms *terms)
{
    struct fth_order_creation **creations = fth_new(terms->count + 1, sizeof *creations);
    bool all = true, any = false;
    for (uint32_t i = 0; all && i < terms->count; i++) {
        if (terms->procs[i] >= matching->process_count)
            continue;
        creations[i] = next_call(matching, terms->procs[i], terms);
        all = creations[i] != NULL;
        any |= creations[i] == terms->creation;
    }
    if (all && any)
        make(matching, terms, creations);
    free(creations);
    return all && any;
}

bool fth_match_from_groups(struct fth_matching *matching)
{
    bool progress = false;
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        const struct fth_order_operations *process = &matching->processes[proc];
        for (size_t i = 0; i < process->mpi.creation_count; i++) {
            struct terms terms = {.creation = &process->mpi.creations[i]};
            if (!is_of_groups(terms.creation) || terms.creation->met ||
                !find_above(matching, proc, terms.creation, &terms.above) ||
                !find_processes(matching, proc, terms.creation, &terms))
                continue;
            progress |= meet(matching, &terms);
            free(terms.procs);
        }
    }
    return progress;
}
