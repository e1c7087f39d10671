/* Times of functions that a trace leaves out, because they are those of the calls of a process. */
#ifndef FTH_TRACE_FILE_DERIVED_TIMES_H
#define FTH_TRACE_FILE_DERIVED_TIMES_H

#include "trace/file/part.h"

/* One process of the part, checked as a whole, with all its sums, but without its signatures.
 * O(its calls) where times of functions are not stored. Returns -1 and sets *error if it is
 * damaged, or its calls and its sums do not match. */
int fth_stored_part_sums(const struct fth_stored_part *part, uint32_t index,
                         struct fth_part_process *process, struct fth_error **error);

#endif
