/* Which communicators of different processes are one, and which of their collective calls are: the
 * i-th call on a communicator by each of its members. A communicator is found by what it was made
 * of: the one before it, the how manyeth call on that, and what its members asked for. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* ---- groups ---- */

static uint32_t member_with(const struct fth_order_operations *operations,
                            enum fth_member_origin origin)
{
    for (uint32_t i = 0; i < operations->mpi.member_count; i++)
        if (operations->mpi.members[i].origin == origin)
            return i;
    return FTH_NO_MEMBER;
}

static int by_world_and_rank(const void *one, const void *other)
{
    const struct fth_order_operations *a = *(const struct fth_order_operations *const *)one,
                                      *b = *(const struct fth_order_operations *const *)other;
    if (a->mpi.world != b->mpi.world)
        return a->mpi.world < b->mpi.world ? -1 : 1;
    if (a->mpi.rank != b->mpi.rank)
        return a->mpi.rank < b->mpi.rank ? -1 : 1;
    return (a > b) - (a < b);
}

static void add_worlds(struct fth_matching *matching)
{
    const struct fth_order_operations **sorted =
        fth_new(matching->process_count + 1, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < matching->process_count; i++)
        if (matching->processes[i].mpi.world != FTH_NO_GROUP)
            sorted[count++] = &matching->processes[i];
    qsort(sorted, count, sizeof *sorted, by_world_and_rank);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && sorted[to]->mpi.world == sorted[from]->mpi.world)
            to++;
        /* ranks nobody of whom was recorded have a place, unless the numbers are absurd */
        uint32_t most = sorted[to - 1]->mpi.rank;
        if (most / 4096 > to - from)
            continue;
        struct fth_group *group = fth_match_add_group(matching, most + 1, most + 1);
        for (size_t i = from; i < to; i++) {
            if (group->procs[sorted[i]->mpi.rank] != UINT32_MAX)
                continue;
            group->procs[sorted[i]->mpi.rank] = (uint32_t)(sorted[i] - matching->processes);
            group->members[sorted[i]->mpi.rank] = member_with(sorted[i], FTH_MEMBER_WORLD);
        }
        fth_match_place_members(matching);
    }
    free(sorted);
}

static void add_selves(struct fth_matching *matching)
{
    for (uint32_t i = 0; i < matching->process_count; i++) {
        uint32_t self = member_with(&matching->processes[i], FTH_MEMBER_SELF);
        if (self == FTH_NO_MEMBER)
            continue;
        struct fth_group *group = fth_match_add_group(matching, 1, 1);
        group->procs[0] = i;
        group->members[0] = self;
        fth_match_place_members(matching);
    }
}

/* ---- turns ---- */

static struct fth_order_creation *creation_of(const struct fth_order_operations *operations,
                                              uint32_t operation)
{
    size_t low = 0, high = operations->mpi.creation_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (operations->mpi.creations[middle].operation < operation)
            low = middle + 1;
        else
            high = middle;
    }
    return low < operations->mpi.creation_count &&
                   operations->mpi.creations[low].operation == operation
               ? &operations->mpi.creations[low]
               : NULL;
}

static bool agree(const struct fth_order_operation *one, const struct fth_order_operation *other,
                  bool of_two_sides)
{
    bool has_root = !of_two_sides && !((one->flags | other->flags) & FTH_SYNC_COUNTS);
    return one->function == other->function && (!has_root || one->peer == other->peer);
}

/* Who takes part in the turn; FTH_NO_GROUP: nobody; *mismatch: somebody who does something else. */
static uint32_t look_at(struct fth_match_turn *turn, const uint32_t *next, uint32_t *mismatch)
{
    struct fth_matching *matching = turn->matching;
    const struct fth_group *group = &matching->groups[turn->group];
    uint32_t first = FTH_NO_GROUP;
    turn->whole = true;
    *mismatch = FTH_NO_GROUP;
    for (uint32_t i = 0; i < group->size; i++) {
        turn->operations[i] = NULL;
        turn->creations[i] = NULL;
        if (next[i] == FTH_NO_OPERATION) {
            turn->whole = false;
            continue;
        }
        turn->taken[i] = fth_order_operation(&matching->processes[group->procs[i]], next[i]);
        turn->operations[i] = &turn->taken[i];
        if (first == FTH_NO_GROUP)
            first = i;
        else if (!agree(turn->operations[first], turn->operations[i],
                        group->split != group->size) &&
                 *mismatch == FTH_NO_GROUP)
            *mismatch = i;
    }
    return first;
}

/* Collectives of one process by several threads have an order only if the threads have one. */
static bool has_threads(const struct fth_matching *matching, const struct fth_group *group)
{
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        if (!member || member->first == FTH_NO_OPERATION)
            continue;
        const struct fth_order_operations *process = &matching->processes[group->procs[i]];
        struct fth_order_operation first = fth_order_operation(process, member->first),
                                   operation = first;
        for (; operation.next != FTH_NO_OPERATION;
             operation = fth_order_operation(process, operation.next))
            if (operation.begin.timeline != first.begin.timeline)
                return true;
        if (operation.begin.timeline != first.begin.timeline)
            return true;
    }
    return false;
}

static uint32_t *first_operations(const struct fth_matching *matching,
                                  const struct fth_group *group)
{
    uint32_t *next = fth_new(group->size + 1, sizeof *next);
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        next[i] = member ? member->first : FTH_NO_OPERATION;
    }
    return next;
}

/* ---- what all agree on ---- */

static const struct fth_order_terms *terms_of(const struct fth_match_turn *turn, uint32_t place)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const struct fth_order_operations *process = &turn->matching->processes[group->procs[place]];
    uint32_t number =
        turn->operations[place] ? fth_order_terms_in(turn->operations[place]->tag) : 0;
    return number && number <= process->mpi.terms_count ? &process->mpi.terms[number - 1] : NULL;
}

/* What goes from a root to the others, or from them to it, is one amount; so is what all give each
 * other. */
static int64_t amount_of(const struct fth_match_turn *turn, uint32_t place,
                         const struct fth_order_terms *terms)
{
    const struct fth_order_operation *operation = turn->operations[place];
    enum fth_order_rule rule = fth_order_rule_in(operation->tag);
    bool is_root = operation->peer >= 0 && (uint32_t)operation->peer == place;
    return (rule == FTH_RULE_FROM_ROOT && is_root) || (rule == FTH_RULE_TO_ROOT && !is_root)
               ? terms->sent
               : terms->received;
}

/* The member that disagrees with the first one of whom it is known, which is *with; FTH_NO_GROUP:
 * nobody. */
static uint32_t find_other_terms(const struct fth_match_turn *turn, uint32_t *with)
{
    const struct fth_group *group = &turn->matching->groups[turn->group];
    const char *operation = NULL;
    int64_t amount = -1;
    uint32_t of_operation = 0, of_amount = 0;
    for (uint32_t i = 0; group->split == group->size && i < group->size; i++) {
        const struct fth_order_terms *terms = terms_of(turn, i);
        if (!terms)
            continue;
        int64_t mine = amount_of(turn, i, terms);
        *with = operation && terms->reduction && strcmp(operation, terms->reduction) != 0
                    ? of_operation
                : amount >= 0 && mine >= 0 && amount != mine ? of_amount
                                                             : FTH_NO_GROUP;
        if (*with != FTH_NO_GROUP)
            return i;
        if (!operation && terms->reduction) {
            operation = terms->reduction;
            of_operation = i;
        }
        if (amount < 0 && mine >= 0) {
            amount = mine;
            of_amount = i;
        }
    }
    return FTH_NO_GROUP;
}

static void report_other_terms(const struct fth_match_turn *turn)
{
    const struct fth_matching *matching = turn->matching;
    const struct fth_group *group = &matching->groups[turn->group];
    uint32_t with, other = find_other_terms(turn, &with);
    if (other == FTH_NO_GROUP)
        return;
    matching->find(matching->context, FTH_ORDER_MISMATCHED_ARGUMENTS, group->procs[with],
                   turn->operations[with], NULL);
    matching->find(matching->context, FTH_ORDER_MISMATCHED_ARGUMENTS, group->procs[other],
                   turn->operations[other], NULL);
}

enum { WITH_EDGES = 1, WITH_CREATIONS = 2 };

/* All turns of a group. A group whose calls do not fit each other is left at the first that does
 * not. */
static void take_turns(struct fth_matching *matching, uint32_t number, unsigned what)
{
    uint32_t size = matching->groups[number].size, first, mismatch;
    uint32_t *next = first_operations(matching, &matching->groups[number]);
    struct fth_match_turn turn = {matching,
                                  number,
                                  fth_new(size + 1, sizeof *turn.operations),
                                  fth_new(size + 1, sizeof *turn.creations),
                                  true,
                                  fth_new(size + 1, sizeof *turn.taken)};
    bool reported = false;
    while ((first = look_at(&turn, next, &mismatch)) != FTH_NO_GROUP) {
        const struct fth_group *group = &matching->groups[number];
        if (mismatch != FTH_NO_GROUP) {
            if (what & WITH_CREATIONS) {
                matching->find(matching->context, FTH_ORDER_MISMATCHED_COLLECTIVE,
                               group->procs[first], turn.operations[first], NULL);
                matching->find(matching->context, FTH_ORDER_MISMATCHED_COLLECTIVE,
                               group->procs[mismatch], turn.operations[mismatch], NULL);
            }
            break;
        }
        if (!turn.whole && !reported && (what & WITH_CREATIONS)) {
            matching->find(matching->context, FTH_ORDER_MISSING_COLLECTIVE, group->procs[first],
                           turn.operations[first], NULL);
            reported = true;
        }
        if (what & WITH_CREATIONS)
            report_other_terms(&turn);
        if (what & WITH_EDGES) {
            fth_match_collective(matching, number, turn.operations);
            fth_match_report_together(matching, group, turn.operations);
        }
        bool makes = false;
        for (uint32_t i = 0; i < size; i++) {
            if (!turn.operations[i])
                continue;
            if (turn.operations[first]->flags & FTH_SYNC_MAKES)
                turn.creations[i] = creation_of(&matching->processes[group->procs[i]], next[i]);
            makes |= turn.creations[i] != NULL;
            next[i] = turn.operations[i]->next;
        }
        if (makes && (what & WITH_CREATIONS))
            fth_match_make(&turn);
    }
    free(turn.operations);
    free(turn.creations);
    free(turn.taken);
    free(next);
}

static void mark_operations(struct fth_matching *matching, const struct fth_group *group)
{
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        uint32_t next = member ? member->first : FTH_NO_OPERATION;
        while (next != FTH_NO_OPERATION) {
            struct fth_order_operation operation =
                fth_order_operation(&matching->processes[group->procs[i]], next);
            fth_clocks_mark(matching->clocks, (struct fth_moment){operation.begin.timeline,
                                                                  operation.begin.step + 1});
            next = operation.next;
        }
    }
}

static void take_all_turns(struct fth_matching *matching, uint32_t number)
{
    if (!has_threads(matching, &matching->groups[number])) {
        take_turns(matching, number, WITH_EDGES | WITH_CREATIONS);
        return;
    }
    take_turns(matching, number, WITH_CREATIONS);
    mark_operations(matching, &matching->groups[number]);
    FTH_GROW(matching->threaded_groups, matching->threaded_count);
    matching->threaded_groups[matching->threaded_count++] = number;
}

void fth_match_groups(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->process_count; i++)
        for (size_t k = 0; k < matching->processes[i].mpi.member_count; k++)
            matching->processes[i].mpi.members[k].group = FTH_NO_GROUP;
    add_worlds(matching);
    add_selves(matching);
    uint32_t next = 0;
    do {
        while (next < matching->group_count)
            take_all_turns(matching, next++);
    } while (fth_match_from_groups(matching) || fth_match_spawned(matching) ||
             fth_match_met(matching));
}

/* ---- groups that several threads use ---- */

bool fth_match_in_order(const struct fth_matching *matching, const struct fth_order_operation *one,
                        const struct fth_order_operation *other)
{
    struct fth_moment before = {one->begin.timeline, one->begin.step};
    struct fth_moment behind = {other->begin.timeline, other->begin.step + 1};
    return fth_clocks_before(matching->clocks, before, behind);
}

/* false: there is none. */
static bool find_unordered(const struct fth_matching *matching, const struct fth_group *group,
                           uint32_t *proc, struct fth_order_operation *found)
{
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, group->procs[i], group->members[i]);
        if (!member || member->first == FTH_NO_OPERATION)
            continue;
        *proc = group->procs[i];
        struct fth_order_operation one =
            fth_order_operation(&matching->processes[*proc], member->first);
        for (; one.next != FTH_NO_OPERATION; one = *found) {
            *found = fth_order_operation(&matching->processes[*proc], one.next);
            if (!fth_match_in_order(matching, &one, found))
                return true;
        }
    }
    return false;
}

bool fth_match_threaded_groups(struct fth_matching *matching)
{
    bool any = false;
    for (size_t i = 0; i < matching->threaded_count; i++) {
        uint32_t number = matching->threaded_groups[i], proc;
        struct fth_order_operation operation;
        if (number == FTH_NO_GROUP ||
            find_unordered(matching, &matching->groups[number], &proc, &operation))
            continue;
        take_turns(matching, number, WITH_EDGES);
        matching->threaded_groups[i] = FTH_NO_GROUP;
        any = true;
    }
    return any;
}

void fth_match_report_threaded_groups(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->threaded_count; i++) {
        uint32_t number = matching->threaded_groups[i], proc;
        struct fth_order_operation operation;
        if (number != FTH_NO_GROUP &&
            find_unordered(matching, &matching->groups[number], &proc, &operation))
            matching->find(matching->context, FTH_ORDER_AMBIGUOUS, proc, &operation, NULL);
    }
}
