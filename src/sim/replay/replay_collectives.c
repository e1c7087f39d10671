/* From collective calls to commands: what each member gives and gets, those between neighbours, and
 * those between the two sides of an intercommunicator. */
#include "sim/replay/actor.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- how much ---- */

/* Of the last ones: those of what is received, from each member. */
static uint64_t bytes_received(const struct actor *actor, const struct fth_sim_semantics *semantics,
                               const struct fth_access *access)
{
    const struct fth_value *count = fth_sim_value_of(&access->call, semantics->last_count);
    return count->type == FTH_VALUE_INTEGER
               ? fth_sim_product(count->integer,
                                 fth_accesses_datatype(actor->accesses, semantics->last_datatype))
               : 0;
}

/* What comes from member `index`, where a list gives it. */
static uint64_t bytes_of_part(const struct actor *actor, const struct fth_sim_semantics *semantics,
                              const struct fth_access *access, size_t index)
{
    const struct fth_value *counts = fth_sim_value_of(&access->call, semantics->received);
    if (semantics->last_datatype == FTH_SIM_NO_PARAMETER)
        return 0; /* a type for each: not kept */
    const struct fth_datatype *datatype =
        fth_accesses_datatype(actor->accesses, semantics->last_datatype);
    return index < counts->count ? fth_sim_product(counts->integers[index], datatype) : 0;
}

/* Where members give or get different numbers of bytes: the mean. */
static uint64_t mean_part(const struct actor *actor, const struct fth_sim_semantics *semantics,
                          const struct fth_access *access)
{
    const struct fth_value *counts = fth_sim_value_of(&access->call, semantics->received);
    uint64_t sum = 0;
    for (size_t i = 0; i < counts->count; i++)
        sum += bytes_of_part(actor, semantics, access, i);
    return counts->count ? (sum + counts->count - 1) / counts->count : 0;
}

/* The bytes of each member's part, or of the whole where there are no parts. In place, what is sent
 * is not given. */
static uint64_t bytes_together(const struct actor *actor, const struct fth_sim_semantics *semantics,
                               const struct fth_access *access, bool is_root)
{
    switch (semantics->verb) {
    case FTH_SIM_ALLGATHER:
    case FTH_SIM_REDUCE_SCATTER:
        return semantics->received >= 0 ? mean_part(actor, semantics, access)
                                        : bytes_received(actor, semantics, access);
    case FTH_SIM_ALLTOALL:
        return bytes_received(actor, semantics, access);
    case FTH_SIM_GATHER:
        return is_root ? bytes_received(actor, semantics, access)
                       : fth_sim_bytes_of(semantics, access);
    case FTH_SIM_SCATTER:
        return is_root ? fth_sim_bytes_of(semantics, access)
                       : bytes_received(actor, semantics, access);
    default:
        return fth_sim_bytes_of(semantics, access);
    }
}

/* ---- lists of members ---- */

static void add(struct actor *actor, struct fth_sim_ranges *list, uint32_t rank, uint64_t bytes)
{
    uint32_t count = (uint32_t)list->count++;
    actor->extents = fth_reach(actor->extents, &actor->extent_limit, count, sizeof *actor->extents);
    actor->extents[count] = (struct fth_sim_extent){rank, bytes};
    list->list = actor->extents;
}

static int by_rank(const void *one, const void *other)
{
    const struct fth_sim_extent *a = one, *b = other;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* In the order of ranks, each once. */
static void put_in_order(struct actor *actor, struct fth_sim_ranges *list)
{
    uint64_t kept = 0;
    if (list->count)
        qsort(actor->extents, list->count, sizeof *actor->extents, by_rank);
    for (uint64_t i = 0; i < list->count; i++) {
        if (kept && actor->extents[kept - 1].offset == actor->extents[i].offset)
            actor->extents[kept - 1].bytes += actor->extents[i].bytes;
        else
            actor->extents[kept++] = actor->extents[i];
    }
    list->count = kept;
}

static const uint32_t *neighbours_of(const struct replay *replay,
                                     const struct fth_sim_replay_group *place)
{
    return replay->groups.ranks + place->neighbours;
}

/* From which members something comes, and how much: of all members (of the other side), or of
 * neighbours. */
static struct fth_sim_ranges parts_of(const struct replay *replay, struct actor *actor,
                                      const struct fth_sim_semantics *semantics,
                                      const struct fth_access *access,
                                      const struct fth_sim_replay_group *place)
{
    struct fth_sim_ranges list = {0};
    size_t count = fth_sim_value_of(&access->call, semantics->received)->count;
    if (semantics->is_neighbours && count > place->source_count)
        count = place->source_count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = bytes_of_part(actor, semantics, access, i);
        uint32_t rank =
            semantics->is_neighbours ? neighbours_of(replay, place)[i] : i + place->other;
        if (bytes && rank != UINT32_MAX)
            add(actor, &list, rank, bytes);
    }
    put_in_order(actor, &list);
    return list;
}

/* The same amount for each neighbour. */
static struct fth_sim_ranges with_neighbours(const struct replay *replay, struct actor *actor,
                                             const struct fth_sim_replay_group *place,
                                             uint64_t bytes)
{
    struct fth_sim_ranges list = {0};
    const uint32_t *sources = neighbours_of(replay, place);
    for (uint32_t i = 0; i < place->destination_count; i++)
        add(actor, &list, sources[place->source_count + i], bytes);
    for (uint32_t i = 0; i < place->source_count; i++)
        if (sources[i] != UINT32_MAX)
            add(actor, &list, sources[i], FTH_SIM_COMES);
    return list;
}

/* ---- two sides ---- */

/* Of a root each process of its side says whether that is itself; those of the other side say who
 * it is. */
enum side { NO_SIDE, IS_ROOT, OF_ROOT, OTHER_SIDE };
static enum side side_of(const struct fth_value *root)
{
    if (root->type != FTH_VALUE_INTEGER)
        return NO_SIDE;
    if (fth_sim_is_named(root, "MPI_ROOT"))
        return IS_ROOT;
    return root->integer >= 0 ? OTHER_SIDE : OF_ROOT;
}

/* Everybody gives to all of the other side, or to the root there; or the root to all. */
static struct fth_sim_ranges with_other_side(struct actor *actor,
                                             const struct fth_sim_replay_group *place,
                                             const struct fth_value *root, bool from_root,
                                             uint64_t bytes)
{
    struct fth_sim_ranges list = {0};
    enum side side = side_of(root);
    if (side == OTHER_SIDE && root->integer < place->other_size)
        add(actor, &list, place->other + (uint32_t)root->integer,
            from_root ? FTH_SIM_COMES : bytes);
    for (uint32_t i = 0; (side == IS_ROOT || side == NO_SIDE) && i < place->other_size; i++) {
        if (side == NO_SIDE || from_root)
            add(actor, &list, place->other + i, bytes);
        if (side == NO_SIDE || !from_root)
            add(actor, &list, place->other + i, FTH_SIM_COMES);
    }
    return list;
}

/* What all members do together without giving each other data of their own is as among one
 * group. */
static bool is_between_sides(enum fth_sim_verb verb)
{
    return verb == FTH_SIM_BCAST || verb == FTH_SIM_SCATTER || verb == FTH_SIM_GATHER ||
           verb == FTH_SIM_REDUCE || verb == FTH_SIM_ALLGATHER || verb == FTH_SIM_ALLTOALL;
}

/* ---- the command ---- */

static void note_root(const struct replay *replay, const struct fth_value *root,
                      struct fth_sim_command *command)
{
    if (root->type == FTH_VALUE_INTEGER && root->integer >= 0 &&
        root->integer < replay->program.ranks)
        command->root = (uint32_t)root->integer;
}

void fth_sim_actor_together(struct replay *replay, struct actor *actor,
                            const struct fth_sim_semantics *semantics,
                            const struct fth_access *access)
{
    const struct fth_call *call = &access->call;
    const struct fth_value *root = fth_sim_value_of(call, semantics->root);
    const struct fth_sim_replay_group *place = fth_sim_actor_place(replay, actor, call);
    struct fth_sim_command command = {.verb = semantics->verb, .communicator = place->communicator};
    bool is_about_all = replay->options.without_messages || !semantics->is_neighbours;
    bool is_in_order = semantics->verb != FTH_SIM_ALLTOALLV || !place->is_disordered;
    if (place->kind == FTH_SIM_GROUP_UNKNOWN)
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
    else if (!is_about_all && (!place->has_neighbours || !is_in_order))
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_NEIGHBOURS);
    else if (place->kind == FTH_SIM_GROUP_KNOWN) {
        note_root(replay, root, &command);
        command.bytes = bytes_together(actor, semantics, access,
                                       (int64_t)command.root == call->group->group_rank);
        if (semantics->verb == FTH_SIM_ALLTOALLV) {
            command.ranges = parts_of(replay, actor, semantics, access, place);
        } else if (semantics->is_neighbours) {
            command.ranges = with_neighbours(replay, actor, place, command.bytes);
        } else if (place->has_sides && is_between_sides(semantics->verb)) {
            bool from_root = semantics->verb == FTH_SIM_BCAST || semantics->verb == FTH_SIM_SCATTER;
            command.verb = FTH_SIM_NEIGHBOURS;
            command.ranges =
                with_other_side(actor, place, root, from_root, fth_sim_bytes_of(semantics, access));
        }
        if (semantics->verb == FTH_SIM_ALLTOALLV &&
            semantics->last_datatype == FTH_SIM_NO_PARAMETER)
            fth_sim_lose(replay, semantics, FTH_SIM_LOST_BYTES);
        fth_sim_actor_issue(replay, actor, semantics, call, &command);
    }
}
