/* Which communicators of different processes are one: given to a trace by who has matched their
 * calls (order/communicator_numbers.h), and then in all handles of it. */
#ifndef FTH_MODEL_READING_MATCHED_COMMUNICATORS_H
#define FTH_MODEL_READING_MATCHED_COMMUNICATORS_H

#include "base/keyed.h"
#include "fathom/trace.h"

struct fth_communicator {
    int64_t id; /* from 1; 0: not known */
    int64_t size, others, rank;
};

/* By process and number of the handle. */
struct fth_communicators {
    struct fth_intern keys;
    struct fth_communicator *list;
    uint32_t limit;
};

void fth_communicators_add(struct fth_communicators *communicators, size_t proc, uint64_t handle,
                           const struct fth_communicator *communicator);
/* NULL: it is none of them. */
const struct fth_communicator *fth_communicators_find(const struct fth_communicators *communicators,
                                                      size_t proc, uint64_t handle);
void fth_communicators_free(struct fth_communicators *communicators);

/* Those of the trace, to add to before its calls are read: they are shown by all iterators that are
 * opened with handles afterwards. Not for several threads at a time. */
struct fth_communicators *fth_trace_communicators(struct fth_trace *trace);

#endif
