/* Where a process starts another one, waits for its end or becomes it, as steps between its calls.
 * Inner header of the proxy room. */
#ifndef FTH_PROXY_RELATIVES_STEPS_H
#define FTH_PROXY_RELATIVES_STEPS_H

#include "proxy/kept_calls.h"

/* The relatives of kept->scope is there. */
void fth_relatives_steps_open(struct fth_proxy_calls *kept, const struct fth_trace *trace,
                              size_t proc);
void fth_relatives_steps_close(struct fth_proxy_calls *kept);
/* Another call comes. */
void fth_relatives_steps_take(struct fth_proxy_calls *kept);
/* The next step before this call is over; or, behind the last call, before the process is. True:
 * kept->reading is of it. */
bool fth_relatives_step_next(struct fth_proxy_calls *kept, bool is_over);
/* Bytes have come to this stream without a call: are they those that its buffer had when the
 * process was forked, as it has in the program? Of a stream the first time. */
bool fth_relatives_had_bytes(struct fth_proxy_calls *kept, int64_t stream);
/* Does the call start or await processes? */
bool fth_relatives_is_step(const struct fth_proxy_calls *kept, const struct fth_call *call);

#endif
