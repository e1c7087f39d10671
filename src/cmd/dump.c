/* `fathom dump`: the calls themselves. */
#include "cmd/command.h"

#include "analysis/operations.h"
#include "analysis/walk.h"
#include "views/dump.h"
#include "views/info.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum {
    OPTION_JSON = 0x300,
    OPTION_LAYER,
    OPTION_FUNC,
    OPTION_FILE,
    OPTION_FROM,
    OPTION_TO,
    OPTION_MIN_DURATION,
    OPTION_MIN_BYTES,
    OPTION_HEAD,
    OPTION_BY_TIME,
    OPTION_LINES,
    OPTION_HANDLES,
    OPTION_RANGES,
    OPTION_OPERATIONS,
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Which calls (of each option any value will do; all options must hold):", 1},
    FTH_CMD_PROCESS_OPTIONS,
    {"layer", OPTION_LAYER, "NAME", 0, "Only this layer: posix, stdio, mpiio ...; repeatable", 0},
    {"func", OPTION_FUNC, "PATTERN", 0, "Only functions of this name: pwrite, 'MPI_*'; repeatable",
     0},
    {"file", OPTION_FILE, "PATTERN", 0,
     "Only calls about such files: '*.h5', '/scratch/*'; repeatable. Without a slash it is about "
     "the "
     "last part of the path",
     0},
    {"from", OPTION_FROM, "TIME", 0,
     "Only calls that run after it: seconds since the start, or 20ms", 0},
    {"to", OPTION_TO, "TIME", 0, "Only calls that run before it", 0},
    {"min-duration", OPTION_MIN_DURATION, "TIME", 0, "Only calls that took so long: 0.5, 20ms", 0},
    {"min-bytes", OPTION_MIN_BYTES, "BYTES", 0, "Only calls that moved so much: 4096, 1M", 0},
    FTH_CMD_WHERE_OPTION,
    {"head", OPTION_HEAD, "N", 0, "Stop after N calls", 0},
    {NULL, 0, NULL, 0, "How:", 2},
    {"by-time", OPTION_BY_TIME, NULL, 0,
     "All processes mixed in order of time, instead of one after the other", 0},
    {"lines", OPTION_LINES, NULL, 0,
     "Also where in the program's source the call is made (`fathom record --lines`)", 0},
    {"handles", OPTION_HANDLES, NULL, 0,
     "With each call the handles behind it, up to where they come from: numbers of `fathom "
     "handles`",
     0},
    {"ranges", OPTION_RANGES, NULL, 0,
     "With each call that reads or writes a file the bytes of the file that it does so with", 0},
    {"operations", OPTION_OPERATIONS, NULL, 0,
     "Instead of calls the operations that do not block, each from the call that starts it to the "
     "one that finds it over",
     0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON, one object per line", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Print the calls of a run, a line each: who, when, how long, what, and what came of it. Calls "
    "made "
    "inside another recorded call are indented."
    "\v"
    "Examples:\n"
    "  fathom dump --rank 0 --head 50 app.fathom\n"
    "  fathom dump --file '*.h5' --min-duration 10ms --by-time app.fathom\n"
    "  fathom dump --func 'open*' --json app.fathom | jq -c '[.file, .ret]'";

struct request {
    struct fth_selection selection;
    const char *trace_path, *output_path;
    uint64_t head; /* UINT64_MAX: all */
    enum fth_walk_order order;
    bool json, lines, handles, ranges, operations;
};

static void add_word(struct argp_state *state, struct fth_words *list, const char *word)
{
    if (!fth_analysis_add_word(list, word))
        argp_failure(state, 1, ENOMEM, "%s", word);
}

static bool parse_selection(int key, char *argument, struct argp_state *state,
                            struct fth_selection *selection)
{
    switch (key) {
    case OPTION_LAYER:
        add_word(state, &selection->layers, argument);
        return true;
    case OPTION_FUNC:
        add_word(state, &selection->functions, argument);
        return true;
    case OPTION_FILE:
        add_word(state, &selection->files, argument);
        return true;
    case OPTION_FROM:
        selection->from = fth_cmd_duration(state, "from", argument);
        return true;
    case OPTION_TO:
        selection->to = fth_cmd_duration(state, "to", argument);
        return true;
    case OPTION_MIN_DURATION:
        selection->min_duration = fth_cmd_duration(state, "min-duration", argument);
        return true;
    case OPTION_MIN_BYTES:
        selection->min_bytes = fth_cmd_bytes(state, "min-bytes", argument);
        return true;
    }
    return fth_cmd_where_option(key, argument, state, selection) != ARGP_ERR_UNKNOWN ||
           fth_cmd_process_option(key, argument, state, selection) != ARGP_ERR_UNKNOWN;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    if (parse_selection(key, argument, state, &request->selection))
        return 0;
    switch (key) {
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
    case OPTION_JSON:
        request->json = true;
        return 0;
    case 'o':
        request->output_path = argument;
        return 0;
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
    fprintf(stderr, "fathom dump: %s%s%s\n",
            empty ? "there are no calls in this trace" : "no call matches", lasted,
            launchers.calls ? " (launchers are left out; --launchers shows them)" : "");
}

static int print_calls(const struct request *request, struct fth_trace *trace,
                       struct fth_walk *walk, struct fth_output *output, struct fth_error **error)
{
    struct fth_dump dump;
    const struct fth_call *call;
    int more = 0;
    fth_views_dump_open(&dump, output, trace);
    dump.lines = request->lines;
    dump.handles = request->handles;
    dump.ranges = request->ranges;
    struct fth_sentence times = fth_views_times(fth_trace_info(trace));
    if (*times.text)
        fprintf(stderr, "fathom dump: times are %s\n", times.text);
    for (uint64_t printed = 0; printed < request->head && !fth_views_stopped(output); printed++) {
        more = fth_analysis_walk_next(walk, &call, error);
        if (more == 0 && printed == 0)
            say_nothing_matched(request, trace);
        if (more <= 0)
            return more;
        dump.access = fth_analysis_walk_access(walk, &dump.accesses);
        if (request->json)
            fth_views_dump_call_json(&dump, call);
        else
            fth_views_dump_call(&dump, call);
    }
    return 0;
}

/* Are there calls that start what others complete? */
static bool has_operations(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (fth_trace_function(trace, i)->starts)
            return true;
    return false;
}

static int walk_trace(const struct request *request, struct fth_trace *trace,
                      struct fth_output *output, struct fth_error **error)
{
    struct fth_progress progress;
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    /* Two things on one screen would spoil each other. */
    bool alone = request->output_path || !isatty(STDOUT_FILENO);
    struct fth_walk *walk = fth_analysis_walk_open(trace, &request->selection, request->order,
                                                   alone ? &progress : NULL, error);
    if (walk && request->handles)
        fth_analysis_walk_with_handles(walk);
    if (walk && (request->ranges || has_operations(trace)))
        fth_analysis_walk_accesses(walk);
    int result = walk ? print_calls(request, trace, walk, output, error) : -1;
    fth_analysis_walk_close(walk);
    fth_progress_end(&progress);
    return result;
}

static int print_operations(const struct request *request, struct fth_trace *trace,
                            struct fth_output *output, struct fth_progress *progress,
                            struct fth_error **error)
{
    struct fth_dump dump;
    const struct fth_operation *operation;
    struct fth_operation_walk *walk =
        fth_analysis_operations_open(trace, &request->selection, progress);
    fth_views_dump_open(&dump, output, trace);
    int more = 1;
    for (uint64_t printed = 0; printed < request->head && !fth_views_stopped(output); printed++) {
        more = fth_analysis_operations_next(walk, &operation, error);
        if (more == 0 && printed == 0)
            fprintf(stderr, "fathom dump: there are no operations%s\n",
                    has_operations(trace) ? " that match" : " in this trace");
        if (more <= 0)
            break;
        if (request->json)
            fth_views_dump_operation_json(&dump, operation);
        else
            fth_views_dump_operation(&dump, operation);
    }
    fth_analysis_operations_close(walk);
    return more < 0 ? -1 : 0;
}

/* With progress on the screen, unless the calls stand there. */
static int list_operations(const struct request *request, struct fth_trace *trace,
                           struct fth_output *output, struct fth_error **error)
{
    struct fth_progress progress;
    bool alone = request->output_path || !isatty(STDOUT_FILENO);
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    int result = print_operations(request, trace, output, alone ? &progress : NULL, error);
    fth_progress_end(&progress);
    return result;
}

static int run(const struct request *request, struct fth_error **error)
{
    static struct fth_output output;
    const char *inputs[] = {request->trace_path, NULL};
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (!trace)
        return -1;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result)
        result = fth_views_open(&output, request->output_path, inputs, error);
    if (!result) {
        result = request->operations ? list_operations(request, trace, &output, error)
                                     : walk_trace(request, trace, &output, error);
        /* What was read before a damaged place is printed all the same. */
        int closed = fth_views_close(&output, result ? NULL : error);
        result = result ? result : closed;
    }
    fth_trace_close(trace);
    return result;
}

int fth_cmd_dump(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.head = UINT64_MAX};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (argp_parse(&argp, argc, argv, 0, NULL, &request))
        return 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("dump", error) : 0;
}
