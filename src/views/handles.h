/* Handles of processes, a tree for each. */
#ifndef FTH_VIEWS_HANDLES_H
#define FTH_VIEWS_HANDLES_H

#include "base/json.h"
#include "table/table.h"
#include "views/output.h"

#include <fathom/trace.h>

/* Of one process, as fth_analysis_handles gives them; `all`: also those of files that nobody asked
 * for (analysis/select/noise.h); `top`: so many at most, 0: all of them. */
void fth_views_handles(struct fth_output *output, const struct fth_trace *trace, size_t proc,
                       const struct fth_table *handles, bool all, size_t top);

/* The same as an object in an array of `json`. */
void fth_views_handles_json(struct fth_json *json, const struct fth_trace *trace, size_t proc,
                            const struct fth_table *handles);

#endif
