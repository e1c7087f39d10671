/* The pass of source lines: what the calls made at each place of the program moved, and how long
 * they took. */
#ifndef FTH_ANALYSIS_LINES_TABLE_H
#define FTH_ANALYSIS_LINES_TABLE_H

#include "analysis/select/select.h"
#include "analysis/tables/stats_table.h"
#include "base/progress.h"
#include "table/table.h"

/* A table `lines` of the selected processes: source func layer calls errors bytes_read
 * bytes_written time, largest first; the caller frees it. Calls inside other recorded calls have no
 * line of their own: what they did is in the bytes and the time of these. All calls are gone
 * through. NULL: *error is set; also when the trace has no lines. progress may be NULL; its unit is
 * a call. */
struct fth_table *fth_analysis_lines(struct fth_trace *trace, const struct fth_selection *selection,
                                     enum fth_stats_order order, struct fth_progress *progress,
                                     struct fth_error **error);

#endif
