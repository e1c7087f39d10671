/* What the walk's files let one another know about a call that is on its way into the trace. Inner
 * header of the trace room. */
#ifndef FTH_TRACE_MERGE_WALK_MARKS_H
#define FTH_TRACE_MERGE_WALK_MARKS_H

#include "trace/merge/walk_names.h"

/* The call has this terminal; its values and the walk's state are what they are after it. */
void fth_walk_mark(struct fth_walk *walk, const struct fth_signature *signature, uint32_t terminal,
                   const struct fth_kept_name *names, const int64_t *values);

#endif
