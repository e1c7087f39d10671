/* The pass of regions: how often the application was in each of its regions, for how long, and what
 * its calls did there. */
#ifndef FTH_ANALYSIS_REGIONS_TABLE_H
#define FTH_ANALYSIS_REGIONS_TABLE_H

#include "analysis/select/select.h"
#include "analysis/tables/stats_table.h"
#include "base/progress.h"
#include "table/table.h"

/* Are there regions? From the sums: no call is looked at. 1, 0, or -1 and *error. */
int fth_analysis_has_regions(struct fth_trace *trace, const struct fth_selection *selection,
                             struct fth_error **error);

/* A table `regions` of the selected processes: name, times, time, calls, bytes_read, bytes_written,
 * call_time; largest first; the caller frees it. What happens in a region inside of another one
 * counts for both, but once for each name: a function that calls itself is one region. `calls` and
 * what is behind it are about calls that the application makes in the region, with all that they do
 * inside. All calls are gone through. NULL: *error is set; also when there are no regions. progress
 * may be NULL; its unit is a call. */
struct fth_table *fth_analysis_regions(struct fth_trace *trace,
                                       const struct fth_selection *selection,
                                       enum fth_stats_order order, struct fth_progress *progress,
                                       struct fth_error **error);

#endif
