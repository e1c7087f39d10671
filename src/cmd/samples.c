/* `fathom samples`: what the machine did beside the program. */
#include "cmd/shared/command.h"
#include "cmd/shared/page_options.h"
#include "views/pages/samples_page.h"

#include <stdlib.h>

enum { OPTION_COUNTER = 0x300, OPTION_ALL, OPTION_TOP };

static const struct argp_option options[] = {
    {"counter", OPTION_COUNTER, "PATTERN", 0,
     "Plot these counters over time: 'cpu.user', 'disk.*:sda' (with --json or --csv their values); "
     "repeatable",
     0},
    {"all", OPTION_ALL, NULL, 0, "Also show each CPU, and counters that were always 0", 0},
    {"top", OPTION_TOP, "N", 0,
     "Number of processes, 0 for all (default: 20; with --json or --csv all)", 0},
    FTH_CMD_PROCESS_OPTIONS,
    {0},
};

static const char text[] =
    "Show the counters that `fathom record --sample` noted for nodes and processes: CPUs, memory, "
    "disks, network, energy.\v"
    "Rates are per second. For CPUs and disks they are the share of time in which one of them was "
    "busy.\n"
    "\n"
    "Examples:\n"
    "  fathom record --sample 100ms -o app.fathom -- mpirun -n 4 ./app\n"
    "  fathom samples app.fathom\n"
    "  fathom samples --counter memory.dirty --counter 'disk.written' app.fathom\n"
    "  fathom samples --json --counter cpu.iowait: app.fathom";

struct request {
    struct fth_selection selection;
    struct fth_words patterns;
    struct fth_samples_view view;
    struct fth_cmd_page page;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_COUNTER:
        request->view.named = true;
        if (!fth_analysis_add_word(&request->patterns, argument))
            argp_failure(state, 1, ENOMEM, "--counter");
        return 0;
    case OPTION_ALL:
        request->view.all = true;
        return 0;
    case OPTION_TOP:
        request->view.top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    }
    if (fth_cmd_process_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_trace_argument(key, argument, state, &request->view.trace_path);
}

static int show(const struct request *request, const struct fth_trace *trace,
                const struct fth_sample_sums *sums, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->view.trace_path, NULL};
    if (fth_cmd_open_page(&writer, &request->page, "fathom samples", FTH_SAMPLES_LINE_DEPTH, inputs,
                          error))
        return -1;
    fth_cmd_report_incomplete("samples", trace, &request->selection, &writer);
    fth_views_samples(&writer, trace, sums, &request->view);
    return fth_cmd_close_page(&writer, 0, error);
}

static int run(const struct request *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->view.trace_path, error);
    if (!trace)
        return -1;
    struct fth_sample_sums *sums = NULL;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result) {
        sums = fth_analysis_samples(trace, &request->selection, &request->patterns, error);
        result = sums ? show(request, trace, sums, error) : -1;
    }
    fth_analysis_samples_free(sums);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_samples(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0), NULL, NULL};
    struct request request = {.view.top = 20};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    free(request.patterns.items);
    return result ? fth_cmd_failed("samples", error) : 0;
}
