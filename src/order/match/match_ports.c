/* Two sides that have nothing in common but the name of a port (MPI_Comm_accept, MPI_Comm_connect),
 * or the ends of a socket (MPI_Comm_join). The trace does not name the one to the other: a call has
 * met another one if it can have met no other. Both roots knew of each other when the calls
 * ended. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

enum { MOST_MEETINGS = 1 << 14 /* beyond that it is not known who met whom */ };

/* One side that met another one; `operations` by place. */
struct fth_meeting_side {
    enum fth_creation_form form;
    const char *port; /* NULL: a socket */
    uint32_t *procs, *members, *operations, size, root;
    int64_t start, end; /* of the root's call */
    bool found;
};

static struct fth_meeting_side *add_side(struct fth_matching *matching,
                                         const struct fth_order_creation *root, uint32_t size)
{
    FTH_GROW(matching->meetings, matching->meeting_count);
    struct fth_meeting_side *side = &matching->meetings[matching->meeting_count++];
    *side = (struct fth_meeting_side){.form = root->form,
                                      .port = root->text,
                                      .size = size,
                                      .start = root->colour,
                                      .end = root->key};
    side->procs = fth_resize(NULL, size + 1, sizeof *side->procs);
    side->members = fth_resize(NULL, size + 1, sizeof *side->members);
    side->operations = fth_resize(NULL, size + 1, sizeof *side->operations);
    return side;
}

static void set_member(struct fth_meeting_side *side, uint32_t place, uint32_t proc,
                       struct fth_order_creation *creation)
{
    side->procs[place] = proc;
    side->members[place] = creation->made;
    side->operations[place] = creation->operation;
    creation->met = true;
}

void fth_match_port(struct fth_match_turn *turn)
{
    struct fth_matching *matching = turn->matching;
    const struct fth_group *group = &matching->groups[turn->group];
    int64_t root = turn->operations[0] ? turn->operations[0]->peer : -1;
    if (!turn->whole || group->split != group->size || root < 0 || root >= group->size)
        return;
    for (uint32_t i = 0; i < group->size; i++)
        if (!turn->creations[i])
            return;
    if (!turn->creations[root]->text)
        return;
    struct fth_meeting_side *side = add_side(matching, turn->creations[root], group->size);
    side->root = (uint32_t)root;
    for (uint32_t i = 0; i < group->size; i++)
        set_member(side, i, group->procs[i], turn->creations[i]);
}

static void add_joins(struct fth_matching *matching)
{
    for (uint32_t proc = 0; proc < matching->process_count && !matching->has_joins; proc++) {
        const struct fth_order_operations *process = &matching->processes[proc];
        for (size_t i = 0; i < process->mpi.creation_count; i++)
            if (process->mpi.creations[i].form == FTH_MAKES_JOINED)
                set_member(add_side(matching, &process->mpi.creations[i], 1), 0, proc,
                           &process->mpi.creations[i]);
    }
    matching->has_joins = true;
}

/* ---- who can have met whom ---- */

static bool are_opposite(enum fth_creation_form one, enum fth_creation_form other)
{
    return (one == FTH_MAKES_JOINED && other == FTH_MAKES_JOINED) ||
           (one == FTH_MAKES_ACCEPTED && other == FTH_MAKES_CONNECTED) ||
           (one == FTH_MAKES_CONNECTED && other == FTH_MAKES_ACCEPTED);
}

/* None of both calls ended before the other one began. */
static bool may_overlap(const struct fth_matching *matching, const struct fth_meeting_side *side,
                        uint32_t proc, int64_t start, int64_t end)
{
    const struct fth_order_operations *mine = &matching->processes[side->procs[side->root]],
                                      *other = &matching->processes[proc];
    return !fth_match_is_earlier(mine, side->end, other, start) &&
           !fth_match_is_earlier(other, end, mine, side->start);
}

/* NULL: it is not known, or there is none. */
static bool may_be_one_port(const char *one, const char *other)
{
    return !one || !other || strcmp(one, other) == 0;
}

static bool may_have_met(const struct fth_matching *matching, const struct fth_meeting_side *one,
                         const struct fth_meeting_side *other)
{
    uint32_t proc = other->procs[other->root];
    return !other->found && are_opposite(one->form, other->form) && proc != one->procs[one->root] &&
           may_be_one_port(one->port, other->port) &&
           may_overlap(matching, one, proc, other->start, other->end);
}

/* Calls of which it is not known who made them together may have been met, too. */
static bool has_other_calls(const struct fth_matching *matching,
                            const struct fth_meeting_side *side)
{
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        const struct fth_order_operations *process = &matching->processes[proc];
        for (size_t i = 0; i < process->mpi.creation_count; i++) {
            const struct fth_order_creation *creation = &process->mpi.creations[i];
            if (!creation->met && are_opposite(side->form, creation->form) &&
                may_be_one_port(creation->text, side->port) &&
                may_overlap(matching, side, proc, creation->colour, creation->key))
                return true;
        }
    }
    return false;
}

static struct fth_meeting_side *only_other(const struct fth_matching *matching,
                                           const struct fth_meeting_side *side)
{
    struct fth_meeting_side *only = NULL;
    for (size_t i = 0; i < matching->meeting_count; i++) {
        if (!may_have_met(matching, side, &matching->meetings[i]))
            continue;
        if (only)
            return NULL;
        only = &matching->meetings[i];
    }
    return only && !has_other_calls(matching, side) ? only : NULL;
}

/* ---- those who met ---- */

static struct fth_order_operation operation_of(const struct fth_matching *matching,
                                               const struct fth_meeting_side *side, uint32_t place)
{
    return fth_order_operation(&matching->processes[side->procs[place]], side->operations[place]);
}

static void order_sides(const struct fth_matching *matching, const struct fth_meeting_side *one,
                        const struct fth_meeting_side *other)
{
    const struct fth_meeting_side *sides[] = {one, other};
    uint32_t hub = fth_clocks_hub(matching->clocks, false);
    for (int i = 0; i < 2; i++)
        fth_clocks_into(matching->clocks, operation_of(matching, sides[i], sides[i]->root).begin);
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < sides[i]->size; k++)
            fth_clocks_out_of(matching->clocks, hub, operation_of(matching, sides[i], k).end);
}

static void join_at_port(struct fth_matching *matching, struct fth_meeting_side *one,
                         struct fth_meeting_side *other)
{
    struct fth_group *made = fth_match_add_group(matching, one->size + other->size, one->size);
    memcpy(made->procs, one->procs, one->size * sizeof *made->procs);
    memcpy(made->members, one->members, one->size * sizeof *made->members);
    memcpy(made->procs + one->size, other->procs, other->size * sizeof *made->procs);
    memcpy(made->members + one->size, other->members, other->size * sizeof *made->members);
    fth_match_place_members(matching);
    order_sides(matching, one, other);
    one->found = other->found = true;
}

bool fth_match_met(struct fth_matching *matching)
{
    bool progress = false;
    add_joins(matching);
    if (matching->meeting_count > MOST_MEETINGS)
        return false;
    for (size_t i = 0; i < matching->meeting_count; i++) {
        struct fth_meeting_side *side = &matching->meetings[i];
        struct fth_meeting_side *other = side->found ? NULL : only_other(matching, side);
        if (!other)
            continue;
        join_at_port(matching, side, other);
        progress = true;
    }
    return progress;
}

void fth_match_free_meetings(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->meeting_count; i++) {
        free(matching->meetings[i].procs);
        free(matching->meetings[i].members);
        free(matching->meetings[i].operations);
    }
    free(matching->meetings);
}
