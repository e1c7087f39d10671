/* One-sided communication: calls that put and get are begun, and the calls that end an epoch wait
 * for them. */
#include "sim/replay/actor.h"

#include "base/memory.h"

/* Numbers of their requests, behind those of files. */
enum { FIRST_REQUEST = 1 << 25, MOST_REQUESTS = 1 << 24 };

static struct window *window_of(struct actor *actor, const struct fth_call *call)
{
    enum { MOST_HANDLES = 1 << 22 };
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        if (strcmp(handle->handle_class, "win") || handle->number >= MOST_HANDLES)
            continue;
        uint32_t number = (uint32_t)handle->number;
        actor->windows =
            fth_reach(actor->windows, &actor->window_limit, number, sizeof *actor->windows);
        return &actor->windows[number];
    }
    return NULL;
}

void fth_sim_actor_new_window(struct replay *replay, struct actor *actor,
                              const struct fth_call *call)
{
    struct window *window = window_of(actor, call);
    if (!window)
        return;
    const struct fth_sim_replay_group *place = fth_sim_actor_place(replay, actor, call);
    window->kind = place->kind;
    window->communicator = place->communicator;
}

static void wait_for_all(struct replay *replay, struct actor *actor, const struct fth_call *call)
{
    if (actor->visits_over == actor->visits)
        return;
    struct fth_sim_command wait = {.verb = FTH_SIM_WAIT,
                                   .request = FIRST_REQUEST,
                                   .last_request = FIRST_REQUEST + MOST_REQUESTS};
    actor->visits_over = actor->visits;
    fth_sim_actor_act(replay, actor, call, &wait);
}

bool fth_sim_actor_end_epoch(struct replay *replay, struct actor *actor,
                             const struct fth_sim_semantics *semantics, const struct fth_call *call)
{
    const struct window *window = window_of(actor, call);
    if (window && window->kind == FTH_SIM_GROUP_KNOWN)
        wait_for_all(replay, actor, call);
    if (semantics->verb != FTH_SIM_BARRIER || !window || window->kind == FTH_SIM_GROUP_SELF)
        return window != NULL;
    if (window->kind != FTH_SIM_GROUP_KNOWN)
        return false;
    struct fth_sim_command barrier = {.verb = FTH_SIM_BARRIER,
                                      .communicator = window->communicator};
    fth_sim_actor_act(replay, actor, call, &barrier);
    return true;
}

/* ---- epochs between some of the members ---- */

/* The processes of an epoch of a window, which the order has found; NULL: nobody knows them. */
static const struct fth_sim_replay_group *
place_of(const struct replay *replay, const struct actor *actor, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (!strcmp(call->uses[i].handle->handle_class, "win"))
            return fth_sim_groups_find(&replay->groups, actor->rank, call->uses[i].handle->number);
    return NULL;
}

enum { EXPOSED, OVER };

/* Notifies that an epoch begins or ends, or awaits it: messages of one kind about one window have
 * one tag. */
static bool act_in_epoch(struct replay *replay, struct actor *actor, const struct fth_call *call,
                         enum fth_sim_verb verb, bool reaches, uint32_t turn, uint32_t what)
{
    const struct fth_sim_replay_group *place = place_of(replay, actor, call);
    const struct fth_sim_epochs *epochs = !place    ? NULL
                                          : reaches ? &place->reaches
                                                    : &place->exposed;
    if (!epochs || turn >= epochs->count || epochs->lists[turn] == FTH_SIM_NO_LIST)
        return false;
    struct fth_sim_command command = {.verb = verb, .tag = 2 * place->group + what};
    uint32_t count;
    const uint32_t *ranks = fth_sim_groups_list(&replay->groups, epochs->lists[turn], &count);
    for (uint32_t i = 0; i < count; i++) {
        actor->extents = fth_reach(actor->extents, &actor->extent_limit, i, sizeof *actor->extents);
        actor->extents[i] = (struct fth_sim_extent){ranks[i], 0};
    }
    command.ranges = (struct fth_sim_ranges){.count = count, .list = actor->extents};
    fth_sim_actor_act(replay, actor, call, &command);
    return true;
}

/* Who reaches others waits for them with the first put or get at the latest. */
static void await_exposure(struct replay *replay, struct actor *actor, const struct fth_call *call,
                           struct window *window)
{
    if (!window->is_reaching || window->is_awaited)
        return;
    window->is_awaited = true;
    act_in_epoch(replay, actor, call, FTH_SIM_AWAIT, true, window->reaches, EXPOSED);
}

void fth_sim_actor_epoch(struct replay *replay, struct actor *actor,
                         const struct fth_sim_semantics *semantics, const struct fth_call *call)
{
    struct window *window = window_of(actor, call);
    const struct fth_value *flag = fth_sim_value_of(call, semantics->outs[0]);
    bool is_known = window;
    if (!window || (semantics->outs[0] >= 0 && !flag->integer) || replay->options.without_messages)
        return;
    switch (semantics->what) {
    case FTH_SIM_IS_START:
        window->is_reaching = true;
        window->is_awaited = false;
        break;
    case FTH_SIM_IS_COMPLETE:
        await_exposure(replay, actor, call, window);
        wait_for_all(replay, actor, call);
        is_known = act_in_epoch(replay, actor, call, FTH_SIM_NOTIFY, true, window->reaches++, OVER);
        window->is_reaching = false;
        break;
    case FTH_SIM_IS_POST:
        is_known =
            act_in_epoch(replay, actor, call, FTH_SIM_NOTIFY, false, window->exposed, EXPOSED);
        break;
    default:
        is_known = act_in_epoch(replay, actor, call, FTH_SIM_AWAIT, false, window->exposed++, OVER);
    }
    if (!is_known)
        fth_sim_lose(replay, semantics, FTH_SIM_LOST_GROUP);
}

bool fth_sim_actor_window(struct actor *actor, const struct fth_call *call, uint32_t *communicator)
{
    const struct window *window = window_of(actor, call);
    if (!window || window->kind != FTH_SIM_GROUP_KNOWN)
        return false;
    *communicator = window->communicator;
    return true;
}

void fth_sim_actor_visit(struct replay *replay, struct actor *actor, const struct fth_call *call,
                         const struct fth_sim_command *command)
{
    struct fth_sim_command begun = *command;
    await_exposure(replay, actor, call, window_of(actor, call));
    begun.request = FIRST_REQUEST + actor->visits++ % MOST_REQUESTS;
    fth_sim_actor_act(replay, actor, call, &begun);
}
