/* Who is in which communicator: see the header. The order room finds it out. */
#include "sim/replay/replay_groups.h"

#include "base/memory.h"
#include "order/feed_process.h"

#include <stdlib.h>

struct handle_key {
    uint64_t rank, handle;
};

struct making {
    struct fth_sim_groups *groups;
    uint32_t *rank_of; /* of processes of the trace, plus 1 */
    uint32_t ranks;
    uint32_t *colors, *keys; /* of the newest communicator, which is not made yet */
    uint32_t color;
};

/* ---- which calls ask for them ---- */

static bool is_one_of(const char *word, const char *const *words)
{
    for (; word && *words; words++)
        if (!strcmp(word, *words))
            return true;
    return false;
}

/* Messages say nothing of groups. */
static bool is_message(const struct fth_call *call)
{
    static const char *const kinds[] = {"send", "recv", "exchange", "probe", NULL};
    return is_one_of(call->function->kind, kinds);
}

/* Not one of its duplicates, whose messages do not meet its own. */
static bool is_world(const struct fth_handle *group)
{
    return group->name && !strcmp(group->name, "MPI_COMM_WORLD");
}

bool fth_sim_groups_needed(const struct fth_call *call, uint32_t rank, uint32_t ranks)
{
    static const char *const of_two_sides[] = {"inter", "spawn", "accept", "connect", "join", NULL};
    static const char *const with_some[] = {"neighbours", "start", "post", NULL};
    const struct fth_handle *group = call->group;
    if (is_one_of(call->function->builds, of_two_sides) ||
        is_one_of(call->function->orders, with_some))
        return true;
    if (!group || group->group_size == 1 || is_world(group))
        return false;
    return is_message(call) || !fth_sim_group_is_all(group, rank, ranks);
}

/* ---- communicators ---- */

static struct fth_sim_replay_group *place_of(struct fth_sim_groups *groups, uint32_t rank,
                                             uint64_t handle)
{
    struct handle_key key = {rank, handle};
    groups->places.size = sizeof(struct fth_sim_replay_group);
    return fth_keyed_get(&groups->places, &key, sizeof key);
}

static uint32_t rank_of(const struct making *making, const struct fth_order_group *group,
                        uint32_t place)
{
    uint32_t proc = group->procs[place];
    return proc == UINT32_MAX ? UINT32_MAX : making->rank_of[proc] - 1;
}

static void begin_communicator(struct making *making)
{
    making->color = 0;
    for (uint32_t i = 0; i < making->ranks; i++)
        making->colors[i] = FTH_SIM_NO_COLOR;
}

static void end_communicator(struct making *making)
{
    struct fth_sim_groups *groups = making->groups;
    if (!making->color)
        return;
    FTH_GROW(groups->communicators, groups->count);
    fth_sim_communicator_split(&groups->communicators[groups->count++], making->ranks,
                               making->colors, making->keys);
    begin_communicator(making);
}

static const struct fth_sim_replay_group *place_in(const struct making *making,
                                                   const struct fth_order_group *group, uint32_t i)
{
    return fth_sim_groups_find(making->groups, rank_of(making, group, i), group->handles[i]);
}

/* Those that nobody makes a call on need no communicator. */
static bool needs_communicator(const struct making *making, const struct fth_order_group *group)
{
    bool is_used = false, is_world = true;
    for (uint32_t i = 0; i < group->size; i++) {
        const struct fth_sim_replay_group *place = place_in(making, group, i);
        is_used |= place && place->is_used;
        is_world &= !place || !place->is_used || place->is_world;
    }
    return group->size > 1 && is_used && !is_world;
}

/* The number of the program's communicator that has these members. Groups without a process in
 * common become one communicator of the simulation. */
static uint32_t add_communicator(struct making *making, const struct fth_order_group *group)
{
    if (!needs_communicator(making, group))
        return 0;
    for (uint32_t i = 0; i < group->size; i++)
        if (making->colors[rank_of(making, group, i)] != FTH_SIM_NO_COLOR) {
            end_communicator(making);
            break;
        }
    for (uint32_t i = 0; i < group->size; i++) {
        making->colors[rank_of(making, group, i)] = making->color;
        making->keys[rank_of(making, group, i)] = i;
    }
    making->color++;
    return making->groups->count + 1;
}

/* ---- neighbours ---- */

static void add_rank(struct fth_sim_groups *groups, uint32_t rank)
{
    FTH_GROW(groups->ranks, groups->rank_count);
    groups->ranks[groups->rank_count++] = rank;
}

/* How often each of the members is heard of by which others: destinations[starts[i] .. starts[i +
 * 1]). */
struct heard {
    uint32_t *starts, *destinations;
};

static bool is_member(const struct fth_order_group *group, int64_t place)
{
    return place >= 0 && place < group->size;
}

static struct heard who_hears(const struct fth_order_group *group)
{
    struct heard heard = {fth_new(group->size + 2, sizeof(uint32_t)), NULL};
    for (uint32_t i = 0; i < group->size; i++)
        for (size_t k = 0; k < group->source_counts[i]; k++)
            if (is_member(group, group->sources[i][k]))
                heard.starts[group->sources[i][k] + 2]++;
    for (uint32_t i = 0; i < group->size; i++)
        heard.starts[i + 2] += heard.starts[i + 1];
    heard.destinations = fth_new(heard.starts[group->size + 1] + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < group->size; i++)
        for (size_t k = 0; k < group->source_counts[i]; k++)
            if (is_member(group, group->sources[i][k]))
                heard.destinations[heard.starts[group->sources[i][k] + 1]++] = i;
    return heard;
}

static void note_neighbours(struct fth_sim_groups *groups, struct fth_sim_replay_group *place,
                            const struct fth_order_group *group, uint32_t at,
                            const struct heard *heard)
{
    place->has_neighbours = true;
    place->is_disordered = group->disordered[at];
    place->neighbours = groups->rank_count;
    place->source_count = (uint32_t)group->source_counts[at];
    place->destination_count = heard->starts[at + 1] - heard->starts[at];
    for (size_t k = 0; k < group->source_counts[at]; k++)
        add_rank(groups, is_member(group, group->sources[at][k]) ? (uint32_t)group->sources[at][k]
                                                                 : UINT32_MAX);
    for (uint32_t k = heard->starts[at]; k < heard->starts[at + 1]; k++)
        add_rank(groups, heard->destinations[k]);
}

static bool all_are_known(const struct fth_order_group *group)
{
    for (uint32_t i = 0; i < group->size; i++)
        if (!group->sources[i])
            return false;
    return group->size > 0;
}

/* ---- what the order shows ---- */

static void note_group(void *context, const struct fth_order_group *group)
{
    struct making *making = context;
    struct heard heard = {NULL, NULL};
    for (uint32_t i = 0; i < group->size; i++)
        if (rank_of(making, group, i) == UINT32_MAX)
            return; /* somebody else is in it */
    uint32_t number = making->groups->group_count++;
    uint32_t communicator = add_communicator(making, group);
    bool has_neighbours = all_are_known(group);
    if (has_neighbours)
        heard = who_hears(group);
    for (uint32_t i = 0; i < group->size; i++) {
        bool is_first = i < group->split;
        struct fth_sim_replay_group *place =
            place_of(making->groups, rank_of(making, group, i), group->handles[i]);
        place->kind = group->size == 1 ? FTH_SIM_GROUP_SELF : FTH_SIM_GROUP_KNOWN;
        place->communicator = communicator;
        place->group = number;
        place->has_sides = group->split != group->size;
        place->own = is_first ? 0 : group->split;
        place->other = is_first && place->has_sides ? group->split : 0;
        place->other_size = is_first ? group->size - group->split : group->split;
        if (has_neighbours)
            note_neighbours(making->groups, place, group, i, &heard);
    }
    free(heard.starts);
    free(heard.destinations);
}

static void note_epoch(void *context, const struct fth_order_epoch *epoch)
{
    struct making *making = context;
    struct fth_sim_groups *groups = making->groups;
    if (!making->rank_of[epoch->proc])
        return;
    struct fth_sim_replay_group *place =
        place_of(groups, making->rank_of[epoch->proc] - 1, epoch->window);
    struct fth_sim_epochs *epochs = epoch->reaches ? &place->reaches : &place->exposed;
    uint32_t *ranks = fth_new(epoch->count + 1, sizeof *ranks);
    bool is_known = epoch->procs;
    for (uint32_t i = 0; i < epoch->count; i++) {
        ranks[i] = making->rank_of[epoch->procs[i]] - 1;
        is_known &= ranks[i] != UINT32_MAX;
    }
    FTH_GROW(epochs->lists, epochs->count);
    epochs->lists[epochs->count++] =
        is_known ? fth_intern(&groups->lists, ranks, epoch->count * sizeof *ranks)
                 : FTH_SIM_NO_LIST;
    free(ranks);
}

/* ---- all of it ---- */

static enum fth_order_wish note_call(void *context, const struct fth_call *call)
{
    const struct making *making = context;
    if (call->group) {
        struct fth_sim_replay_group *place =
            place_of(making->groups, making->rank_of[call->proc] - 1, call->group->number);
        place->is_used = true;
        place->is_world = is_world(call->group);
    }
    return is_message(call) ? FTH_ORDER_LEAVE : FTH_ORDER_TAKE;
}

int fth_sim_groups_make(struct fth_sim_groups *groups, struct fth_trace *trace, const size_t *procs,
                        uint32_t ranks, struct fth_error **error)
{
    struct making making = {.groups = groups,
                            .rank_of = fth_new(fth_trace_process_count(trace), sizeof(uint32_t)),
                            .ranks = ranks,
                            .colors = fth_new(ranks, sizeof(uint32_t)),
                            .keys = fth_new(ranks, sizeof(uint32_t))};
    struct fth_order *order = fth_order_new(trace);
    int result = 0;
    groups->are_known = true;
    begin_communicator(&making);
    for (uint32_t rank = 0; rank < ranks; rank++)
        making.rank_of[procs[rank]] = rank + 1;
    for (uint32_t rank = 0; rank < ranks && !result; rank++)
        result = fth_order_feed_process(order, trace, procs[rank], note_call, &making, error);
    struct fth_order_options options = {
        .group = note_group, .epoch = note_epoch, .group_context = &making, .only_edges = true};
    if (!result && !fth_order_settle(order, options, error))
        result = -1;
    end_communicator(&making);
    fth_order_free(order);
    free(making.rank_of);
    free(making.colors);
    free(making.keys);
    return result;
}

struct fth_sim_replay_group *fth_sim_groups_find(const struct fth_sim_groups *groups, uint32_t rank,
                                                 uint64_t handle)
{
    struct handle_key key = {rank, handle};
    uint32_t number;
    return fth_keyed_number(&groups->places, &key, sizeof key, &number)
               ? fth_keyed_item(&groups->places, number)
               : NULL;
}

const uint32_t *fth_sim_groups_list(const struct fth_sim_groups *groups, uint32_t list,
                                    uint32_t *count)
{
    size_t length;
    const void *ranks = fth_interned(&groups->lists, list, &length);
    *count = (uint32_t)(length / sizeof(uint32_t));
    return ranks;
}

void fth_sim_groups_drop(struct fth_sim_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        fth_sim_communicator_free(&groups->communicators[i]);
    for (uint32_t i = 0; i < fth_keyed_count(&groups->places); i++) {
        struct fth_sim_replay_group *place = fth_keyed_item(&groups->places, i);
        free(place->reaches.lists);
        free(place->exposed.lists);
    }
    free(groups->communicators);
    free(groups->ranks);
    fth_keyed_free(&groups->places);
    fth_intern_free(&groups->lists);
}
