/* Collective commands other than broadcasts. */
#include "sim/method.h"

enum { HEADER = 20, TAG = 7 };

/* Everybody to the root, the root to everybody. */
static int barrier_direct(struct fth_sim_activity *activity, int step)
{
    enum { START, RELEASE };
    uint32_t count = fth_sim_ranks(activity);
    if (count == 1)
        return FTH_SIM_OVER;
    if (fth_sim_rank(activity)) {
        fth_sim_send(activity, 0, HEADER, TAG, FTH_SIM_MESSAGE);
        fth_sim_receive(activity, 0, TAG, FTH_SIM_MESSAGE);
        return FTH_SIM_OVER;
    }
    for (uint32_t i = 1; i < count; i++) {
        if (step == START)
            fth_sim_receive(activity, i, TAG, FTH_SIM_MESSAGE);
        else
            fth_sim_send(activity, i, HEADER, TAG, FTH_SIM_MESSAGE);
    }
    return step == START ? RELEASE : FTH_SIM_OVER;
}

const struct fth_sim_method fth_sim_collectives[] = {
    {FTH_SIM_BARRIER, "Direct", barrier_direct, NULL},
    {0, NULL, NULL, NULL},
};
