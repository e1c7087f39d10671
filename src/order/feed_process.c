/* For those who want to know what the order finds, and nothing of moments. */
#include "order/feed_process.h"

int fth_order_feed_process(struct fth_order *order, struct fth_trace *trace, size_t proc,
                           enum fth_order_wish (*see)(void *context, const struct fth_call *call),
                           void *context, struct fth_error **error)
{
    struct fth_call call;
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, error);
    if (!calls)
        return -1;
    struct fth_order_builder *builder = fth_order_feed(order, proc);
    enum fth_order_wish wish = FTH_ORDER_TAKE;
    int result = 0;
    while (wish != FTH_ORDER_LAST && (result = fth_calls_next(calls, &call, error)) > 0) {
        wish = see(context, &call);
        if (wish != FTH_ORDER_LEAVE && !fth_order_call(builder, &call, error)) {
            result = -1;
            break;
        }
    }
    fth_order_feed_end(builder);
    fth_calls_close(calls);
    return result < 0 ? -1 : 0;
}
