/* `fathom path`: where ranks wait for one another, and what the run's end depends on. */
#include "analysis/survey/findings.h"
#include "analysis/survey/call_walk.h"
#include "cmd/shared/command.h"
#include "cmd/shared/reporting.h"
#include "path/path.h"

enum { OPTION_TOP = 0x300 };

static const struct argp_option options[] = {
    {"top", OPTION_TOP, "N", 0, "Rows per table, 0 for all (default: 8; with --json or --csv all)",
     0},
    FTH_CMD_WHERE_OPTION,
    FTH_CMD_PROCESS_OPTIONS,
    {0},
};

static const char text[] =
    "Show where the processes of a run waited for one another, and the critical path: the calls, "
    "messages and computation that determined the run time.\v"
    "Only what is on the critical path can make the run shorter. The possible gains are computed "
    "along this path and are upper bounds.\n"
    "\n"
    "Examples:\n"
    "  fathom path app.fathom\n"
    "  fathom path --top 0 app.fathom\n"
    "  fathom path --where 'file ~ *.log and bytes < 4K' app.fathom\n"
    "  fathom path --json app.fathom | jq -r '.tables.waits.rows[] | [.kind, .func, .rank, .time] "
    "| @tsv'";

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct fth_report_request *request = state->input;
    switch (key) {
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    if (fth_cmd_where_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN ||
        fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_trace_argument(key, argument, state, &request->view.trace_path);
}

/* What --where chooses is not left out, but asked what the run would be without. */
struct question {
    const struct fth_report_request *request;
    struct fth_expression *where; /* or NULL */
};

/* Also those that are not asked about are gone through: others waited for them. */
static int follow(void *context, struct fth_trace *trace, struct fth_results *results,
                  struct fth_error **error)
{
    const struct question *question = context;
    const struct fth_report_request *request = question->request;
    struct fth_selection all;
    struct fth_thresholds thresholds;
    struct fth_progress progress;
    struct fth_listener listener;
    if (fth_cmd_check_where(question->where, trace, error))
        return -1;
    fth_thresholds_init(&thresholds);
    fth_analysis_selection_init(&all);
    all.launchers = request->selection.launchers;
    struct fth_path *path = fth_path_new(trace, &request->selection, &listener);
    fth_path_choose(path, question->where);
    fth_path_expect_findings(path, 0);
    fth_progress_begin(&progress, "reading calls", fth_analysis_walk_length(trace, &all));
    bool done = fth_analysis_survey(trace, &all, &thresholds, NULL, 0, &listener, 0, &progress,
                                    results, error);
    fth_progress_end(&progress);
    done = done && fth_path_find(path, error);
    if (done) {
        double worth = thresholds.values[FTH_THRESHOLD_WORTH];
        fth_path_results(path, worth, results);
        fth_path_weigh(path, &results->findings);
        fth_findings_weigh(&results->findings, thresholds.values[FTH_THRESHOLD_MINOR]);
        fth_findings_relate(&results->findings);
        fth_findings_sort(&results->findings, fth_trace_process_count(trace));
    }
    fth_path_close(path);
    fth_analysis_selection_free(&all);
    return done ? 0 : -1;
}

int fth_cmd_path(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
    struct fth_report_request request = {
        .view = {.top = 8, .all = true, .results_only = true, .nothing = "No waiting stands out"}};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct question question = {&request, request.selection.where};
    request.selection.where = NULL;
    int result = fth_cmd_report_on(&request, follow, &question, &error);
    fth_expression_free(question.where);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("path", error) : 0;
}
