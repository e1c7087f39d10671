/* Commands that were begun with a request, and those that wait for them. */
#include "sim/world/world.h"

static bool is_meant(const struct fth_sim_activity *waiter, const struct fth_sim_activity *request)
{
    const struct fth_sim_command *command = &waiter->command;
    return !command->request || (request->command.request >= command->request &&
                                 request->command.request <= command->last_request);
}

/* Those that are done are over; the number of the others, to each of which `waiter` is made known
 * if it is to wait for them. Of those that are done, `any` is content with one: then nothing is
 * left to wait for. */
static uint32_t settle(struct fth_sim_activity *waiter, bool waits, bool any)
{
    uint32_t left = 0;
    struct fth_sim_activity *request = waiter->process->begun, *next;
    for (; request; request = next) {
        next = request->next_begun;
        waiter->process->world->engine.searched++;
        if (!is_meant(waiter, request))
            continue;
        if (request->is_done) {
            fth_sim_forget_request(request);
            if (any)
                return 0;
        } else {
            left++;
            if (waits)
                request->waiter = waiter;
        }
    }
    return left;
}

static int wait_all(struct fth_sim_activity *activity, int step)
{
    (void)step;
    activity->pending += settle(activity, true, false);
    return FTH_SIM_OVER;
}

static int wait_any(struct fth_sim_activity *activity, int step)
{
    (void)step;
    if (settle(activity, false, true) && settle(activity, true, true))
        activity->pending++;
    return FTH_SIM_OVER;
}

static int test(struct fth_sim_activity *activity, int step)
{
    (void)step;
    settle(activity, false, false);
    return FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_requests[] = {
    {FTH_SIM_WAIT, "Requests", wait_all, NULL},
    {FTH_SIM_WAITANY, "Requests", wait_any, NULL},
    {FTH_SIM_TEST, "Requests", test, NULL},
    {0, NULL, NULL, NULL},
};
