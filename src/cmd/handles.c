/* `fathom handles`: what a run had open, and which handle stood behind which. */
#include "cmd/command.h"

#include "analysis/tables/handles.h"
#include "analysis/survey/walk.h"
#include "views/handles.h"
#include "views/incomplete.h"

#include <errno.h>

enum { OPTION_JSON = 0x300, OPTION_LAYER, OPTION_FILE, OPTION_ALL, OPTION_TOP };

static const struct argp_option options[] = {
    FTH_CMD_PROCESS_OPTIONS,
    FTH_CMD_WHERE_OPTION,
    {"layer", OPTION_LAYER, "NAME", 0,
     "Only handles of this layer, and those that they belong to; repeatable", 0},
    {"file", OPTION_FILE, "PATTERN", 0,
     "Only handles of such files: '*.h5', '/scratch/*'; repeatable. Without a slash it is about "
     "the last part of the path",
     0},
    {"all", OPTION_ALL, NULL, 0,
     "Also handles that are no file and in none (communicators, datatypes, property lists), and "
     "files of the system, libraries and launchers. JSON always has the latter",
     0},
    {"top", OPTION_TOP, "N", 0,
     "So many handles of each process, 0 for all (default: 20; JSON has all)", 0},
    {"json", OPTION_JSON, NULL, 0, "Print JSON", 0},
    {"output", 'o', "FILE", 0, "Write to FILE", 0},
    {0},
};

static const char text[] =
    "Show what the processes of a run had open, as a tree: the descriptors below each MPI file, "
    "the "
    "MPI "
    "file below each HDF5 file, and what was done with each."
    "\v"
    "Examples:\n"
    "  fathom handles --rank 0 app.fathom\n"
    "  fathom handles --file '*.h5' app.fathom\n"
    "  fathom handles --where 'kind == write and bytes < 4K' app.fathom\n"
    "  fathom handles --json app.fathom | jq '.processes[].handles[] | select(.closed == null) | "
    ".path'";

struct request {
    struct fth_selection selection;
    const char *trace_path, *output_path;
    bool all, json;
    size_t top;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    struct fth_words *words =
        key == OPTION_LAYER ? &request->selection.layers : &request->selection.files;
    switch (key) {
    case OPTION_LAYER:
    case OPTION_FILE:
        if (!fth_analysis_add_word(words, argument))
            argp_failure(state, 1, ENOMEM, "%s", argument);
        return 0;
    case OPTION_ALL:
        request->all = true;
        return 0;
    case OPTION_TOP:
        request->top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case OPTION_JSON:
        request->json = true;
        return 0;
    case 'o':
        request->output_path = argument;
        return 0;
    }
    if (fth_cmd_where_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN ||
        fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

static bool is_choosy(const struct request *request)
{
    return request->selection.files.count || request->selection.layers.count ||
           request->selection.where;
}

/* One process after the other: only one tree is in memory. */
static int show_processes(const struct request *request, struct fth_trace *trace,
                          struct fth_output *output, struct fth_json *json,
                          struct fth_error **error)
{
    struct fth_progress progress;
    int result = 0;
    size_t found = 0;
    fth_cmd_match_communicators(trace);
    fth_progress_begin(&progress, "reading calls",
                       fth_analysis_walk_length(trace, &request->selection));
    for (size_t proc = 0; proc < fth_trace_process_count(trace) && !result; proc++) {
        if (!fth_analysis_selects_process(&request->selection, trace, proc))
            continue;
        struct fth_table *handles =
            fth_analysis_handles(trace, proc, &request->selection, request->all, &progress, error);
        found += handles ? fth_table_rows(handles) : 0;
        if (!handles)
            result = -1;
        else if (request->json)
            fth_views_handles_json(json, trace, proc, handles);
        else
            fth_views_handles(output, trace, proc, handles,
                              request->all || request->selection.files.count, request->top);
        fth_table_free(handles);
    }
    fth_progress_end(&progress);
    if (!result && !found && !request->json)
        fth_views_print(output, "No handles%s\n", is_choosy(request) ? " match" : "");
    return result;
}

static int show(const struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    static struct fth_output output;
    const char *inputs[] = {request->trace_path, NULL};
    struct fth_json json;
    if (fth_views_open(&output, request->output_path, inputs, error))
        return -1;
    fth_json_open(&json, &output.sink, 4);
    const struct fth_incomplete incomplete = fth_analysis_incomplete(&request->selection, trace);
    if (request->json) {
        fth_json_begin_object(&json);
        fth_json_key(&json, "trace");
        fth_json_text(&json, request->trace_path);
        fth_views_missing_json(&json, &incomplete);
        fth_json_key(&json, "processes");
        fth_json_begin_array(&json);
    } else {
        fth_views_put_missing(&output, &incomplete);
    }
    int result = show_processes(request, trace, &output, &json, error);
    if (request->json && !result) {
        fth_json_end_array(&json);
        fth_json_end_object(&json);
        fth_json_end_document(&json);
    }
    int closed = fth_views_close(&output, result ? NULL : error);
    return result ? result : closed;
}

int fth_cmd_handles(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "TRACE", text, NULL, NULL, NULL};
    struct request request = {.top = 20};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct fth_trace *trace = fth_cmd_open_trace(request.trace_path, &error);
    int result = trace ? fth_analysis_check_selection(&request.selection, trace, &error) : -1;
    if (!result)
        result = fth_cmd_check_where(request.selection.where, trace, &error);
    if (!result)
        result = show(&request, trace, &error);
    fth_trace_close(trace);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("handles", error) : 0;
}
