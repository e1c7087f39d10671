/* The statistics of a run. */
#ifndef FTH_VIEWS_STATS_PAGE_H
#define FTH_VIEWS_STATS_PAGE_H

#include "analysis/select/silent.h"
#include "analysis/tables/stats_table.h"
#include "views/formats/writer.h"

enum { FTH_STATS_LINE_DEPTH = 2 };

struct fth_stats_view {
    const char *trace_path;
    bool shows[FTH_STATS_TABLES];
    const struct fth_table *durations; /* of a function's calls, or NULL */
    const struct fth_table *lines;     /* where calls are made, or NULL */
    const struct fth_table *regions;   /* of the application, or NULL */
    bool all;                       /* also files that nobody asked for (analysis/select/noise.h) */
    bool hides_regions;             /* there are some, but they take a while */
    size_t top;                     /* rows per table at most; 0: all */
    const char *selected;           /* by which options calls are left out; NULL: none */
    struct fth_launchers launchers; /* that were left out */
    struct fth_silent silent;
    struct fth_incomplete incomplete; /* what is missing of the processes that are shown */
    bool top_chosen;                  /* `top` was asked for, so it holds for programs as well */
};

void fth_views_stats(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_stats *stats, const struct fth_stats_view *view);

#endif
