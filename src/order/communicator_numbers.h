/* One number for each communicator that a program made, over all of its members. */
#ifndef FTH_ORDER_COMMUNICATOR_NUMBERS_H
#define FTH_ORDER_COMMUNICATOR_NUMBERS_H

#include "base/error.h"
#include "base/progress.h"
#include "fathom/trace.h"

/* Goes through all calls of the trace, if it has any that make communicators, and notes in the
 * trace which are one (model/reading/matched_communicators.h). Numbers are the same for the same
 * trace. Returns false and sets *error where calls cannot be read. */
bool fth_order_find_communicators(struct fth_trace *trace, struct fth_progress *progress,
                                  struct fth_error **error);

#endif
