/* Who takes turns: one at a time, in the order in which they come. Inner header of the sim room. */
#ifndef FTH_SIM_TURN_QUEUE_H
#define FTH_SIM_TURN_QUEUE_H

#include <stdbool.h>

struct fth_sim_activity;

/* Begins zeroed. */
struct fth_sim_turns {
    bool is_taken;
    struct fth_sim_activity *first, *last; /* that wait */
};

/* The step of the activity is over when it is its turn; whether it has to wait for that. Whoever
 * has had it gives it on. */
bool fth_sim_turn_take(struct fth_sim_turns *turns, struct fth_sim_activity *activity);
void fth_sim_turn_give(struct fth_sim_turns *turns);

#endif
