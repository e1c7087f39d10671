/* What members of a communicator do as a group: meet without messages, and stand in a chain as they
 * are placed. */
#include "sim/io/storage.h"
#include "sim/world/world.h"

#include "base/memory.h"

/* A command for which some are there. */
struct fth_sim_gathering {
    struct fth_sim_gathering *next;
    const struct fth_sim_method *method;
    uint32_t communicator, group, instance, count;
    struct fth_sim_activity *first, *last;
};

static struct fth_sim_gathering *find_gathering(struct fth_sim_activity *activity, uint32_t group)
{
    struct fth_sim_world *world = activity->process->world;
    for (struct fth_sim_gathering *at = world->gatherings; at; at = at->next)
        if (at->communicator == activity->command.communicator && at->group == group &&
            at->instance == activity->instance && at->method == activity->method)
            return at;
    struct fth_sim_gathering *gathering = fth_new(1, sizeof *gathering);
    *gathering = (struct fth_sim_gathering){.next = world->gatherings,
                                            .method = activity->method,
                                            .communicator = activity->command.communicator,
                                            .group = group,
                                            .instance = activity->instance};
    world->gatherings = gathering;
    return gathering;
}

static void dissolve(struct fth_sim_world *world, struct fth_sim_gathering *gathering)
{
    struct fth_sim_gathering **at = &world->gatherings;
    while (*at != gathering)
        at = &(*at)->next;
    *at = gathering->next;
    struct fth_sim_activity *member = gathering->first, *next;
    for (; member; member = next) {
        next = member->next_gathered;
        fth_sim_operation_over(member);
    }
    free(gathering);
}

void fth_sim_gather_all(struct fth_sim_activity *activity)
{
    const struct fth_sim_communicator *group = fth_sim_group(activity);
    struct fth_sim_gathering *gathering =
        find_gathering(activity, group ? group->first[activity->process->rank] : 0);
    activity->pending++;
    activity->next_gathered = NULL;
    if (gathering->first)
        gathering->last->next_gathered = activity;
    else
        gathering->first = activity;
    gathering->last = activity;
    if (++gathering->count == fth_sim_ranks(activity))
        dissolve(activity->process->world, gathering);
}

struct placed {
    uint32_t group, node, process;
};

static int compare(const void *one, const void *other)
{
    const struct placed *a = one, *b = other;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

static uint32_t node_of(const struct fth_sim_world *world, uint32_t process)
{
    return (uint32_t)(world->processes[process].processor - world->processors);
}

bool fth_sim_are_on_one_node(const struct fth_sim_activity *activity, uint32_t one, uint32_t other)
{
    const struct fth_sim_world *world = activity->process->world;
    return node_of(world, fth_sim_process_of(activity, one)) ==
           node_of(world, fth_sim_process_of(activity, other));
}

static void build_chain(const struct fth_sim_world *world, struct fth_sim_chain *chain,
                        const struct fth_sim_communicator *group)
{
    uint32_t ranks = world->program->ranks, count = 0;
    struct placed *placed = fth_new(ranks, sizeof *placed);
    for (uint32_t i = 0; i < ranks; i++)
        if (!group || group->size[i])
            placed[count++] = (struct placed){group ? group->first[i] : 0, node_of(world, i), i};
    qsort(placed, count, sizeof *placed, compare);
    chain->order = fth_new(ranks, sizeof *chain->order);
    chain->place = fth_new(ranks, sizeof *chain->place);
    /* Groups come in the order of their first members, so places in all are places in `order`. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t process = placed[i].process;
        chain->order[i] = group ? group->rank[process] : process;
        chain->place[process] = i - placed[i].group;
    }
    free(placed);
}

/* The activity's part of the chain, and where in it the root's node begins. */
static const uint32_t *find_chain(struct fth_sim_activity *activity, const uint32_t **place,
                                  uint32_t *begin)
{
    struct fth_sim_world *world = activity->process->world;
    const struct fth_sim_communicator *group = fth_sim_group(activity);
    struct fth_sim_chain *chain = &world->chains[activity->command.communicator];
    if (!chain->order)
        build_chain(world, chain, group);
    const uint32_t *order = chain->order + (group ? group->first[activity->process->rank] : 0);
    uint32_t root = fth_sim_process_of(activity, activity->command.root);
    *place = chain->place;
    *begin = chain->place[root];
    while (*begin &&
           node_of(world, fth_sim_process_of(activity, order[*begin - 1])) == node_of(world, root))
        --*begin;
    return order;
}

/* The root changes places with the first one of its node. */
uint32_t fth_sim_chain_rank(struct fth_sim_activity *activity, uint32_t place)
{
    const uint32_t *places;
    uint32_t begin, root = activity->command.root;
    const uint32_t *order = find_chain(activity, &places, &begin);
    uint32_t rank = order[(begin + place) % fth_sim_ranks(activity)];
    return place == 0 ? root : rank == root ? order[begin] : rank;
}

uint32_t fth_sim_chain_place(struct fth_sim_activity *activity, uint32_t rank)
{
    const uint32_t *places;
    uint32_t begin, root = activity->command.root, count = fth_sim_ranks(activity);
    const uint32_t *order = find_chain(activity, &places, &begin);
    if (rank == root)
        return 0;
    uint32_t at = rank == order[begin] ? root : rank;
    return (places[fth_sim_process_of(activity, at)] + count - begin) % count;
}

void fth_sim_groups_free(struct fth_sim_world *world)
{
    for (struct fth_sim_gathering *at = world->gatherings, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    while (world->meetings) {
        struct fth_sim_meeting *meeting = world->meetings;
        world->meetings = meeting->next;
        fth_sim_meeting_free(meeting);
    }
    for (uint32_t i = 0; i <= world->program->communicator_count; i++) {
        free(world->instances[i]);
        free(world->chains[i].order);
        free(world->chains[i].place);
    }
    free(world->instances);
    free(world->chains);
}
