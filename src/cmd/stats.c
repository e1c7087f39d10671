/* `fathom stats`: who did how much I/O, and how long it took. */
#include "analysis/extents/duration_histogram.h"
#include "analysis/survey/call_walk.h"
#include "analysis/tables/lines_table.h"
#include "analysis/tables/regions_table.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "views/pages/stats_page.h"
#include "views/sentences/selected.h"

#include <stdlib.h>

/* Regions are shown without being asked for where that takes about a second. */
enum { FEW_CALLS = 10000000 };

enum { OPTION_BY = 0x300, OPTION_SORT, OPTION_TOP, OPTION_ALL, OPTION_HISTOGRAM };

static const struct argp_option options[] = {
    {"by", OPTION_BY, "WHAT", 0,
     "Show only this table: layer, function, file or rank; repeatable (default: all four, and "
     "region if there are not too many calls). Or line: source lines of the program (`fathom "
     "record --lines`)",
     0},
    {"sort", OPTION_SORT, "KEY", 0,
     "Sort by time, bytes or calls, largest first (default: time; ranks by number)", 0},
    {"top", OPTION_TOP, "N", 0, "Rows per table, 0 for all (default: 20; with --json or --csv all)",
     0},
    {"all", OPTION_ALL, NULL, 0,
     "Include files of the system, of libraries and of launchers (with --json or --csv always)", 0},
    {"histogram", OPTION_HISTOGRAM, "FUNCTION", 0,
     "Show a histogram of the durations of FUNCTION; other tables only with --by", 0},
    FTH_CMD_PROCESS_OPTIONS,
    FTH_CMD_WHERE_OPTION,
    {0},
};

static const char text[] =
    "Show the calls, bytes and time of a run by layer, function, file and rank.\v"
    "The total counts bytes once: bytes that MPI-IO moves through POSIX count in both layers, but "
    "once in the total. Times are added up over all processes and include nested calls.\n"
    "\n"
    "Examples:\n"
    "  fathom stats app.fathom\n"
    "  fathom stats --by file --sort bytes --top 5 app.fathom\n"
    "  fathom stats --rank 0 --by function app.fathom\n"
    "  fathom stats --histogram write app.fathom\n"
    "  fathom stats --by line app.fathom\n"
    "  fathom stats --json app.fathom | jq '.files[0].path'";

struct request {
    struct fth_selection selection;
    struct fth_stats_view view;
    struct fth_cmd_page page;
    const char *histogram; /* of this function, or NULL */
    enum fth_stats_order order;
    bool order_chosen, some_tables, lines, regions;
};

static void choose_table(struct argp_state *state, struct request *request, const char *name)
{
    static const struct {
        const char *names[2];
        enum fth_stats_table table;
    } known[] = {
        {{"layer", "layers"}, FTH_STATS_LAYERS},
        {{"function", "functions"}, FTH_STATS_FUNCTIONS},
        {{"file", "files"}, FTH_STATS_FILES},
        {{"rank", "ranks"}, FTH_STATS_RANKS},
    };
    request->some_tables = true;
    if (!strcmp(name, "line") || !strcmp(name, "lines")) {
        request->lines = true;
        return;
    }
    if (!strcmp(name, "region") || !strcmp(name, "regions")) {
        request->regions = true;
        return;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i].names[0]) || !strcmp(name, known[i].names[1])) {
            request->view.shows[known[i].table] = true;
            return;
        }
    fth_cmd_wrong(state, "--by takes layer, function, file, rank, line or region, not '%s'", name);
}

static void choose_order(struct argp_state *state, struct request *request, const char *name)
{
    static const char *const known[] = {[FTH_STATS_BY_TIME] = "time",
                                        [FTH_STATS_BY_BYTES] = "bytes",
                                        [FTH_STATS_BY_CALLS] = "calls"};
    request->order_chosen = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i])) {
            request->order = (enum fth_stats_order)i;
            return;
        }
    fth_cmd_wrong(state, "--sort takes time, bytes or calls, not '%s'", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_BY:
        choose_table(state, request, argument);
        return 0;
    case OPTION_SORT:
        choose_order(state, request, argument);
        return 0;
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        request->view.top_chosen = true;
        return 0;
    case OPTION_ALL:
        request->view.all = true;
        return 0;
    case OPTION_HISTOGRAM:
        request->histogram = argument;
        request->some_tables = true;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    if (fth_cmd_where_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    if (fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_trace_argument(key, argument, state, &request->view.trace_path);
}

static void sort(struct fth_stats *stats, const struct request *request)
{
    for (enum fth_stats_table i = FTH_STATS_FUNCTIONS; i < FTH_STATS_TABLES; i++)
        if (i != FTH_STATS_RANKS || request->order_chosen)
            fth_analysis_stats_sort(stats, i, request->order);
}

static int show(const struct request *request, const struct fth_trace *trace,
                const struct fth_stats *stats, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->view.trace_path, NULL};
    if (fth_cmd_open_page(&writer, &request->page, "fathom stats", FTH_STATS_LINE_DEPTH, inputs,
                          error))
        return -1;
    fth_cmd_report_unsaid(&writer, "stats", trace, &request->selection);
    fth_views_stats(&writer, trace, stats, &request->view);
    return fth_cmd_close_page(&writer, 0, error);
}

/* Tables for which all calls are gone through. */
typedef struct fth_table *pass_function(struct fth_trace *trace,
                                        const struct fth_selection *selection,
                                        enum fth_stats_order order, struct fth_progress *progress,
                                        struct fth_error **error);

static int walk(const struct request *request, struct fth_trace *trace, pass_function *pass,
                struct fth_table **table, struct fth_error **error)
{
    struct fth_progress progress;
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    *table = pass(trace, &request->selection, request->order, &progress, error);
    fth_progress_end(&progress);
    return *table ? 0 : -1;
}

struct results {
    struct fth_stats *stats;
    struct fth_table *durations, *lines, *regions; /* or NULL */
};

static int add_up(struct request *request, struct fth_trace *trace, struct results *results,
                  struct fth_error **error)
{
    struct fth_progress progress;
    if (request->lines && walk(request, trace, fth_analysis_lines, &results->lines, error))
        return -1;
    fth_progress_begin(&progress, "adding up",
                       request->selection.where
                           ? fth_analysis_walk_length(trace, &request->selection)
                           : fth_trace_process_count(trace) * (request->histogram ? 2 : 1));
    results->stats =
        fth_analysis_stats(trace, &request->selection, FTH_WHERE_ITSELF, &progress, error);
    if (results->stats && request->histogram)
        results->durations = fth_analysis_durations(trace, &request->selection, request->histogram,
                                                    &progress, error);
    fth_progress_end(&progress);
    if (!results->stats || (request->histogram && !results->durations))
        return -1;
    int has_regions =
        request->some_tables ? 0 : fth_analysis_has_regions(trace, &request->selection, error);
    bool are_few = fth_analysis_walk_length(trace, &request->selection) <= FEW_CALLS;
    if (has_regions < 0)
        return -1;
    request->view.hides_regions = has_regions && !are_few;
    if (!request->regions && !(has_regions && are_few))
        return 0;
    return walk(request, trace, fth_analysis_regions, &results->regions, error);
}

static void free_results(struct results *results)
{
    fth_table_free(results->durations);
    fth_table_free(results->lines);
    fth_table_free(results->regions);
    fth_analysis_stats_free(results->stats);
}

static int run(struct request *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->view.trace_path, error);
    if (!trace)
        return -1;
    struct results results = {0};
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result)
        result = add_up(request, trace, &results, error);
    if (!result) {
        sort(results.stats, request);
        request->view.durations = results.durations;
        request->view.lines = results.lines;
        request->view.regions = results.regions;
        request->view.launchers = fth_analysis_launchers(&request->selection, trace);
        request->view.silent = fth_analysis_silent(&request->selection, trace);
        request->view.incomplete = fth_analysis_incomplete(&request->selection, trace);
        char *selected = fth_views_selected(&request->selection);
        request->view.selected = selected;
        result = show(request, trace, results.stats, error);
        free(selected);
    }
    free_results(&results);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_stats(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
    struct request request = {.view.top = 20};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    if (request.selection.where && request.histogram) {
        fth_fail(&error, "--histogram counts all calls of a function: leave --where out");
        fth_analysis_selection_free(&request.selection);
        return fth_cmd_failed("stats", error);
    }
    for (size_t i = 0; i < FTH_STATS_TABLES && !request.some_tables; i++)
        request.view.shows[i] = true;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("stats", error) : 0;
}
