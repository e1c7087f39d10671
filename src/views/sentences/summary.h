/* What a run was, in a few lines. Inner header of the views room. */
#ifndef FTH_VIEWS_SUMMARY_H
#define FTH_VIEWS_SUMMARY_H

#include "analysis/tables/stats_table.h"
#include "views/output/output.h"

struct fth_summary {
    const char *trace_path;
    struct fth_launchers launchers;   /* that were left out */
    struct fth_incomplete incomplete; /* what is missing of the processes that are shown */
    const char *nothing;              /* what stands first where nothing was recorded; or NULL */
};

/* The trace, the command, processes, times, calls and bytes; what is left out or missing. */
void fth_views_summary(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary);
/* Without the line that names the trace and the command. */
void fth_views_figures(struct fth_output *output, const struct fth_trace *trace,
                       const struct fth_stats *stats, const struct fth_summary *summary);

/* Calls that made a process. */
struct fth_started {
    uint64_t forks; /* those that made one for certain: fork, posix_spawn ... */
    bool others;    /* there were some that may have, too: system, popen */
};
void fth_views_count_started(struct fth_started *started, const struct fth_function *function,
                             uint64_t calls, uint64_t errors);
/* A child that makes no call is in no trace, like one that only computes, or becomes a static
 * program: how many there are, at least. `launchers`: what they started has been counted, too. */
uint64_t fth_views_unseen(const struct fth_trace *trace, const struct fth_started *started,
                          bool launchers);
/* A line about them. */
void fth_views_put_unseen(struct fth_output *output, uint64_t unseen,
                          const struct fth_started *started);

/* A column of the table of totals. */
int64_t fth_views_total(const struct fth_stats *stats, const char *column);

#endif
