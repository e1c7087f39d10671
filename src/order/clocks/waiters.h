/* Timelines that wait for steps of another one. Inner header of the order room. */
#ifndef FTH_ORDER_CLOCKS_WAITERS_H
#define FTH_ORDER_CLOCKS_WAITERS_H

#include "order/clocks/versions.h"

/* Timeline `number`, which waits for nothing else, waits for an event. O(1). */
void fth_waiters_add(struct fth_thread_clock *timelines, struct fth_event event, uint32_t number);
/* Of those that wait for the timeline, takes one away that waits for the lowest step. There is one.
 * O(log n), on average. */
uint32_t fth_waiters_take(struct fth_thread_clock *timelines, struct fth_thread_clock *timeline);

#endif
