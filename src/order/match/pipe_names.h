/* Pipes that are seen to be made, by name. Inner header of the order room. */
#ifndef FTH_ORDER_MATCH_PIPE_NAMES_H
#define FTH_ORDER_MATCH_PIPE_NAMES_H

#include "order/match/match.h"

/* The system's name of a pipe, or of one end of a pair of sockets, on one host. */
struct fth_pipe_name {
    uint32_t host;
    const char *name;
    const char *other; /* of a socket: the other end; NULL: not known */
    uint32_t other_host;
    bool packets;
};

struct fth_pipe_names {
    struct fth_pipe_name *all; /* sorted; the caller frees it */
    size_t count;
};

struct fth_pipe_names fth_pipe_names_of(const struct fth_matching *matching,
                                        const struct fth_trace *trace);
/* NULL: it was not seen how it was made. */
const struct fth_pipe_name *fth_pipe_named(const struct fth_pipe_names *names, uint32_t host,
                                           const char *name);

#endif
