/* Names of the FIFOs that a run made. Inner header of the order room. */
#ifndef FTH_ORDER_BUILD_FIFOS_H
#define FTH_ORDER_BUILD_FIFOS_H

#include "fathom/trace.h"

struct fth_order_fifos {
    char **names; /* absolute */
    size_t count;
};

/* Goes through the calls of all processes, if any of them made one. A process that cannot be read
 * is left out: whoever feeds its calls finds that, too. */
struct fth_order_fifos fth_order_fifos_of(struct fth_trace *trace);
bool fth_order_fifos_have(const struct fth_order_fifos *fifos, const char *name);
void fth_order_fifos_free(struct fth_order_fifos *fifos);

#endif
