/* Processes that MPI started (MPI_Comm_spawn): which world came of which call. The trace does not
 * name the one to the other: a world that has a parent belongs to a call if it can belong to no
 * other. */
#include "base/memory.h"
#include "order/match/match.h"

#include <string.h>

/* A call whose world is not known yet; members by place. */
struct fth_spawn {
    uint32_t *procs, *members, size;
    int64_t start, most; /* when its root began; how many processes it asks for */
    uint32_t root;       /* place */
    struct fth_event begin;
    bool found;
};

void fth_match_spawn(struct fth_match_turn *turn)
{
    struct fth_matching *matching = turn->matching;
    const struct fth_group *group = &matching->groups[turn->group];
    if (!turn->whole || group->split != group->size)
        return;
    for (uint32_t i = 0; i < group->size; i++)
        if (!turn->creations[i] || turn->creations[i]->form != FTH_MAKES_SPAWN)
            return;
    int32_t root = turn->operations[0]->peer;
    if (root < 0 || (uint32_t)root >= group->size)
        return;
    struct fth_spawn spawn = {.size = group->size,
                              .start = turn->creations[root]->colour,
                              .most = turn->creations[root]->key,
                              .root = (uint32_t)root,
                              .begin = turn->operations[root]->begin};
    spawn.procs = fth_resize(NULL, spawn.size + 1, sizeof *spawn.procs);
    spawn.members = fth_resize(NULL, spawn.size + 1, sizeof *spawn.members);
    for (uint32_t i = 0; i < spawn.size; i++) {
        spawn.procs[i] = group->procs[i];
        spawn.members[i] = turn->creations[i]->made;
        turn->creations[i]->met = true;
    }
    FTH_GROW(matching->spawns, matching->spawn_count);
    matching->spawns[matching->spawn_count++] = spawn;
}

bool fth_match_is_earlier(const struct fth_order_operations *process, int64_t time,
                          const struct fth_order_operations *other, int64_t moment)
{
    if (process->host == other->host)
        return time < moment;
    return process->clock_error >= 0 && other->clock_error >= 0 &&
           process->clock_error < INT64_MAX / 4 && other->clock_error < INT64_MAX / 4 &&
           time < moment - process->clock_error - other->clock_error;
}

/* Did the process certainly begin before that moment of another one? */
static bool is_older(const struct fth_order_operations *process,
                     const struct fth_order_operations *other, int64_t moment)
{
    return fth_match_is_earlier(process, process->start, other, moment);
}

static bool is_possible(const struct fth_matching *matching, const struct fth_group *world,
                        uint32_t proc, int64_t start, int64_t most)
{
    if (world->size > most)
        return false;
    for (uint32_t i = 0; i < world->size; i++)
        if (world->procs[i] < matching->process_count &&
            is_older(&matching->processes[world->procs[i]], &matching->processes[proc], start))
            return false;
    return true;
}

/* Calls of which it is not known who made them together may have made this world, too. */
static bool has_other_calls(const struct fth_matching *matching, const struct fth_group *world)
{
    for (uint32_t proc = 0; proc < matching->process_count; proc++) {
        const struct fth_order_operations *process = &matching->processes[proc];
        for (size_t i = 0; i < process->mpi.creation_count; i++) {
            const struct fth_order_creation *creation = &process->mpi.creations[i];
            if (creation->form == FTH_MAKES_SPAWN && !creation->met &&
                is_possible(matching, world, proc, creation->colour, INT64_MAX))
                return true;
        }
    }
    return false;
}

static struct fth_spawn *only_spawn(const struct fth_matching *matching,
                                    const struct fth_group *world)
{
    struct fth_spawn *only = NULL;
    for (size_t i = 0; i < matching->spawn_count; i++) {
        struct fth_spawn *spawn = &matching->spawns[i];
        if (spawn->found ||
            !is_possible(matching, world, spawn->procs[spawn->root], spawn->start, spawn->most))
            continue;
        if (only)
            return NULL;
        only = spawn;
    }
    return only && !has_other_calls(matching, world) ? only : NULL;
}

static uint32_t parent_of(const struct fth_matching *matching, uint32_t proc)
{
    for (uint32_t i = 0;
         proc < matching->process_count && i < matching->processes[proc].mpi.member_count; i++)
        if (matching->processes[proc].mpi.members[i].origin == FTH_MEMBER_PARENT)
            return i;
    return FTH_NO_MEMBER;
}

/* Has somebody of this world a parent that is not known yet? */
static bool is_waiting(const struct fth_matching *matching, const struct fth_group *world)
{
    bool any = false;
    for (uint32_t i = 0; i < world->size; i++) {
        const struct fth_member *member =
            fth_match_member(matching, world->procs[i], world->members[i]);
        if (world->procs[i] < matching->process_count &&
            (!member || member->origin != FTH_MEMBER_WORLD))
            return false;
        const struct fth_member *parent =
            fth_match_member(matching, world->procs[i], parent_of(matching, world->procs[i]));
        if (parent && parent->group != FTH_NO_GROUP)
            return false;
        any |= parent != NULL;
    }
    return any;
}

/* Those who started them, and the world; a process of it begins behind the call that started it. */
static void join_world(struct fth_matching *matching, struct fth_spawn *spawn, uint32_t number)
{
    uint32_t size = matching->groups[number].size;
    struct fth_group *made = fth_match_add_group(matching, spawn->size + size, spawn->size);
    const struct fth_group *world = &matching->groups[number];
    memcpy(made->procs, spawn->procs, spawn->size * sizeof *made->procs);
    memcpy(made->members, spawn->members, spawn->size * sizeof *made->members);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t proc = world->procs[i];
        made->procs[spawn->size + i] = proc;
        made->members[spawn->size + i] = parent_of(matching, proc);
        if (proc < matching->process_count && matching->processes[proc].timeline_count)
            fth_clocks_edge(matching->clocks, spawn->begin,
                            (struct fth_event){matching->processes[proc].first_timeline, 0});
    }
    fth_match_place_members(matching);
    spawn->found = true;
}

bool fth_match_spawned(struct fth_matching *matching)
{
    size_t count = matching->spawn_count ? matching->group_count : 0;
    bool progress = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_waiting(matching, &matching->groups[i]))
            continue;
        struct fth_spawn *spawn = only_spawn(matching, &matching->groups[i]);
        if (!spawn)
            continue;
        join_world(matching, spawn, i);
        progress = true;
    }
    return progress;
}

void fth_match_free_spawns(struct fth_matching *matching)
{
    for (size_t i = 0; i < matching->spawn_count; i++) {
        free(matching->spawns[i].procs);
        free(matching->spawns[i].members);
    }
    free(matching->spawns);
}
