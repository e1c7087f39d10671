/* What a call that asks for locks in the way (F_GETLK) asks with when it is repeated. */
#ifndef FTH_REPEAT_ASKED_LOCK_H
#define FTH_REPEAT_ASKED_LOCK_H

#include "fathom/trace.h"

/* The type of a recorded `struct flock`, as it is to be passed. The trace has the answer, not the
 * question: where no lock is in the way it says F_UNLCK, which nobody can ask for. Then the
 * question is whether anything is in the way of writing. */
int64_t fth_repeat_asked_lock(const struct fth_trace *trace, const struct fth_call *call,
                              int64_t type);

#endif
