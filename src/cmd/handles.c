/* `fathom handles`: what a run had open, and which handle stood behind which. */
#include "analysis/survey/call_walk.h"
#include "analysis/tables/handles_table.h"
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "views/pages/handles_page.h"

#include <errno.h>

enum { OPTION_LAYER = 0x300, OPTION_FILE, OPTION_ALL, OPTION_TOP };

static const struct argp_option options[] = {
    FTH_CMD_PROCESS_OPTIONS,
    FTH_CMD_WHERE_OPTION,
    {"layer", OPTION_LAYER, "NAME", 0,
     "Show only handles of this layer and the handles that they belong to; repeatable", 0},
    {"file", OPTION_FILE, "PATTERN", 0,
     "Only handles of files that match: '*.h5', '/scratch/*'; repeatable. A pattern without a "
     "slash matches the last part of the path",
     0},
    {"all", OPTION_ALL, NULL, 0,
     "Include handles outside files (communicators, datatypes, property lists), and files of the "
     "system, libraries and launchers (JSON and CSV always have the files)",
     0},
    {"top", OPTION_TOP, "N", 0,
     "Handles per process, 0 for all (default: 20; JSON and CSV have all)", 0},
    {0},
};

static const char text[] =
    "Show the handles that the processes of a run had open, and what was done with each, as a "
    "tree: MPI files below HDF5 files, descriptors below MPI files.\v"
    "Examples:\n"
    "  fathom handles --rank 0 app.fathom\n"
    "  fathom handles --file '*.h5' app.fathom\n"
    "  fathom handles --where 'kind == write and bytes < 4K' app.fathom\n"
    "  fathom handles --json app.fathom | jq '.processes[].handles[] | select(.closed == null) | "
    ".path'";

struct request {
    struct fth_selection selection;
    struct fth_cmd_page page;
    const char *trace_path;
    bool all;
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
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
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
                          struct fth_writer *writer, struct fth_error **error)
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
        if (handles)
            fth_views_handles(writer, trace, proc, handles,
                              request->all || request->selection.files.count, request->top);
        result = handles ? 0 : -1;
        fth_table_free(handles);
    }
    fth_progress_end(&progress);
    if (!result && !found)
        fth_views_write_remark(writer, FTH_PAINT_PLAIN, "No handles%s",
                               is_choosy(request) ? " match" : "");
    return result;
}

static int show(const struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->trace_path, NULL};
    const struct fth_incomplete incomplete = fth_analysis_incomplete(&request->selection, trace);
    if (fth_cmd_open_page(&writer, &request->page, "fathom handles", FTH_HANDLES_LINE_DEPTH, inputs,
                          error))
        return -1;
    fth_cmd_report_unsaid(&writer, "handles", trace, &request->selection);
    fth_views_handles_begin(&writer, request->trace_path, &incomplete);
    int result = show_processes(request, trace, &writer, error);
    if (!result)
        fth_views_handles_end(&writer);
    return fth_cmd_close_page(&writer, result, error);
}

int fth_cmd_handles(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
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
