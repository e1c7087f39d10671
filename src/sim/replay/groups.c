/* Who is in which communicator: see the header. The first collective call on it of each of its processes belong together, which the order room finds out, and
 * that is who they are. */
#include "sim/replay/groups.h"

#include "base/memory.h"
#include "order/order.h"

#include <stdlib.h>

struct handle_key {
    uint64_t rank, handle;
};
struct call_key {
    uint64_t proc, thread, call;
};

struct making {
    struct fth_sim_groups *groups;
    uint32_t *rank_of; /* of processes of the trace, plus 1 */
    uint32_t ranks;
    struct fth_keyed firsts; /* first collective calls of communicators: struct handle_key */
    uint32_t *colors, *keys; /* of the newest communicator, which is not made yet */
    uint32_t color;
};

static uint32_t *number_of(struct fth_sim_groups *groups, uint32_t rank, uint64_t handle)
{
    struct handle_key key = {rank, handle};
    groups->numbers.size = sizeof(uint32_t);
    return fth_keyed_get(&groups->numbers, &key, sizeof key);
}

/* The first collective call of a communicator. */
static void note_call(struct making *making, uint32_t rank, const struct fth_call *call)
{
    if (!call->collective || !fth_sim_group_is_part(call, rank, making->ranks))
        return;
    uint32_t *number = number_of(making->groups, rank, call->group->number);
    if (*number)
        return;
    *number = UINT32_MAX;
    struct call_key key = {call->proc, call->thread, call->number};
    struct handle_key *handle = fth_keyed_get(&making->firsts, &key, sizeof key);
    *handle = (struct handle_key){rank, call->group->number};
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

static struct handle_key *first_of(struct making *making, const struct fth_order_member *member)
{
    struct call_key key = {member->proc, member->thread, member->call};
    uint32_t number;
    return fth_intern_find(&making->firsts.keys, &key, sizeof key, &number)
               ? fth_keyed_item(&making->firsts, number)
               : NULL;
}

/* Calls that belong together, in the order of ranks. Groups without a process in common become one communicator of the simulation. */
static void together(void *context, const struct fth_order_member *members, size_t count)
{
    struct making *making = context;
    if (!count || !first_of(making, &members[0]))
        return;
    for (size_t i = 0; i < count; i++)
        if (!making->rank_of[members[i].proc] || !first_of(making, &members[i]))
            return;
    for (size_t i = 0; i < count; i++)
        if (making->colors[making->rank_of[members[i].proc] - 1] != FTH_SIM_NO_COLOR) {
            end_communicator(making);
            break;
        }
    for (size_t i = 0; i < count; i++) {
        const struct handle_key *handle = first_of(making, &members[i]);
        uint32_t rank = making->rank_of[members[i].proc] - 1;
        making->colors[rank] = making->color;
        making->keys[rank] = (uint32_t)i;
        *number_of(making->groups, rank, handle->handle) = making->groups->count + 1;
    }
    making->color++;
}

static int feed(struct making *making, struct fth_order *order, struct fth_trace *trace,
                size_t proc, uint32_t rank, struct fth_error **error)
{
    struct fth_call call;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, error);
    if (!calls)
        return -1;
    struct fth_order_feeder *feeder = fth_order_feed(order, proc);
    int result;
    while ((result = fth_calls_next(calls, &call, error)) > 0) {
        note_call(making, rank, &call);
        if (!fth_order_call(feeder, &call, error)) {
            result = -1;
            break;
        }
    }
    fth_order_feed_end(feeder);
    fth_calls_close(calls);
    return result;
}

/* What turned out to be unknown has no number. */
static void forget_unknown(struct fth_sim_groups *groups)
{
    for (uint32_t i = 0; i < fth_keyed_count(&groups->numbers); i++) {
        uint32_t *number = fth_keyed_item(&groups->numbers, i);
        if (*number == UINT32_MAX)
            *number = 0;
    }
}

int fth_sim_groups_make(struct fth_sim_groups *groups, struct fth_trace *trace, const size_t *procs,
                        uint32_t ranks, struct fth_error **error)
{
    struct making making = {.groups = groups,
                            .rank_of = fth_new(fth_trace_process_count(trace), sizeof(uint32_t)),
                            .ranks = ranks,
                            .firsts = {.size = sizeof(struct handle_key)},
                            .colors = fth_new(ranks, sizeof(uint32_t)),
                            .keys = fth_new(ranks, sizeof(uint32_t))};
    struct fth_order *order = fth_order_new(trace);
    int result = 0;
    begin_communicator(&making);
    for (uint32_t rank = 0; rank < ranks && !result; rank++) {
        making.rank_of[procs[rank]] = rank + 1;
        result = feed(&making, order, trace, procs[rank], rank, error);
    }
    struct fth_order_options options = {
        .together = together, .together_context = &making, .only_edges = true};
    if (!result && !fth_order_settle(order, options, error))
        result = -1;
    end_communicator(&making);
    forget_unknown(groups);
    fth_order_free(order);
    fth_keyed_free(&making.firsts);
    free(making.rank_of);
    free(making.colors);
    free(making.keys);
    return result;
}

uint32_t fth_sim_groups_find(const struct fth_sim_groups *groups, uint32_t rank, uint64_t handle)
{
    struct handle_key key = {rank, handle};
    uint32_t number;
    return fth_intern_find(&groups->numbers.keys, &key, sizeof key, &number)
               ? *(const uint32_t *)fth_keyed_item(&groups->numbers, number)
               : 0;
}

void fth_sim_groups_drop(struct fth_sim_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        fth_sim_communicator_free(&groups->communicators[i]);
    free(groups->communicators);
    fth_keyed_free(&groups->numbers);
}
