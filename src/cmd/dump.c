/* `fathom dump`: the calls themselves. */
#include "analysis/survey/family.h"
#include "analysis/survey/call_walk.h"
#include "analysis/tables/operations_table.h"
#include "base/visible.h"
#include "cmd/shared/call_options.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "views/sentences/meta.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    OPTION_HEAD = 0x300,
    OPTION_BY_TIME,
    OPTION_LINES,
    OPTION_HANDLES,
    OPTION_RANGES,
    OPTION_OPERATIONS,
    OPTION_CALL,
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0,
     "Selecting calls (a repeated option selects any of its values; all options must match):", 1},
    FTH_CMD_CALL_OPTIONS,
    FTH_CMD_TO_OPTION,
    {"call", OPTION_CALL, "ID", 0,
     "Only this call (3.0.253, as in the findings of `fathom report`), with the calls around and "
     "inside it; repeatable",
     0},
    {"head", OPTION_HEAD, "N", 0, "Stop after N calls", 0},
    {NULL, 0, NULL, 0, "How:", 2},
    {"by-time", OPTION_BY_TIME, NULL, 0,
     "Sort the calls of all processes by time, instead of one process after the other", 0},
    {"lines", OPTION_LINES, NULL, 0,
     "Show the source line of each call (see --lines of fathom record)", 0},
    {"handles", OPTION_HANDLES, NULL, 0,
     "Show the handles of each call and their parents, with the numbers of `fathom handles`", 0},
    {"ranges", OPTION_RANGES, NULL, 0, "Show the byte ranges that each read or write accesses", 0},
    {"operations", OPTION_OPERATIONS, NULL, 0,
     "Show nonblocking operations instead of calls: each from its start to the call that completes "
     "it",
     0},
    {0},
};

static const char text[] =
    "List the calls of a run, one per line: process, start, duration, function, parameters, "
    "result. Calls inside another recorded call are indented.\v"
    "Examples:\n"
    "  fathom dump --rank 0 --head 50 app.fathom\n"
    "  fathom dump --file '*.h5' --min-duration 10ms --by-time app.fathom\n"
    "  fathom dump --call 3.0.253 app.fathom\n"
    "  fathom dump --func 'open*' --json app.fathom | jq -c '[.file, .ret]'";

struct request {
    struct fth_selection selection;
    struct fth_cmd_page page;
    const char *trace_path;
    uint64_t head; /* UINT64_MAX: all */
    enum fth_walk_order order;
    bool lines, handles, ranges, operations;
    struct fth_words calls; /* that were named */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    if (fth_cmd_call_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    switch (key) {
    case OPTION_CALL:
        fth_cmd_add_word(state, &request->calls, argument);
        return 0;
    case OPTION_HEAD:
        request->head = (uint64_t)fth_cmd_integer(state, "head", argument);
        return 0;
    case OPTION_BY_TIME:
        request->order = FTH_WALK_BY_TIME;
        return 0;
    case OPTION_LINES:
        request->lines = true;
        return 0;
    case OPTION_HANDLES:
        request->handles = true;
        return 0;
    case OPTION_RANGES:
        request->ranges = true;
        return 0;
    case OPTION_OPERATIONS:
        request->operations = true;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

/* Nothing on the output may mean anything. */
static void say_nothing_matched(const struct request *request, const struct fth_trace *trace)
{
    struct fth_launchers launchers = fth_analysis_launchers(&request->selection, trace);
    bool empty = !fth_trace_info(trace)->calls;
    char lasted[64] = "";
    if (request->selection.from > fth_trace_info(trace)->end)
        snprintf(lasted, sizeof lasted, ": the run lasted %.9g s",
                 (double)fth_trace_info(trace)->end / 1e9);
    fth_say(stderr, "fathom dump: %s%s%s\n",
            empty ? "there are no calls in this trace" : "no call matches", lasted,
            launchers.calls ? " (launchers are left out; --launchers shows them)" : "");
}

static void print_call(struct fth_writer *writer, struct fth_dump *dump,
                       const struct fth_run_walk *walk, const struct fth_call *call)
{
    dump->access = fth_analysis_walk_access(walk, &dump->accesses);
    writer->format->call(writer, dump, call);
}

static int print_calls(const struct request *request, struct fth_trace *trace,
                       struct fth_run_walk *walk, struct fth_family *family,
                       struct fth_writer *writer, struct fth_error **error)
{
    struct fth_dump dump;
    const struct fth_call *call;
    int more = 0;
    fth_views_dump_open(&dump, writer->output, trace);
    dump.lines = request->lines;
    dump.handles = request->handles;
    dump.ranges = request->ranges;
    struct fth_sentence times = fth_views_times(fth_trace_info(trace));
    if (*times.text)
        fth_say(stderr, "fathom dump: times are %s\n", times.text);
    for (uint64_t printed = 0; printed < request->head && !fth_views_stopped(writer->output);
         printed++) {
        more = fth_analysis_walk_next(walk, &call, error);
        if (more == 0 && printed == 0)
            say_nothing_matched(request, trace);
        if (more <= 0 || (family && fth_family_is_over(family, call)))
            return more < 0 ? -1 : 0;
        if (family && !fth_family_has(family, call))
            printed--;
        else
            print_call(writer, &dump, walk, call);
    }
    return 0;
}

static int walk_trace(const struct request *request, const struct fth_selection *selection,
                      struct fth_trace *trace, struct fth_family *family, struct fth_writer *writer,
                      struct fth_error **error)
{
    struct fth_progress progress;
    fth_progress_begin(&progress, "reading calls", fth_analysis_walk_length(trace, selection));
    /* Two things on one screen would spoil each other. */
    bool alone = request->page.path || !isatty(STDOUT_FILENO);
    struct fth_run_walk *walk =
        fth_analysis_walk_open(trace, selection, request->order, alone ? &progress : NULL, error);
    if (walk && (request->handles || request->ranges))
        fth_analysis_walk_with_handles(walk);
    if (walk && (request->ranges || fth_analysis_has_operations(trace)))
        fth_analysis_walk_accesses(walk);
    int result = walk ? print_calls(request, trace, walk, family, writer, error) : -1;
    fth_analysis_walk_close(walk);
    fth_progress_end(&progress);
    return result;
}

/* Each with its own; a blank line separates them for people. */
static int show_named(const struct request *request, struct fth_trace *trace,
                      struct fth_writer *writer, struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < request->calls.count && !result; i++) {
        struct fth_selection whole;
        struct fth_family *family =
            fth_analysis_family(trace, request->calls.items[i], INT64_MIN, NULL, error);
        fth_analysis_selection_init(&whole);
        int64_t proc = family ? (int64_t)fth_family_proc(family) : 0;
        if (!family || !fth_analysis_add_integers(&whole.procs, proc, proc))
            result = family ? fth_fail(error, "out of memory") : -1;
        else if (i)
            fth_views_write_gap(writer);
        if (!result)
            result = walk_trace(request, &whole, trace, family, writer, error);
        fth_analysis_selection_free(&whole);
        fth_family_free(family);
    }
    return result;
}

static int print_operations(const struct request *request, struct fth_trace *trace,
                            struct fth_writer *writer, struct fth_progress *progress,
                            struct fth_error **error)
{
    struct fth_dump dump;
    const struct fth_operation *operation;
    struct fth_operation_walk *walk =
        fth_analysis_operations_open(trace, &request->selection, progress);
    fth_views_dump_open(&dump, writer->output, trace);
    int more = 1;
    for (uint64_t printed = 0; printed < request->head && !fth_views_stopped(writer->output);
         printed++) {
        more = fth_analysis_operations_next(walk, &operation, error);
        if (more == 0 && printed == 0)
            fth_say(stderr, "fathom dump: there are no operations%s\n",
                    fth_analysis_has_operations(trace) ? " that match" : " in this trace");
        if (more <= 0)
            break;
        writer->format->operation(writer, &dump, operation);
    }
    fth_analysis_operations_close(walk);
    return more < 0 ? -1 : 0;
}

/* With progress on the screen, unless the calls stand there. */
static int list_operations(const struct request *request, struct fth_trace *trace,
                           struct fth_writer *writer, struct fth_error **error)
{
    struct fth_progress progress;
    bool alone = request->page.path || !isatty(STDOUT_FILENO);
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    int result = print_operations(request, trace, writer, alone ? &progress : NULL, error);
    fth_progress_end(&progress);
    return result;
}

static int show(const struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->trace_path, NULL};
    if (fth_cmd_open_page(&writer, &request->page, "fathom dump", 0, inputs, error))
        return -1;
    fth_cmd_report_incomplete("dump", trace, &request->selection, &writer);
    if (request->handles)
        fth_cmd_match_communicators(trace);
    if (request->operations)
        fth_views_begin_operations(&writer);
    else
        fth_views_begin_calls(&writer);
    int result = request->operations ? list_operations(request, trace, &writer, error)
                 : request->calls.count
                     ? show_named(request, trace, &writer, error)
                     : walk_trace(request, &request->selection, trace, NULL, &writer, error);
    /* What was read before a damaged place is printed all the same. */
    return fth_cmd_close_page(&writer, result, error);
}

static int run(const struct request *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (!trace)
        return -1;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result)
        result = show(request, trace, error);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_dump(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_CALLS, 2), NULL, NULL};
    struct request request = {.head = UINT64_MAX};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    free(request.calls.items);
    return result ? fth_cmd_failed("dump", error) : 0;
}
