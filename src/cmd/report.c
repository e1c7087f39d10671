/* `fathom report`: what happened in a run, what is wrong with it, what to do. */
#include "cmd/command.h"

#include "analysis/passes/passes.h"
#include "analysis/walk.h"
#include "path/path.h"
#include "views/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_JSON = 0x300,
    OPTION_MARKDOWN,
    OPTION_ALL,
    OPTION_TOP,
    OPTION_FINDINGS,
    OPTION_THRESHOLD,
    OPTION_JOBS
};

static const struct argp_option options[] = {
    {"all", OPTION_ALL, NULL, 0, "Every finding and every table", 0},
    {"findings", OPTION_FINDINGS, "N", 0, "So many findings, 0 for all (default: 3)", 0},
    {"top", OPTION_TOP, "N", 0, "So many rows per table, 0 for all (default: 8, with --all 20)", 0},
    {"threshold", OPTION_THRESHOLD, "NAME=VALUE", 0,
     "From when on something is a finding; repeatable. `fathom report --threshold help` lists them",
     0},
    FTH_CMD_PROCESS_OPTIONS,
    {"jobs", OPTION_JOBS, "N", 0, "Threads that read (default: one for each processor)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON: all tables and findings", 0},
    {"markdown", OPTION_MARKDOWN, NULL, 0, "Print Markdown, for a pull request or a wiki", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Tell what a run did, where its time went, and what is worth changing."
    "\v"
    "Findings are about what can be seen in the calls; the time of each is the most that could be "
    "gained, added up over all processes.\n"
    "\n"
    "Examples:\n"
    "  fathom report app.fathom\n"
    "  fathom report --all app.fathom\n"
    "  fathom report --markdown -o report.md app.fathom\n"
    "  fathom report --threshold small=4KiB app.fathom\n"
    "  fathom report --json app.fathom | jq -r '.findings[] | [.kind, .share] | @tsv'";

struct request {
    struct fth_selection selection;
    struct fth_thresholds thresholds;
    struct fth_report_view view;
    const char *output_path;
    unsigned jobs;
    bool json, markdown, top_chosen, findings_chosen;
};

static void list_thresholds(void)
{
    for (size_t i = 0; i < FTH_THRESHOLD_COUNT; i++) {
        const struct fth_threshold_facts *facts = fth_threshold_facts((enum fth_threshold)i);
        printf("  %-10s %-8g %s\n", facts->name, facts->value, facts->meaning);
    }
}

static void set_threshold(struct argp_state *state, struct request *request, const char *setting)
{
    const char *equals = strchr(setting, '=');
    if (strcmp(setting, "help") == 0) {
        list_thresholds();
        exit(0);
    }
    size_t length = equals ? (size_t)(equals - setting) : 0,
           which = fth_threshold_find(setting, length);
    if (which == SIZE_MAX)
        argp_error(
            state,
            "--threshold wants NAME=VALUE with a name that '--threshold help' lists, not '%s'",
            setting);
    const struct fth_threshold_facts *facts = fth_threshold_facts((enum fth_threshold)which);
    if (facts->unit == FTH_THRESHOLD_BYTES) {
        request->thresholds.values[which] = (double)fth_cmd_bytes(state, "threshold", equals + 1);
        return;
    }
    char *end;
    double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end || !(value >= 0) || value > 1e15)
        argp_error(state, "--threshold %s wants a number that is not negative, not '%s'",
                   facts->name, equals + 1);
    request->thresholds.values[which] = value;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_JSON:
        request->json = true;
        return 0;
    case OPTION_MARKDOWN:
        request->markdown = true;
        return 0;
    case OPTION_ALL:
        request->view.all = true;
        return 0;
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        request->top_chosen = true;
        return 0;
    case OPTION_FINDINGS:
        request->view.findings = (size_t)fth_cmd_integer(state, "findings", argument);
        request->findings_chosen = true;
        return 0;
    case OPTION_THRESHOLD:
        set_threshold(state, request, argument);
        return 0;
    case OPTION_JOBS: {
        int64_t jobs = fth_cmd_integer(state, "jobs", argument);
        if (jobs < 0 || jobs > 1024)
            argp_error(state, "--jobs wants 0 to 1024, not '%s'", argument);
        request->jobs = (unsigned)jobs;
        return 0;
    }
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
    else if (request->markdown)
        fth_views_report_markdown(&output, trace, results, &request->view);
    else
        fth_views_report(&output, trace, results, &request->view);
    return fth_views_close(&output, error);
}

/* Who waited for whom is asked of runs of several processes, all of which are looked at. */
static bool has_path(const struct request *request, const struct fth_trace *trace)
{
    size_t count = 0;
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        count += fth_analysis_selects_process(&request->selection, trace, proc);
    return count > 1 && !request->selection.procs.count && !request->selection.ranks.count;
}

/* Who waited for whom, and what the findings mean for the run as a whole. */
static bool follow(const struct request *request, struct fth_path *path,
                   struct fth_results *results, struct fth_error **error)
{
    if (!fth_path_find(path, error))
        return false;
    fth_path_bound(path, &results->findings);
    fth_path_results(path, request->thresholds.values[FTH_THRESHOLD_WORTH], results);
    return true;
}

static int survey(const struct request *request, struct fth_trace *trace,
                  struct fth_results *results, struct fth_error **error)
{
    struct fth_progress progress;
    struct fth_listener listener;
    struct fth_path *path =
        has_path(request, trace) ? fth_path_new(trace, &request->selection, &listener) : NULL;
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    bool done = fth_analysis_survey(trace, &request->selection, &request->thresholds, fth_passes,
                                    fth_pass_count, path ? &listener : NULL, request->jobs,
                                    &progress, results, error);
    fth_progress_end(&progress);
    done = done && (!path || follow(request, path, results, error));
    if (done)
        fth_findings_sort(&results->findings);
    fth_path_close(path);
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
        result = survey(request, trace, &results, error);
    if (!result) {
        for (enum fth_stats_table i = FTH_STATS_FUNCTIONS; i < FTH_STATS_RANKS; i++)
            fth_analysis_stats_sort(stats, i, FTH_STATS_BY_TIME);
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

int fth_cmd_report(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.view = {.top = 8, .findings = 3}};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    fth_thresholds_init(&request.thresholds);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    if (request.view.all && !request.top_chosen)
        request.view.top = 20;
    if (request.view.all && !request.findings_chosen)
        request.view.findings = 0;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("report", error) : 0;
}
