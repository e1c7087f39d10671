/* Intercommunicators: two groups that do not meet in a call make one, each by its leader, over a
 * communicator that the leaders have in common. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* One side that waits for the other. */
struct fth_side {
    uint32_t peers, mine, other; /* the common communicator, and the places of both leaders in it */
    int32_t tag;
    uint32_t *procs, *members, *operations, size,
        leader; /* by place; no operation: FTH_NO_OPERATION */
    bool found;
};

static struct fth_order_operation operation_at(const struct fth_matching *matching,
                                               const struct fth_side *side, uint32_t place)
{
    return fth_order_operation(&matching->processes[side->procs[place]], side->operations[place]);
}

/* Who is on the other side only its leader can say, when it has come; so nobody can have gone
 * before. */
static void order_behind_leaders(const struct fth_matching *matching, const struct fth_side *one,
                                 const struct fth_side *other)
{
    const struct fth_side *sides[] = {one, other};
    uint32_t hub = fth_clocks_hub(matching->clocks, false);
    for (int i = 0; i < 2; i++)
        fth_clocks_into(matching->clocks, operation_at(matching, sides[i], sides[i]->leader).begin);
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < sides[i]->size; k++)
            if (sides[i]->operations[k] != FTH_NO_OPERATION)
                fth_clocks_out_of(matching->clocks, hub, operation_at(matching, sides[i], k).end);
}

static void join_sides(struct fth_matching *matching, struct fth_side *one, struct fth_side *other)
{
    uint32_t size = one->size + other->size;
    struct fth_group *group = fth_match_add_group(matching, size, one->size);
    memcpy(group->procs, one->procs, one->size * sizeof *group->procs);
    memcpy(group->members, one->members, one->size * sizeof *group->members);
    memcpy(group->procs + one->size, other->procs, other->size * sizeof *group->procs);
    memcpy(group->members + one->size, other->members, other->size * sizeof *group->members);
    fth_match_place_members(matching);
    order_behind_leaders(matching, one, other);
    one->found = other->found = true;
}

void fth_match_side(struct fth_matching *matching, uint32_t number,
                    struct fth_order_creation **creations)
{
    const struct fth_group *local = &matching->groups[number];
    const struct fth_order_creation *any = creations[0];
    if (!any || any->colour < 0 || any->colour >= local->size || !creations[any->colour])
        return;
    const struct fth_order_creation *leader = creations[any->colour];
    const struct fth_order_operations *process = &matching->processes[local->procs[any->colour]];
    if (leader->node >= process->mpi.member_count)
        return;
    const struct fth_member *common = &process->mpi.members[leader->node];
    if (common->group == FTH_NO_GROUP || leader->key < 0 || leader->key > INT32_MAX ||
        matching->groups[common->group].split != matching->groups[common->group].size)
        return;
    struct fth_side side = {.peers = common->group,
                            .mine = common->place,
                            .other = (uint32_t)leader->key,
                            .tag = leader->tag,
                            .leader = (uint32_t)any->colour,
                            .size = local->size};
    side.procs = fth_resize(NULL, local->size + 1, sizeof *side.procs);
    side.members = fth_resize(NULL, local->size + 1, sizeof *side.members);
    side.operations = fth_resize(NULL, local->size + 1, sizeof *side.operations);
    for (uint32_t i = 0; i < local->size; i++) {
        side.procs[i] = local->procs[i];
        side.members[i] = creations[i] ? creations[i]->made : FTH_NO_MEMBER;
        side.operations[i] = creations[i] ? creations[i]->operation : FTH_NO_OPERATION;
    }
    FTH_GROW(matching->sides, matching->side_count);
    matching->sides[matching->side_count++] = side;
    struct fth_side *mine = &matching->sides[matching->side_count - 1];
    for (size_t i = 0; i + 1 < matching->side_count; i++) {
        struct fth_side *there = &matching->sides[i];
        if (there->found || there->peers != mine->peers || there->tag != mine->tag ||
            there->mine != mine->other || there->other != mine->mine)
            continue;
        join_sides(matching, there, mine);
        return;
    }
}

void fth_match_free_sides(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->side_count; i++) {
        free(matching->sides[i].procs);
        free(matching->sides[i].members);
        free(matching->sides[i].operations);
    }
    free(matching->sides);
}
