/* The operations of a run that do not block, one at a time: process after process, those that ended
 * in order of their end, then those in flight. */
#ifndef FTH_ANALYSIS_OPERATIONS_TABLE_H
#define FTH_ANALYSIS_OPERATIONS_TABLE_H

#include "analysis/select/select.h"
#include "base/progress.h"

#include <fathom/access.h>

struct fth_operation_walk;

/* The selection is of the calls that start operations; its times are those from the start of an
 * operation to its end. `trace` and `selection` must outlive the walk; progress may be NULL, its
 * unit is a call. */
struct fth_operation_walk *fth_analysis_operations_open(struct fth_trace *trace,
                                                        const struct fth_selection *selection,
                                                        struct fth_progress *progress);
/* 1: *operation is the next one, valid until the one after it is taken; 0: no more; -1: *error is
 * set. */
int fth_analysis_operations_next(struct fth_operation_walk *walk,
                                 const struct fth_operation **operation, struct fth_error **error);
void fth_analysis_operations_close(struct fth_operation_walk *walk); /* NULL is allowed */

#endif
