/* Activities that wait for their turn, in a list: see the header. */
#include "sim/io/turn_queue.h"

#include "sim/world/world.h"

bool fth_sim_turn_take(struct fth_sim_turns *turns, struct fth_sim_activity *activity)
{
    if (!turns->is_taken) {
        turns->is_taken = true;
        return false;
    }
    activity->pending++;
    activity->next_in_turn = NULL;
    *(turns->first ? &turns->last->next_in_turn : &turns->first) = activity;
    turns->last = activity;
    return true;
}

void fth_sim_turn_give(struct fth_sim_turns *turns)
{
    struct fth_sim_activity *next = turns->first;
    turns->is_taken = next != NULL;
    if (!next)
        return;
    turns->first = next->next_in_turn;
    fth_sim_operation_over(next);
}
