/* Inner header: what servers did for requests that say whose they are. A probe in a client keeps
 * the number of a request as its value `sends`, one in a server the same number as `serves`
 * (<fathom/probe.h>): so calls of other processes are known that belong to a call. */
#ifndef FTH_ANALYSIS_SERVED_H
#define FTH_ANALYSIS_SERVED_H

#include "analysis/query/numbered.h"

/* A call that served a request. */
struct fth_served_call {
    int64_t identity;
    size_t proc;
    int64_t start, end;
    uint64_t bytes;
    const struct fth_function *function;
    struct fth_layer_time *layers; /* as in a numbered call */
};
struct fth_served {
    size_t count, process_count;
    struct fth_served_call *list; /* by identity, those of one the longest first */
    size_t *processes;            /* that served any, in their order */
};

/* Reads all calls once. -1: *error. fth_served_free either way. */
int fth_served_gather(struct fth_served *served, struct fth_trace *trace,
                      const struct fth_selection *selection, const struct fth_call_classes *classes,
                      struct fth_progress *progress, struct fth_error **error);
void fth_served_free(struct fth_served *served);

/* What a numbered call became: its subcalls are those that served its requests, and their times are
 * part of its layers. Requests of a call follow one another, so their times add up; of those who
 * serve one request the slowest counts (eq. 2.3 and 2.4 of Kim, 2014). The time of a server is no
 * longer that of the calls in which the client waited for it. The subcalls are to be freed. */
void fth_served_put(const struct fth_served *served, const struct fth_call_classes *classes,
                    struct fth_numbered_call *call);

#endif
