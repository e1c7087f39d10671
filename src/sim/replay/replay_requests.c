/* Requests of MPI: operations that are begun, persistent ones, and who waits for them. */
#include "sim/replay/actor.h"

#include "base/memory.h"

#include <string.h>

static struct slot *slot_of(struct actor *actor, int64_t number)
{
    enum { MOST_SLOTS = 1 << 22 };
    if (number < 0 || number >= MOST_SLOTS)
        return NULL;
    actor->slots =
        fth_reach(actor->slots, &actor->slot_limit, (uint32_t)number, sizeof *actor->slots);
    return &actor->slots[number];
}

static void wait_for(const struct replay *replay, struct actor *actor, const struct fth_call *call,
                     int64_t number)
{
    struct slot *slot = slot_of(actor, number);
    if (!slot || !slot->pending)
        return;
    slot->pending = false;
    uint32_t request = (uint32_t)number + 1;
    fth_sim_actor_act(replay, actor, call,
                      &(struct fth_sim_command){
                          .verb = FTH_SIM_WAIT, .request = request, .last_request = request});
}

/* A number is used again: nobody was seen to wait for what it stood for before. */
static void begin(const struct replay *replay, struct actor *actor, const struct fth_call *call,
                  int64_t number, const struct fth_sim_command *command)
{
    struct slot *slot = slot_of(actor, number);
    if (!slot)
        return;
    wait_for(replay, actor, call, number);
    slot->pending = true;
    struct fth_sim_command begun = *command;
    begun.request = (uint32_t)number + 1;
    fth_sim_actor_act(replay, actor, call, &begun);
}

static size_t requests_in(const struct fth_value *value)
{
    return value->type == FTH_VALUE_HANDLE    ? 1
           : value->type == FTH_VALUE_HANDLES ? value->count
                                              : 0;
}

static int64_t request_in(const struct fth_value *value, size_t index)
{
    return value->type == FTH_VALUE_HANDLE ? value->integer : value->integers[index];
}

/* Which of its requests a call found complete is known from what it gave back: nothing (all of
 * them), a flag, an index, or how many and which. */
void fth_sim_actor_wait(const struct replay *replay, struct actor *actor,
                        const struct fth_sim_semantics *semantics, const struct fth_call *call)
{
    const struct fth_value *requests = fth_sim_value_of(call, semantics->requests);
    const struct fth_value *first = fth_sim_value_of(call, semantics->outs[0]);
    const struct fth_value *indices = fth_sim_value_of(call, semantics->indices);
    size_t count = requests_in(requests);
    if (semantics->indices >= 0) {
        for (size_t i = 0;
             i < indices->count && first->type == FTH_VALUE_INTEGER && (int64_t)i < first->integer;
             i++)
            if (indices->integers[i] >= 0 && (size_t)indices->integers[i] < count)
                wait_for(replay, actor, call, request_in(requests, (size_t)indices->integers[i]));
        return;
    }
    bool has_flag = semantics->is_test;
    bool has_index = semantics->outs[0] >= 0 && (!has_flag || semantics->outs[1] >= 0);
    const struct fth_value *flag = fth_sim_value_of(call, semantics->outs[has_index]);
    if (has_flag && (flag->type != FTH_VALUE_INTEGER || !flag->integer))
        return;
    for (size_t i = 0; i < count; i++)
        if (!has_index || (first->type == FTH_VALUE_INTEGER && first->integer == (int64_t)i))
            wait_for(replay, actor, call, request_in(requests, i));
}

void fth_sim_actor_start(const struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call)
{
    const struct fth_value *requests = fth_sim_value_of(call, semantics->requests);
    for (size_t i = 0; i < requests_in(requests); i++) {
        int64_t number = request_in(requests, i);
        const struct slot *slot = slot_of(actor, number);
        if (slot && slot->persistent)
            begin(replay, actor, call, number, &actor->persistent[slot->persistent - 1]);
    }
}

/* A persistent request outlives the list of its call. */
static void keep_list(struct fth_sim_ranges *ranges)
{
    if (!ranges->list)
        return;
    struct fth_sim_extent *list = fth_new(ranges->count, sizeof *list);
    ranges->list = memcpy(list, ranges->list, ranges->count * sizeof *list);
}

void fth_sim_actor_issue(const struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call,
                         const struct fth_sim_command *command)
{
    const struct fth_value *made = fth_sim_value_of(call, semantics->made);
    if (semantics->made < 0) {
        fth_sim_actor_act(replay, actor, call, command);
    } else if (made->type == FTH_VALUE_HANDLE && call->function->nonblocking) {
        begin(replay, actor, call, made->integer, command);
    } else if (made->type == FTH_VALUE_HANDLE) {
        struct slot *slot = slot_of(actor, made->integer);
        if (!slot)
            return;
        FTH_GROW(actor->persistent, actor->persistent_count);
        actor->persistent[actor->persistent_count] = *command;
        keep_list(&actor->persistent[actor->persistent_count++].ranges);
        slot->persistent = actor->persistent_count;
    }
}
