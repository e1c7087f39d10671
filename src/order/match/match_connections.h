/* Sockets that are connected. Inner header of the order room. */
#ifndef FTH_ORDER_MATCH_MATCH_CONNECTIONS_H
#define FTH_ORDER_MATCH_MATCH_CONNECTIONS_H

#include "order/match/pipe_names.h"

/* Calls `add` for each socket whose other end is known. The names live as long as the processes'
 * pipes. */
void fth_match_connections(const struct fth_matching *matching, const struct fth_trace *trace,
                           void (*add)(void *context, struct fth_pipe_name name), void *context);

#endif
