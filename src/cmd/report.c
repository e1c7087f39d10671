/* `fathom report`: what happened in a run, what is wrong with it, what to do. */
#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/reporting.h"
#include "cmd/shared/sampling.h"
#include "cmd/shared/surveying.h"
#include "cmd/shared/verifying.h"
#include "cmd/shared/workflow_part.h"
#include "views/browser/browser_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_ALL = 0x300,
    OPTION_TOP,
    OPTION_FINDINGS,
    OPTION_THRESHOLD,
    OPTION_JOBS,
    OPTION_HTML,
    OPTION_VERIFY,
    OPTION_SIZE,
    OPTION_SVG,
    OPTION_FORCE
};

/* As many as a picture on paper is wide; a power of two. */
enum { PICTURE_BINS = 1024 };

static const struct argp_option options[] = {
    {"all", OPTION_ALL, NULL, 0, "Show every finding and every table", 0},
    {"findings", OPTION_FINDINGS, "N", 0, "Number of findings, 0 for all (default: 3)", 0},
    {"top", OPTION_TOP, "N", 0, "Rows per table, 0 for all (default: 8, with --all 20)", 0},
    {"threshold", OPTION_THRESHOLD, "NAME=VALUE", 0,
     "Set a threshold for findings; repeatable. `fathom report --threshold help` lists them", 0},
    {"html", OPTION_HTML, NULL, 0,
     "Write a page for a browser, in one file: the report with pictures of the run (-o run.html)",
     0},
    {"verify", OPTION_VERIFY, NULL, 0,
     "With --html: also verify the run (fathom-verify(1)), for the view Verify of the page", 0},
    {"size", OPTION_SIZE, "BYTES", 0,
     "With --html: the page is no larger (default: 3 MiB, for more than a million calls up to 20 "
     "MiB)",
     0},
    {"svg", OPTION_SVG, "DIR", 0,
     "Write the main pictures of the run as SVG files to the folder DIR, and print their names", 0},
    {"force", OPTION_FORCE, NULL, 0, "With --svg: replace pictures that exist", 0},
    FTH_CMD_WHERE_OPTION,
    FTH_CMD_PROCESS_OPTIONS,
    {"jobs", OPTION_JOBS, "N", 0, "Number of threads (default: one per processor)", 0},
    {0},
};

static const char text[] =
    "Summarize a run: what it did, where its time went, and what is worth changing.\v"
    "The time of a finding is an upper bound of what could be gained, added up over all processes. "
    "With several traces, the command compares the runs.\n"
    "\n"
    "Examples:\n"
    "  fathom report app.fathom\n"
    "  fathom report --all app.fathom\n"
    "  fathom report --markdown -o report.md app.fathom\n"
    "  fathom report --html -o run.html app.fathom\n"
    "  fathom report --svg pictures app.fathom\n"
    "  fathom report --threshold small=4KiB app.fathom\n"
    "  fathom report --where 'file ~ *.h5 and layer == hdf5' app.fathom\n"
    "  fathom report with-64.fathom with-128.fathom with-256.fathom\n"
    "  fathom report --html -o both.html before.fathom after.fathom\n"
    "  fathom report --json app.fathom | jq -r '.findings[] | [.kind, .share] | @tsv'";

struct request {
    struct fth_report_request report;
    size_t path_count;
    const char **paths; /* of traces; one behind the last is NULL */
    struct fth_cmd_survey survey;
    struct fth_cmd_pictures pictures;
    struct fth_sink verdict, samples, workflow;
    struct fth_message_list messages;
    struct fth_handle_list handles;
    bool top_chosen, findings_chosen, html, verify;
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
        fth_cmd_wrong(state,
                      "--threshold takes NAME=VALUE with a name from '--threshold help', not '%s'",
                      setting);
    const struct fth_threshold_facts *facts = fth_threshold_facts((enum fth_threshold)which);
    if (facts->unit == FTH_THRESHOLD_BYTES) {
        request->survey.thresholds.values[which] =
            (double)fth_cmd_bytes(state, "threshold", equals + 1);
        return;
    }
    char *end;
    double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end || !(value >= 0) || value > 1e15)
        fth_cmd_wrong(state, "--threshold %s takes a number of 0 or more, not '%s'", facts->name,
                      equals + 1);
    request->survey.thresholds.values[which] = value;
}

/* What has pictures is a form of its own. */
static void check_form(struct argp_state *state, const struct request *request, const char *form)
{
    const struct fth_format *other = request->report.page.chosen;
    if (other)
        fth_cmd_wrong(state, "--%s and --%s: one form at a time; use two commands", form,
                      other->name);
}

static void check(struct argp_state *state, const struct request *request)
{
    const char *folder = request->pictures.folder;
    if (request->html)
        check_form(state, request, "html");
    if (request->verify && !request->html)
        fth_cmd_wrong(state, "--verify is for the page: it needs --html");
    if (request->report.view.size && !request->html)
        fth_cmd_wrong(state, "--size is for the page: it needs --html");
    if (request->html && folder)
        fth_cmd_wrong(state, "--svg and --html: one form at a time; use two commands");
    if (folder)
        check_form(state, request, "svg");
    if (folder && request->path_count > 1)
        fth_cmd_wrong(state, "--svg shows one trace, not %zu", request->path_count);
    if (folder && request->report.page.path)
        fth_cmd_wrong(state, "--svg DIR names the folder of the pictures: -o has no use with it");
    if (request->pictures.force && !folder)
        fth_cmd_wrong(state, "--force replaces pictures: it needs --svg DIR");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_ALL:
        request->report.view.all = true;
        return 0;
    case OPTION_TOP:
        request->report.view.top = (size_t)fth_cmd_integer(state, "top", argument);
        request->top_chosen = true;
        return 0;
    case OPTION_FINDINGS:
        request->report.view.findings = (size_t)fth_cmd_integer(state, "findings", argument);
        request->findings_chosen = true;
        return 0;
    case OPTION_HTML:
        request->html = true;
        return 0;
    case OPTION_VERIFY:
        request->verify = true;
        return 0;
    case OPTION_SIZE:
        request->report.view.size = (size_t)fth_cmd_bytes(state, "size", argument);
        return 0;
    case OPTION_SVG:
        request->pictures.folder = argument;
        return 0;
    case OPTION_FORCE:
        request->pictures.force = true;
        return 0;
    case OPTION_THRESHOLD:
        set_threshold(state, request, argument);
        return 0;
    case OPTION_JOBS:
        request->survey.jobs = fth_cmd_jobs(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->report.page);
    }
    struct fth_selection *selection = &request->report.selection;
    if (fth_cmd_where_option(key, argument, state, selection) != ARGP_ERR_UNKNOWN ||
        fth_cmd_process_option(key, argument, state, selection) != ARGP_ERR_UNKNOWN)
        return 0;
    if (key == ARGP_KEY_ARG) {
        FTH_GROW(request->paths, request->path_count);
        request->paths[request->path_count++] = argument;
        return 0;
    }
    if (key == ARGP_KEY_END)
        check(state, request);
    return key == ARGP_KEY_END && !request->path_count
               ? fth_cmd_trace_argument(key, argument, state, &request->report.view.trace_path)
           : key == ARGP_KEY_END ? 0
                                 : ARGP_ERR_UNKNOWN;
}

/* As many take a few MiB in the file. */
enum { MOST_VALUES = 250000 };

static int sample(struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    fth_sink_close_memory(&request->samples);
    fth_sink_open_memory(&request->samples);
    request->report.view.samples = &request->samples;
    return fth_cmd_pack_samples(&request->samples, trace, request->report.view.trace_path,
                                &request->report.selection, MOST_VALUES, error);
}

/* What the steps of a run of many programs hand to each other. */
static int show_workflow(struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_report_view *view = &request->report.view;
    fth_sink_close_memory(&request->workflow);
    fth_sink_open_memory(&request->workflow);
    int result = fth_cmd_pack_workflow(&request->workflow, trace, view->trace_path,
                                       request->survey.jobs, error);
    view->workflow = request->workflow.used ? &request->workflow : NULL;
    return result;
}

static int survey(void *context, struct fth_trace *trace, struct fth_results *results,
                  struct fth_error **error)
{
    struct request *request = context;
    fth_overview_free(request->survey.overview); /* of the trace before */
    request->survey.overview = NULL;
    fth_message_list_free(&request->messages);
    fth_handle_list_free(&request->handles);
    int result = fth_cmd_survey(&request->survey, trace, results, error);
    request->report.view.overview = request->survey.overview;
    request->report.view.messages = request->survey.messages;
    request->report.view.handles = request->report.selection.where ? NULL : request->survey.handles;
    if (!result && request->html)
        result = fth_overview_add_exact(request->survey.overview, &results->findings, error);
    if (!result && request->html)
        result = sample(request, trace, error);
    if (!result && request->html)
        result = show_workflow(request, trace, error);
    if (result || !request->verify)
        return result;
    fth_sink_close_memory(&request->verdict);
    fth_sink_open_memory(&request->verdict);
    request->report.view.verdict = &request->verdict;
    return fth_cmd_pack_verdict(&request->verdict, trace, request->report.view.trace_path,
                                request->survey.jobs, NULL, error);
}

static int show(struct request *request, struct fth_error **error)
{
    if (request->pictures.folder)
        return fth_cmd_report_pictures(&request->report, &request->pictures, survey, request,
                                       error);
    if (request->path_count == 1)
        return fth_cmd_report_on(&request->report, survey, request, error);
    if (request->html)
        return fth_cmd_report_page(&request->report, request->paths, survey, request, error);
    return fth_cmd_compare_runs(&request->report, &request->survey.thresholds, request->paths,
                                request->path_count, request->survey.jobs, error);
}

int fth_cmd_report(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE...", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
    struct request request = {.report.view = FTH_CMD_REPORT_VIEW};
    struct fth_report_view *view = &request.report.view;
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.report.selection);
    fth_thresholds_init(&request.survey.thresholds);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    if (view->all && !request.top_chosen)
        view->top = 20;
    if (view->all && !request.findings_chosen)
        view->findings = 0;
    FTH_GROW(request.paths, request.path_count);
    request.paths[request.path_count] = NULL;
    view->trace_path = request.paths[0];
    request.survey.selection = &request.report.selection;
    if (request.html) {
        request.survey.messages = &request.messages;
        request.survey.handles = &request.handles;
        request.report.page.chosen = &fth_format_browser;
    }
    fth_sink_open_memory(&request.verdict);
    fth_sink_open_memory(&request.samples);
    fth_sink_open_memory(&request.workflow);
    if (request.html || request.pictures.folder)
        request.survey.most_bins = request.html ? FTH_OVERVIEW_BINS : PICTURE_BINS;
    int result = show(&request, &error);
    fth_overview_free(request.survey.overview);
    fth_sink_close_memory(&request.verdict);
    fth_sink_close_memory(&request.samples);
    fth_sink_close_memory(&request.workflow);
    fth_message_list_free(&request.messages);
    fth_handle_list_free(&request.handles);
    fth_analysis_selection_free(&request.report.selection);
    free(request.paths);
    return result ? fth_cmd_failed("report", error) : 0;
}
