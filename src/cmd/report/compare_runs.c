/* `fathom report TRACE TRACE...`: runs of one program, side by side. */
#include "analysis/survey/call_walk.h"
#include "analysis/tables/scaling.h"
#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/reporting.h"

static int measure(struct fth_report_request *request, const struct fth_thresholds *thresholds,
                   const char *path, unsigned jobs, struct fth_scaling_run *run,
                   struct fth_error **error)
{
    struct fth_progress progress;
    struct fth_trace *trace = fth_cmd_open_trace(path, error);
    if (!trace)
        return -1;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    run->name = path;
    if (!result)
        fth_cmd_report_incomplete(path, trace, &request->selection, NULL);
    if (!result) {
        fth_progress_begin(&progress, "reading calls",
                           fth_analysis_walk_length(trace, &request->selection));
        result = fth_scaling_measure(trace, &request->selection, thresholds, jobs, &progress, run,
                                     error);
        fth_progress_end(&progress);
    }
    if (result)
        fth_fail_in(error, "trace '%s'", path);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_compare_runs(struct fth_report_request *request,
                         const struct fth_thresholds *thresholds, const char *const *paths,
                         size_t path_count, unsigned jobs, struct fth_error **error)
{
    struct fth_scaling_run *runs = fth_new(path_count, sizeof *runs);
    const char **inputs = fth_new(path_count + 1, sizeof *inputs);
    struct fth_results results = {0};
    int result = 0;
    for (size_t i = 0; i < path_count && !result; i++) {
        inputs[i] = paths[i];
        result = measure(request, thresholds, paths[i], jobs, &runs[i], error);
    }
    if (!result) {
        fth_scaling_results(runs, path_count, thresholds, &results);
        request->view.results_only = true;
        result = fth_cmd_show_report(request, inputs, NULL, &results, error);
    }
    fth_results_free(&results);
    free(inputs);
    free(runs);
    return result;
}
