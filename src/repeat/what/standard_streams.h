/* On which descriptor a stream stands that no call of the program opened: stdin on 0, stdout on 1,
 * stderr on 2. What the descriptor leads to changes (dup2), and the stream's file with it. */
#ifndef FTH_REPEAT_STANDARD_STREAMS_H
#define FTH_REPEAT_STANDARD_STREAMS_H

#include "base/keyed.h"
#include "fathom/trace.h"

/* While the calls of a process are read. */
struct fth_standard_streams {
    const struct fth_trace *trace;
    struct fth_keyed descriptors; /* of int64_t: descriptor + 1, by slot of the stream */
    struct fth_keyed reopened;    /* of bool, by slot: one that was there (freopen) */
    int64_t *slots;               /* by thread: slot + 1 of the stream call that may have steps */
    bool *reads;                  /* by thread: that call reads */
    uint32_t slot_limit, read_limit;
};

void fth_standard_streams_open(struct fth_standard_streams *streams, const struct fth_trace *trace);
/* Each call of the process, from fth_calls_with_handles, in order of entry. */
void fth_standard_streams_take(struct fth_standard_streams *streams, const struct fth_call *call);
/* Descriptor + 1 (int64_t), by slot; the caller frees it. */
struct fth_keyed fth_standard_streams_close(struct fth_standard_streams *streams);

#endif
