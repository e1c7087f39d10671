/* Keeps the threads of a process in order in a replay: a call waits for those of other threads that
 * were over, and that it has to do with (repeat/what/thread_order.h). Inner header of the repeat
 * room. */
#ifndef FTH_REPEAT_ORDER_THREADS_H
#define FTH_REPEAT_ORDER_THREADS_H

#include "repeat/script/encoder.h"

/* Of encoder->proc: reads its calls once. -1 and *error: the trace is damaged. */
int fth_order_threads_open(struct fth_encoder *encoder, struct fth_error **error);
void fth_order_threads_close(struct fth_encoder *encoder);

/* Its calls, once more: before what is encoded of each, and behind it. */
void fth_order_threads_call(struct fth_encoder *encoder, const struct fth_call *call,
                            const struct fth_recipe *recipe);
void fth_order_threads_done(struct fth_encoder *encoder, const struct fth_call *call);

/* What is repeated of the process; NULL: the call is not. */
struct fth_recipe *fth_order_threads_recipe(const struct fth_encoder *encoder,
                                            const struct fth_call *call,
                                            const struct fth_repeat_way *way);

#endif
