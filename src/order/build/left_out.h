/* Are all calls of the program in the trace, or were some left out by an option? */
#ifndef FTH_ORDER_LEFT_OUT_H
#define FTH_ORDER_LEFT_OUT_H

#include "fathom/trace.h"

/* Options of the user may have left out calls, or programs made some before `fathom attach`, or
 * another tool recorded them. */
bool fth_order_leaves_out(const struct fth_trace *trace);

#endif
