/* The report of a run, or of several side by side. */
#ifndef FTH_VIEWS_REPORT_PAGE_H
#define FTH_VIEWS_REPORT_PAGE_H

#include "views/formats/writer.h"

enum { FTH_REPORT_LINE_DEPTH = 3 };

/* `results`: findings are sorted. `trace` NULL: they are about several runs, and there are no
 * statistics. */
void fth_views_report(struct fth_writer *writer, const struct fth_trace *trace,
                      const struct fth_results *results, const struct fth_report_view *view);

#endif
