/* `fathom query`: latency, throughput and more of calls of a library, and of what they became
 * below. */
#include "analysis/survey/call_walk.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/page_options.h"
#include "views/pages/query_page.h"
#include "views/pictures/answer_bars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_TOP = 0x300, OPTION_LAYER, OPTION_SERVERS, OPTION_SVG, OPTION_FORCE };

static const struct argp_option options[] = {
    {"layer", OPTION_LAYER, "NAME", 0,
     "Number the data calls of this layer (default: mpiio, or the lowest library in the trace)", 0},
    {"servers", OPTION_SERVERS, "WHAT", 0,
     "Treat files, mounts, or probes (processes whose probes say what they serve) as the servers "
     "(default: files)",
     0},
    {"top", OPTION_TOP, "N", 0, "Rows per table, 0 for all (default: 20; with --json or --csv all)",
     0},
    {"svg", OPTION_SVG, "FILE", 0, "Draw the answer: a bar for each row", 0},
    {"force", OPTION_FORCE, NULL, 0, "With --svg: replace FILE", 0},
    {"launchers", FTH_OPTION_LAUNCHERS, NULL, 0, "Include mpirun, srun and their helpers", 0},
    FTH_CMD_WHERE_OPTION,
    {0},
};

static const char text[] =
    "Ask what calls of a library cost, and which calls they made in the layers below. Each data "
    "call of MPI-IO (or of the chosen layer) has a number within its process, counted from 0. Its "
    "subcalls, the data calls on files inside it, are numbered as well.\v";

struct request {
    struct fth_selection selection;
    struct fth_query query;
    struct fth_cmd_page page;
    const char *trace_path, *query_text, *svg;
    bool force;
    size_t top;
};

/* The forms, each with what it answers and an example. To be freed. */
static char *help(int key, const char *given, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)given;
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_sink_text(&sink, "Queries (upper and lower case are the same). A parameter is [3], [1-10], "
                         "[0,4-7] or [-] for all; trailing parameters may be omitted:\n");
    for (size_t i = 0; fth_query_form(i); i++) {
        const struct fth_query_form *form = fth_query_form(i);
        const char *blank = *form->parameters ? " " : "";
        const char *const pieces[] = {"  ",       form->name, blank,        form->parameters,
                                      "\n      ", form->what, ":\n      '", form->example,
                                      "'\n"};
        for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++)
            fth_sink_text(&sink, pieces[k]);
    }
    fth_sink_text(&sink, "A trace has no servers of file systems. Files take their place, or "
                         "mounted file systems (--servers mounts).");
    fth_sink_char(&sink, 0);
    return sink.bytes;
}

static void choose_servers(struct argp_state *state, struct request *request, const char *name)
{
    if (!strcmp(name, "files"))
        request->query.server = FTH_SERVERS_ARE_FILES;
    else if (!strcmp(name, "mounts"))
        request->query.server = FTH_SERVERS_ARE_MOUNTS;
    else if (!strcmp(name, "probes"))
        request->query.server = FTH_SERVERS_ARE_PROBES;
    else
        fth_cmd_wrong(state, "--servers takes files, mounts or probes, not '%s'", name);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case OPTION_TOP:
        request->top = (size_t)fth_cmd_integer(state, "top", argument);
        return 0;
    case OPTION_LAYER:
        request->query.layer = argument;
        return 0;
    case OPTION_SVG:
        request->svg = argument;
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_SERVERS:
        choose_servers(state, request, argument);
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        if (request->query_text)
            fth_cmd_wrong(state, "give one query, in quotes; '%s' is a second one", argument);
        *(request->trace_path ? &request->query_text : &request->trace_path) = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->query_text)
            fth_cmd_wrong(state, "give a trace and a query: fathom query app.fathom '%s'",
                          fth_query_form(0)->example);
        return 0;
    }
    if (fth_cmd_where_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    return fth_cmd_process_option(key, argument, state, &request->selection);
}

/* Empty tables may need a word. */
static void say_nothing_matched(const struct fth_query *query, const struct fth_answer *answer)
{
    if (!answer->count || fth_table_rows(answer->tables[0]) || !answer->layer)
        return;
    fth_say(
        stderr,
        "fathom query: no match among %llu data calls of the layer %s, in the %s selected%s%s\n",
        (unsigned long long)answer->numbered, answer->layer, answer->ranks ? "ranks" : "processes",
        query->calls.count ? "; the calls of each process are numbered from 0" : "",
        query->last ? "; a trace has lines only if it was recorded with --lines" : "");
}

static int show(const struct request *request, const struct fth_trace *trace,
                const struct fth_answer *answer, struct fth_error **error)
{
    struct fth_writer writer;
    const char *inputs[] = {request->trace_path, NULL};
    const struct fth_answer_view view = {request->trace_path, request->query_text, request->top,
                                         fth_analysis_incomplete(&request->selection, trace)};
    if (fth_cmd_open_page(&writer, &request->page, "fathom query", FTH_QUERY_LINE_DEPTH, inputs,
                          error))
        return -1;
    fth_cmd_report_unsaid(&writer, "query", trace, &request->selection);
    fth_views_answer(&writer, answer, &view);
    return fth_cmd_close_page(&writer, 0, error);
}

static int draw(const struct request *request, const struct fth_answer *answer,
                struct fth_error **error)
{
    struct fth_sink drawn;
    fth_sink_open_memory(&drawn);
    fth_views_draw_answer(answer, request->query_text, &drawn);
    int result = fth_cmd_save(request->svg, &drawn, request->force, error);
    fth_sink_close_memory(&drawn);
    return result;
}

static int run(struct request *request, struct fth_error **error)
{
    struct fth_progress progress;
    struct fth_answer answer = {0};
    if (fth_query_parse(request->query_text, &request->query, error) ||
        (request->svg && fth_cmd_check_new_file(request->svg, request->force, error)))
        return -1;
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (!trace)
        return -1;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result) {
        fth_progress_begin(&progress, "reading calls",
                           fth_analysis_walk_length(trace, &request->selection));
        result = fth_analysis_query(trace, &request->selection, &request->query, &progress, &answer,
                                    error);
        fth_progress_end(&progress);
    }
    if (!result) {
        say_nothing_matched(&request->query, &answer);
        result =
            request->svg ? draw(request, &answer, error) : show(request, trace, &answer, error);
    }
    fth_answer_free(&answer);
    fth_trace_close(trace);
    return result;
}

int fth_cmd_query(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "TRACE QUERY", text, fth_cmd_page_options(FTH_CMD_HAS_TABLES, 0),
        help,    NULL};
    struct request request = {.top = 20};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    return result ? fth_cmd_failed("query", error) : 0;
}
