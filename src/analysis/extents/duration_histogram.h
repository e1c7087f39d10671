/* The pass of durations: how many calls of one function took how long, in ranges that double. */
#ifndef FTH_ANALYSIS_DURATION_HISTOGRAM_H
#define FTH_ANALYSIS_DURATION_HISTOGRAM_H

#include "analysis/select/select.h"
#include "base/progress.h"
#include "table/table.h"

/* A table `durations` of the selected processes: func from to calls, from the first range with
 * calls to the last one; the caller frees it. Processes whose clocks differ have ranges that do:
 * `from` is the least, `to` the greatest. NULL: *error is set; also when there is no such function.
 * progress may be NULL; its unit is a process. */
struct fth_table *fth_analysis_durations(struct fth_trace *trace,
                                         const struct fth_selection *selection, const char *name,
                                         struct fth_progress *progress, struct fth_error **error);

#endif
