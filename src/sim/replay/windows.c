/* One-sided communication: calls that put and get are begun, and the calls that end an epoch wait for them. */
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
    window->group = fth_sim_actor_group(replay, actor, call, &window->communicator);
    window->is_known = window->group == FTH_SIM_GROUP_KNOWN;
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
                             const struct fth_sim_sense *sense, const struct fth_call *call)
{
    const struct window *window = window_of(actor, call);
    if (window && window->is_known)
        wait_for_all(replay, actor, call);
    if (sense->verb != FTH_SIM_BARRIER || !window || window->group == FTH_SIM_GROUP_SELF)
        return window != NULL;
    if (!window->is_known)
        return false;
    struct fth_sim_command barrier = {.verb = FTH_SIM_BARRIER,
                                      .communicator = window->communicator};
    fth_sim_actor_act(replay, actor, call, &barrier);
    return true;
}

bool fth_sim_actor_window(struct actor *actor, const struct fth_call *call, uint32_t *communicator)
{
    const struct window *window = window_of(actor, call);
    if (!window || !window->is_known)
        return false;
    *communicator = window->communicator;
    return true;
}

void fth_sim_actor_visit(struct replay *replay, struct actor *actor, const struct fth_call *call,
                         const struct fth_sim_command *command)
{
    struct fth_sim_command begun = *command;
    begun.request = FIRST_REQUEST + actor->visits++ % MOST_REQUESTS;
    fth_sim_actor_act(replay, actor, call, &begun);
}
