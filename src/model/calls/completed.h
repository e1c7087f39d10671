/* How many bytes asynchronous calls of POSIX moved in the end (aio_read, aio_write), where the
 * program asked: it is another call that reports it, later. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_COMPLETED_H
#define FTH_MODEL_CALLS_COMPLETED_H

#include "model/reading/thread.h"

struct fth_completed;

/* Goes through all calls of the process, if it made such ones; NULL: it did not. `shares`: of the
 * process, `count` of them. What is damaged says nothing: who reads the calls finds that, too. */
struct fth_completed *fth_completed_find(struct fth_trace *trace, size_t proc,
                                         const struct fth_share *shares, size_t count);
/* The call, or one of its blocks, moved less than it asked for: its bytes become those. */
void fth_completed_put(const struct fth_completed *completed, struct fth_call *call,
                       struct fth_control_block *blocks);
void fth_completed_free(struct fth_completed *completed); /* NULL is allowed */

/* As fth_calls_open; bytes are those asked for (calls.c). */
struct fth_calls *fth_calls_as_asked(struct fth_trace *trace, size_t proc,
                                     struct fth_error **error);

#endif
