/* The calls of a process, with their handles, on their way into the order. */
#ifndef FTH_ORDER_FEED_PROCESS_H
#define FTH_ORDER_FEED_PROCESS_H

#include "order/order.h"

enum fth_order_wish { FTH_ORDER_TAKE, FTH_ORDER_LEAVE, FTH_ORDER_LAST /* take, and no more */ };

/* `see` has each call before the order has it, and says whether it is to have it. Returns 0, or -1
 * with *error set. */
int fth_order_feed_process(struct fth_order *order, struct fth_trace *trace, size_t proc,
                           enum fth_order_wish (*see)(void *context, const struct fth_call *call),
                           void *context, struct fth_error **error);

#endif
