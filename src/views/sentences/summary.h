/* What a run was, in a few lines. Inner header of the views room. */
#ifndef FTH_VIEWS_SUMMARY_H
#define FTH_VIEWS_SUMMARY_H

#include "analysis/select/silent.h"
#include "analysis/survey/survey.h"
#include "analysis/tables/stats_table.h"
#include "views/output/output.h"

struct fth_summary {
    const char *trace_path;
    struct fth_launchers launchers; /* that were left out */
    struct fth_silent silent;
    struct fth_incomplete incomplete; /* what is missing of the processes that are shown */
    int64_t in_calls;                 /* ns that threads spent in calls; 0: not known */
    const char *nothing;              /* what stands first where nothing was recorded; or NULL */
    const char *selected;             /* by which options calls are left out; NULL: none */
    struct fth_tuned tuned;           /* no files: none, or not known */
};

/* The trace, the command, processes, times, calls and bytes; what is left out or missing. */
void fth_views_summary(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary);
/* Without the line that names the trace and the command. */
void fth_views_figures(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary);

/* A line about processes of which nothing was recorded. */
void fth_views_put_silent(struct fth_output *output, const struct fth_silent *silent);

/* A column of the table of totals. */
int64_t fth_views_total(const struct fth_stats *stats, const char *column);

#endif
