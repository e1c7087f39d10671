/* `fathom diff`: what differs between two runs, or between several runs of each of two sides. */
#include "analysis/passes/passes.h"
#include "analysis/survey/listeners.h"
#include "base/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "cmd/shared/surveying.h"
#include "views/pages/diff_page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTION_BY = 0x300,
    OPTION_TOP,
    OPTION_ALL,
    OPTION_NOISE,
    OPTION_LEAST,
    OPTION_FAIL_ON,
    OPTION_JOBS
};

/* As diff(1) and grep(1) do. */
enum { EXIT_BEYOND = 1, EXIT_TROUBLE = 2 };

static const struct argp_option options[] = {
    {"by", OPTION_BY, "WHAT", 0,
     "Compare only this: layer, function, file or rank; repeatable (default: all four)", 0},
    {"top", OPTION_TOP, "N", 0, "Rows per table, 0 for all (default: 12; with --json or --csv all)",
     0},
    {"all", OPTION_ALL, NULL, 0, "Include files of the system, of libraries and of launchers", 0},
    {"fail-on", OPTION_FAIL_ON, "LIMIT", 0,
     "Exit with status 1 if the increase from A to B is beyond LIMIT: 'time(posix) > 10%', "
     "'calls(fsync) > 0', 'findings > 0'; repeatable (see LIMITS in fathom-diff(1))",
     0},
    {"noise", OPTION_NOISE, "PERCENT", 0,
     "With too few runs for a test: times that differ by less than this share of the larger one "
     "are noise (default: 50)",
     0},
    {"least", OPTION_LEAST, "PERCENT", 0,
     "Leave out differences of less than this share of the larger value (default: 1)", 0},
    FTH_CMD_WHERE_OPTION,
    FTH_CMD_PROCESS_OPTIONS,
    {"jobs", OPTION_JOBS, "N", 0, "Number of threads (default: one per processor)", 0},
    {0},
};

static const char text[] =
    "Compare two runs, A and B, or several runs of each: calls, bytes and times by layer, "
    "function, "
    "file and rank, findings, and how the runs were set up.\v"
    "Names that are new in each run (process numbers, temporary files), and the number of calls "
    "that only wait, are no differences. The same program, recorded twice, shows \"No difference "
    "beyond noise\". Times of one run each may differ by chance; four runs of each make a test "
    "possible.\n"
    "\n"
    "Exit status: 0, 1 if a limit of --fail-on is exceeded, 2 if something went wrong.\n"
    "\n"
    "Examples:\n"
    "  fathom diff before.fathom after.fathom\n"
    "  fathom diff before-*.fathom -- after-*.fathom\n"
    "  fathom diff --by file --top 0 before.fathom after.fathom\n"
    "  fathom diff --fail-on 'elapsed > 10%' --fail-on 'findings > 0' main.fathom branch.fathom\n"
    "  fathom diff --markdown -o diff.md before.fathom after.fathom\n"
    "  fathom diff --json a.fathom b.fathom | jq '.files[] | select(.differs == \"yes\")'";

struct request {
    struct fth_selection selection;
    struct fth_diff_view view;
    struct fth_diff_settings settings;
    struct fth_cmd_page page;
    struct fth_cmd_survey survey;
    size_t path_count, of_a; /* of_a SIZE_MAX: no -- was given */
    const char **paths;
    size_t limit_count;
    struct fth_diff_limit *limits;
    bool some_tables;
};

static void choose_table(struct argp_state *state, struct request *request, const char *name)
{
    static const char *const known[FTH_DIFF_PARTS] = {"layer", "function", "file", "rank"};
    request->some_tables = true;
    for (size_t i = 0; i < FTH_DIFF_PARTS; i++)
        if (!strncmp(name, known[i], strlen(known[i])) &&
            (!name[strlen(known[i])] || !strcmp(name + strlen(known[i]), "s"))) {
            request->view.shows[i] = true;
            return;
        }
    fth_cmd_wrong(state, "--by takes layer, function, file or rank, not '%s'", name);
}

static double share_of(struct argp_state *state, const char *option, const char *argument)
{
    char *end;
    double percent = strtod(argument, &end);
    if (end == argument || (*end && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 100))
        fth_cmd_wrong(state, "--%s takes a percentage of 0 to 100, not '%s'", option, argument);
    return percent / 100;
}

static void add_limit(struct argp_state *state, struct request *request, const char *argument)
{
    struct fth_error *error = NULL;
    FTH_GROW(request->limits, request->limit_count);
    if (fth_diff_limit_parse(argument, &request->limits[request->limit_count], &error))
        fth_cmd_wrong(state, "--fail-on: %s", fth_error_text(error));
    request->limit_count++;
}

static void add_path(struct argp_state *state, struct request *request, const char *path)
{
    /* argp takes the first -- away: all behind it is of B. */
    bool behind = state->quoted && state->next > state->quoted;
    if (behind && request->of_a == SIZE_MAX)
        request->of_a = request->path_count;
    FTH_GROW(request->paths, request->path_count);
    request->paths[request->path_count++] = path;
}

static void check(struct argp_state *state, struct request *request)
{
    if (request->of_a == SIZE_MAX && request->path_count != 2)
        fth_cmd_wrong(state, request->path_count < 2
                                 ? "two traces are expected, A and B"
                                 : "of several runs, -- stands between those of A and those of B: "
                                   "fathom diff A1 A2 -- B1 B2");
    if (request->of_a == SIZE_MAX)
        request->of_a = 1;
    if (!request->of_a || request->of_a == request->path_count)
        fth_cmd_wrong(state, "%s has no trace: traces are expected on both sides of --",
                      request->of_a ? "B" : "A");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_BY:
        choose_table(state, request, argument);
        return 0;
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        request->view.top_chosen = true;
        return 0;
    case OPTION_ALL:
        request->view.all = true;
        return 0;
    case OPTION_NOISE:
        request->settings.noise = share_of(state, "noise", argument);
        return 0;
    case OPTION_LEAST:
        request->settings.least = share_of(state, "least", argument);
        return 0;
    case OPTION_FAIL_ON:
        add_limit(state, request, argument);
        return 0;
    case OPTION_JOBS:
        request->survey.jobs = fth_cmd_jobs(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        add_path(state, request, argument);
        return 0;
    case ARGP_KEY_END:
        check(state, request);
        return 0;
    }
    if (fth_cmd_where_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_process_option(key, argument, state, &request->selection);
}

static int read_run(struct request *request, struct fth_trace *trace, struct fth_diff_run *run,
                    struct fth_error **error)
{
    run->trace = trace;
    run->selection = &request->selection;
    run->results.only_findings = true;
    if (fth_analysis_check_selection(&request->selection, trace, error))
        return -1;
    run->signatures.trace = trace;
    struct fth_listeners listeners = {.count = 2,
                                      .list = {fth_diff_listen_for_hints(&run->hints),
                                               fth_diff_listen_for_signatures(&run->signatures)}};
    request->survey.listener = fth_listeners_as_one(&listeners);
    run->stats = fth_analysis_stats(trace, &request->selection, FTH_WHERE_AND_INSIDE, NULL, error);
    if (!run->stats || fth_cmd_survey(&request->survey, trace, &run->results, error))
        return -1;
    fth_diff_describe(run);
    return 0;
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return !stat(one, &a) && !stat(other, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int show(struct request *request, const struct fth_diff *diff, struct fth_error **error)
{
    struct fth_writer writer;
    if (fth_cmd_open_page(&writer, &request->page, "fathom diff", FTH_DIFF_LINE_DEPTH,
                          request->paths, error))
        return -1;
    for (size_t i = 0; i < fth_diff_run_count(diff) && !fth_views_for_people(&writer); i++)
        fth_cmd_report_unsaid(&writer, "diff", diff->runs[i].trace, &request->selection);
    fth_views_diff(&writer, diff, &request->view);
    return fth_cmd_close_page(&writer, 0, error);
}

/* The exit status. */
static int compare(struct request *request, const struct fth_diff_run *runs,
                   struct fth_error **error)
{
    struct fth_diff diff;
    struct fth_diff_outcome *outcomes = fth_new(request->limit_count + 1, sizeof *outcomes);
    bool beyond = false;
    fth_diff_compare(&diff, &request->settings, runs, request->of_a,
                     request->path_count - request->of_a);
    for (size_t i = 0; i < request->limit_count; i++) {
        outcomes[i] = fth_diff_limit_check(&request->limits[i], &diff);
        beyond = beyond || outcomes[i].holds;
    }
    request->view.limit_count = request->limit_count;
    request->view.limits = request->limits;
    request->view.outcomes = outcomes;
    request->view.same_file =
        request->path_count == 2 && is_same_file(request->paths[0], request->paths[1]);
    int result = show(request, &diff, error);
    free(outcomes);
    fth_diff_free(&diff);
    return result ? EXIT_TROUBLE : beyond ? EXIT_BEYOND : 0;
}

static int run(struct request *request, struct fth_error **error)
{
    struct fth_trace **traces = fth_new(request->path_count, sizeof *traces);
    struct fth_diff_run *runs = fth_new(request->path_count, sizeof *runs);
    int result = 0;
    for (size_t i = 0; i < request->path_count && !result; i++) {
        runs[i].path = request->paths[i];
        traces[i] = fth_cmd_open_trace(request->paths[i], error);
        result = traces[i] ? read_run(request, traces[i], &runs[i], error) : -1;
        if (result && traces[i])
            fth_fail_in(error, "trace '%s'", request->paths[i]);
    }
    result = result ? EXIT_TROUBLE : compare(request, runs, error);
    for (size_t i = 0; i < request->path_count; i++) {
        fth_diff_run_free(&runs[i]);
        fth_trace_close(traces[i]);
    }
    free(runs);
    free(traces);
    return result;
}

int fth_cmd_diff(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "A B\nA... -- B...", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        NULL,    NULL};
    struct request request = {.view.top = 12, .settings = FTH_DIFF_SETTINGS, .of_a = SIZE_MAX};
    struct fth_error *error = NULL;
    argp_err_exit_status = EXIT_TROUBLE;
    fth_analysis_selection_init(&request.selection);
    fth_thresholds_init(&request.survey.thresholds);
    request.survey.selection = &request.selection;
    request.survey.further = &fth_pass_unsteady;
    if (fth_cmd_parse(&argp, argc, argv, ARGP_IN_ORDER, &request))
        return EXIT_TROUBLE;
    for (size_t i = 0; i < FTH_DIFF_PARTS && !request.some_tables; i++)
        request.view.shows[i] = true;
    FTH_GROW(request.paths, request.path_count);
    request.paths[request.path_count] = NULL;
    int status = run(&request, &error);
    for (size_t i = 0; i < request.limit_count; i++)
        fth_diff_limit_free(&request.limits[i]);
    free(request.limits);
    free(request.paths);
    fth_analysis_selection_free(&request.selection);
    if (error)
        fth_cmd_failed("diff", error);
    return status;
}
