/* A pairing heap: each timeline waits for one other at most, and is its own node there. So a
 * process that thousands of others wait for, each for another step, wakes those whose step has
 * come. */
#include "order/clocks/waiters.h"

static uint32_t join(struct fth_thread_clock *timelines, uint32_t one, uint32_t other)
{
    if (one == FTH_NO_TIMELINE)
        return other;
    if (other == FTH_NO_TIMELINE)
        return one;
    bool is_first = timelines[one].waits_for <= timelines[other].waits_for;
    uint32_t first = is_first ? one : other, below = is_first ? other : one;
    timelines[below].sibling = timelines[first].child;
    timelines[first].child = below;
    return first;
}

void fth_waiters_add(struct fth_thread_clock *timelines, struct fth_event event, uint32_t number)
{
    uint32_t *root = &timelines[event.timeline].first_waiter;
    timelines[number].child = FTH_NO_TIMELINE;
    timelines[number].waits_for = event.step;
    *root = join(timelines, *root, number);
}

uint32_t fth_waiters_take(struct fth_thread_clock *timelines, struct fth_thread_clock *timeline)
{
    uint32_t first = timeline->first_waiter, pairs = FTH_NO_TIMELINE, left = FTH_NO_TIMELINE;
    for (uint32_t one = timelines[first].child, next; one != FTH_NO_TIMELINE; one = next) {
        uint32_t other = timelines[one].sibling;
        next = other == FTH_NO_TIMELINE ? other : timelines[other].sibling;
        uint32_t both = join(timelines, one, other);
        timelines[both].sibling = pairs;
        pairs = both;
    }
    for (uint32_t next; pairs != FTH_NO_TIMELINE; pairs = next) {
        next = timelines[pairs].sibling;
        left = join(timelines, left, pairs);
    }
    timeline->first_waiter = left;
    return first;
}
