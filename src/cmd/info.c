/* `fathom info`: what is in a trace, where it came from, and what is missing. */
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "views/pages/info_page.h"

enum { OPTION_SIZE = 0x300, OPTION_ALL };

static const struct argp_option options[] = {
    {"size", OPTION_SIZE, NULL, 0, "Show what takes up the space in the file", 0},
    {"all", OPTION_ALL, NULL, 0, "Show every process, even if many are alike", 0},
    {0},
};

static const char text[] =
    "Show where a trace comes from, its processes, and what was left out, lost or not visible.\v"
    "Processes are numbered from 0 in order of start. Other commands take these numbers with "
    "--proc.\n"
    "\n"
    "Examples:\n"
    "  fathom info app.fathom\n"
    "  fathom info --size app.fathom\n"
    "  fathom info --json app.fathom | jq '.processes[].how_ended'";

struct request {
    struct fth_info_view view;
    struct fth_cmd_page page;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_SIZE:
        request->view.sizes = true;
        return 0;
    case OPTION_ALL:
        request->view.all_processes = true;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    return fth_cmd_trace_argument(key, argument, state, &request->view.trace_path);
}

static int show(const struct request *request, struct fth_trace *trace, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->view.trace_path, NULL};
    if (fth_cmd_open_page(&writer, &request->page, "fathom info", FTH_INFO_LINE_DEPTH, inputs,
                          error))
        return -1;
    fth_cmd_report_unsaid(&writer, "info", trace, NULL);
    int result = fth_views_info(&writer, trace, &request->view, error);
    return fth_cmd_close_page(&writer, result, error);
}

int fth_cmd_info(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
    struct request request = {0};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    struct fth_trace *trace = fth_cmd_open_trace(request.view.trace_path, &error);
    int result = trace ? show(&request, trace, &error) : -1;
    fth_trace_close(trace);
    return result ? fth_cmd_failed("info", error) : 0;
}
