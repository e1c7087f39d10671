/* The report of a run: one page for people, everything for programs. */
#ifndef FTH_VIEWS_REPORT_H
#define FTH_VIEWS_REPORT_H

#include "analysis/stats.h"
#include "analysis/survey.h"
#include "views/output.h"

struct fth_report_view {
    const struct fth_stats *stats; /* of the same processes */
    const char *trace_path;
    bool all;                       /* every finding, every table */
    bool results_only;              /* no tables of the statistics */
    const char *nothing;            /* what is said without findings; NULL: "Nothing stands out" */
    size_t top;                     /* rows of a table at most; 0: all */
    size_t findings;                /* at most; 0: all */
    struct fth_launchers launchers; /* that were left out */
    uint64_t lost_calls;
};

/* Is it shown at all? */
bool fth_views_stands_out(const struct fth_finding *finding, const struct fth_report_view *view);

/* ": the run up to 12.9 ms shorter, 1.8 %"; nothing where it is not about time. */
void fth_views_put_worth(struct fth_output *output, const struct fth_finding *finding);
/* "479 ms, 29.5 % of that of all processes", where that is not in its worth; else NULL. Valid until the next one is asked for. */
const char *fth_views_time_of(const struct fth_finding *finding);
/* "MPI took 92 % of all time to start and to end: shares are of the rest." Valid until it is asked for again; NULL: that is not worth telling. */
const char *fth_views_base(const struct fth_results *results);
/* "It explains: Late sender, 206 ms."; NULL: that is no part of this finding. Valid until the next one is asked for. */
const char *fth_views_explained(const struct fth_finding *finding, const struct fth_finding *part);

/* `results`: findings are sorted. `trace` NULL: they are about several runs, and there are no statistics. */
void fth_views_report(struct fth_output *output, const struct fth_trace *trace,
                      const struct fth_results *results, const struct fth_report_view *view);
void fth_views_report_markdown(struct fth_output *output, const struct fth_trace *trace,
                               const struct fth_results *results,
                               const struct fth_report_view *view);
void fth_views_report_json(struct fth_output *output, const struct fth_trace *trace,
                           const struct fth_results *results, const struct fth_report_view *view);

#endif
