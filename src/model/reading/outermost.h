/* What a process calls itself, and not only inside of other calls. */
#ifndef FTH_MODEL_READING_OUTERMOST_H
#define FTH_MODEL_READING_OUTERMOST_H

#include "fathom/trace.h"

/* Has the process a signature of such a function that is in no other call? No call is read. Where
 * signatures cannot be read it may have. */
bool fth_outermost_may_be_called(const struct fth_trace *trace, size_t proc,
                                 bool (*wanted)(const struct fth_function *function));

#endif
