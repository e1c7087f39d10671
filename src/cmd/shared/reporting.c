/* From a trace to a report: opened, looked at, shown, closed. */
#include "cmd/shared/reporting.h"

#include "base/visible.h"
#include "cmd/shared/command.h"
#include "views/sentences/selected.h"

#include <stdio.h>
#include <stdlib.h>

int fth_cmd_show_report(const struct fth_report_request *request, const char *const *inputs,
                        const struct fth_trace *trace, const struct fth_results *results,
                        struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, &request->page, "fathom report", FTH_REPORT_LINE_DEPTH, inputs,
                          error))
        return -1;
    if (trace)
        fth_cmd_report_unsaid(&writer, "report", trace, &request->selection);
    fth_views_report(&writer, trace, results, &request->view);
    return fth_cmd_close_page(&writer, 0, error);
}

/* Says so when there is nothing to report on: an empty page looks like a good one. */
static void warn_of_nothing(const struct fth_report_request *request, const struct fth_stats *stats,
                            const struct fth_trace *trace)
{
    if (request->selection.where && !fth_table_rows(stats->tables[FTH_STATS_FUNCTIONS]))
        fth_say(stderr, "fathom report: no call matches%s\n",
                fth_analysis_launchers(&request->selection, trace).calls
                    ? " (launchers are left out; --launchers shows them)"
                    : "");
}

int fth_cmd_report_of(struct fth_report_request *request, struct fth_trace *trace,
                      fth_cmd_findings *find, fth_cmd_show *show, void *context,
                      struct fth_error **error)
{
    struct fth_report_view *view = &request->view;
    struct fth_results results = {0};
    struct fth_stats *stats = NULL;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result && !(stats = fth_analysis_stats(trace, &request->selection, FTH_WHERE_AND_INSIDE,
                                                NULL, error)))
        result = -1;
    if (!result)
        result = find(context, trace, &results, error);
    if (!result) {
        for (enum fth_stats_table i = FTH_STATS_FUNCTIONS; i < FTH_STATS_RANKS; i++)
            fth_analysis_stats_sort(stats, i, FTH_STATS_BY_TIME);
        view->stats = stats;
        view->launchers = fth_analysis_launchers(&request->selection, trace);
        view->silent = fth_analysis_silent(&request->selection, trace);
        view->incomplete = fth_analysis_incomplete(&request->selection, trace);
        char *selected = fth_views_selected(&request->selection);
        view->selected = selected;
        result = show(context, request, trace, &results, error);
        view->selected = NULL;
        free(selected);
    }
    fth_results_free(&results);
    fth_analysis_stats_free(stats);
    return result;
}

static int show_page(void *context, const struct fth_report_request *request,
                     struct fth_trace *trace, const struct fth_results *results,
                     struct fth_error **error)
{
    const char *inputs[] = {request->view.trace_path, NULL};
    (void)context;
    if (fth_cmd_show_report(request, inputs, trace, results, error))
        return -1;
    warn_of_nothing(request, request->view.stats, trace);
    return 0;
}

int fth_cmd_report_on(struct fth_report_request *request, fth_cmd_findings *find, void *context,
                      struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->view.trace_path, error);
    if (!trace)
        return -1;
    int result = fth_cmd_report_of(request, trace, find, show_page, context, error);
    fth_trace_close(trace);
    return result;
}
