/* Handles of processes, a tree for each. */
#ifndef FTH_VIEWS_HANDLES_PAGE_H
#define FTH_VIEWS_HANDLES_PAGE_H

#include "views/formats/writer.h"

enum { FTH_HANDLES_LINE_DEPTH = 4 };

void fth_views_handles_begin(struct fth_writer *writer, const char *trace_path,
                             const struct fth_incomplete *incomplete);
/* Of one process, as fth_analysis_handles gives them. For people: `all`: also those of files that
 * nobody asked for (analysis/select/noise.h); `top`: so many at most, 0: all of them. */
void fth_views_handles(struct fth_writer *writer, const struct fth_trace *trace, size_t proc,
                       const struct fth_table *handles, bool all, size_t top);
void fth_views_handles_end(struct fth_writer *writer);

#endif
