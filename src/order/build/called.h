/* Has a process made calls of some functions? Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_CALLED_H
#define FTH_ORDER_BUILD_CALLED_H

#include "fathom/trace.h"

/* Also if all of them failed: a kill that finds no process says that one is over. Where the sums
 * cannot be read it may have: the calls show it. */
bool fth_order_may_have_called(struct fth_trace *trace, size_t proc,
                               bool (*wanted)(const struct fth_function *function));

#endif
