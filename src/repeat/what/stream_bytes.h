/* Bytes that a program gave to a stream without a call.
 *
 * Compiled with optimization, putc_unlocked works in the buffer of the stream, and is a call only
 * where that is used up. What the stream then hands to the system is in the trace, byte by byte: if
 * it hands over more than the calls before have given it, the rest came without a call. A
 * repetition gives it as many before the call in which they go to the system. */
#ifndef FTH_REPEAT_STREAM_BYTES_H
#define FTH_REPEAT_STREAM_BYTES_H

#include "base/keyed.h"
#include "repeat/what/ways.h"

struct fth_unseen_bytes {
    uint32_t thread;
    uint64_t number; /* of the outermost call before which they came */
    int64_t stream;  /* slot */
    uint64_t bytes;  /* 0: the call is what the stream does by itself, when the process ends */
};

/* Of a process, in order of threads and numbers. */
struct fth_unseen_list {
    size_t count;
    struct fth_unseen_bytes *items;
};

/* While the calls of a process are read. */
struct fth_stream_bytes {
    const struct fth_trace *trace;
    struct fth_keyed streams; /* by slot */
    struct fth_stream_call *calls;
    uint32_t call_limit; /* threads */
    size_t open_calls;   /* of these, calls of streams whose end is not noted yet */
    struct fth_unseen_list found;
};

void fth_stream_bytes_open(struct fth_stream_bytes *bytes, const struct fth_trace *trace);
/* Each call of the process, from fth_calls_with_handles, in order of entry; `way`: as of
 * fth_repeat_outermost. */
void fth_stream_bytes_take(struct fth_stream_bytes *bytes, const struct fth_call *call,
                           const struct fth_repeat_way *way);
/* The caller frees the items. */
struct fth_unseen_list fth_stream_bytes_close(struct fth_stream_bytes *bytes);

/* Those before this call, and how many streams they are for; NULL: there are none. */
const struct fth_unseen_bytes *fth_unseen_before(const struct fth_unseen_list *list,
                                                 const struct fth_call *call, size_t *count);

#endif
