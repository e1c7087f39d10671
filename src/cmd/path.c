/* `fathom path`: where ranks wait for one another, and what the run's end depends on. */
#include "cmd/command.h"

#include "analysis/walk.h"
#include "path/path.h"
#include "views/report.h"

enum { OPTION_JSON = 0x300, OPTION_TOP };

static const struct argp_option options[] = {
    {"top", OPTION_TOP, "N", 0, "So many rows per table, 0 for all (default: 8; with --json all)",
     0},
    FTH_CMD_PROCESS_OPTIONS,
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Show where the processes of a run waited for one another, and the critical path: the calls, "
    "messages and computing that its end depended on."
    "\v"
    "Nothing that is not on the critical path could have made the run shorter. What would be "
    "gained if something were gone is computed along the path; it is a bound, "
    "not a promise.\n"
    "\n"
    "Examples:\n"
    "  fathom path app.fathom\n"
    "  fathom path --top 0 app.fathom\n"
    "  fathom path --json app.fathom | jq -r '.tables.waits.rows[] | [.kind, .func, .rank, .time] "
    "| @tsv'";

struct request {
    struct fth_selection selection;
    struct fth_report_view view;
    const char *output_path;
    bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case 'o':
        request->output_path = argument;
        return 0;
    }
    if (fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_trace_argument(key, argument, state, &request->view.trace_path);
}

static int show(const struct request *request, const struct fth_trace *trace,
                const struct fth_results *results, struct fth_error **error)
{
    static struct fth_output output;
    const char *inputs[] = {request->view.trace_path, NULL};
    if (fth_views_open(&output, request->output_path, inputs, error))
        return -1;
    if (request->json)
        fth_views_report_json(&output, trace, results, &request->view);
    else
        fth_views_report(&output, trace, results, &request->view);
    return fth_views_close(&output, error);
}

/* Also those that are not asked about are gone through: others waited for them. */
static int follow(const struct request *request, struct fth_trace *trace,
                  struct fth_results *results, struct fth_error **error)
{
    struct fth_selection all;
    struct fth_thresholds thresholds;
    struct fth_progress progress;
    struct fth_listener listener;
    fth_thresholds_init(&thresholds);
    fth_analysis_selection_init(&all);
    all.launchers = request->selection.launchers;
    struct fth_path *path = fth_path_new(trace, &request->selection, &listener);
    fth_progress_begin(&progress, "reading calls", fth_analysis_walk_length(trace, &all));
    bool done = fth_analysis_survey(trace, &all, &thresholds, NULL, 0, &listener, 0, &progress,
                                    results, error);
    fth_progress_end(&progress);
    done = done && fth_path_find(path, error);
    if (done) {
        fth_path_results(path, thresholds.values[FTH_THRESHOLD_WORTH], results);
        fth_findings_sort(&results->findings);
    }
    fth_path_close(path);
    fth_analysis_selection_free(&all);
    return done ? 0 : -1;
}

static int run(struct request *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->view.trace_path, error);
    if (!trace)
        return -1;
    struct fth_results results = {0};
    struct fth_stats *stats = NULL;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result && !(stats = fth_analysis_stats(trace, &request->selection, NULL, error)))
        result = -1;
    if (!result)
        result = follow(request, trace, &results, error);
    if (!result) {
        request->view.stats = stats;
        request->view.launchers = fth_analysis_launchers(&request->selection, trace);
        request->view.lost_calls = fth_analysis_lost_calls(&request->selection, trace);
        result = show(request, trace, &results, error);
    }
    fth_results_free(&results);
    fth_analysis_stats_free(stats);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_path(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.view = {.top = 8, .all = true, .results_only = true}};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("path", error) : 0;
}
