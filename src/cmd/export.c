/* `fathom export`: a trace in the formats of other tools. */
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/export/export_request.h"
#include "cmd/shared/call_options.h"
#include "cmd/shared/format_list.h"
#include "measure/rank_results.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_TO = 0x300, OPTION_FORCE, OPTION_TABLE, OPTION_ANONYMOUS, OPTION_KEY };

static const struct argp_option options[] = {
    {"to", OPTION_TO, "FORMAT|TIME", 0,
     "The format (see below). With a time, only calls that run before it, as for `fathom dump`; "
     "both may be given",
     1},
    {"output", 'o', "FILE", 0,
     "Write to FILE; - is the standard output (default: the name of the trace with the extension "
     "of "
     "the format, in this folder)",
     0},
    {"force", OPTION_FORCE, NULL, 0, "Replace a FILE that exists", 0},
    {"table", OPTION_TABLE, "NAME", 0,
     "Only this table of a folder: calls, accesses, handles ...; repeatable", 0},
    {"anonymous", OPTION_ANONYMOUS, NULL, 0,
     "Write pseudonyms instead of names: of files, nodes, programs, arguments", 0},
    {"key", OPTION_KEY, "FILE", 0,
     "With --anonymous: the same bytes in FILE, the same pseudonyms (default: a random key)", 0},
    {"jobs", 'j', "N", 0, "Use N threads (default: one per processor)", 0},
    {NULL, 0, NULL, 0,
     "Selecting calls (a repeated option selects any of its values; all options must match):", 2},
    FTH_CMD_CALL_OPTIONS,
    {0},
};

static const char text[] =
    "Write the calls of a run in the format of another tool.\v"
    "Formats:\n"
    "%s"
    "\n"
    "Examples:\n"
    "  fathom export --to perfetto app.fathom   # for ui.perfetto.dev\n"
    "  fathom export --to parquet app.fathom    # a folder, app.parquet\n"
    "  fathom export --to otf2 app.fathom       # a folder, app.otf2\n"
    "  fathom export --to csv --rank 0 -o rank0.csv app.fathom\n"
    "  fathom export --to jsonl --where 'bytes >= 1M' -o - app.fathom | jq .file";

static struct fth_cmd_format format_at(size_t number)
{
    return (struct fth_cmd_format){fth_exporters[number]->name, fth_exporters[number]->help};
}

static const struct fth_exporter *find_exporter(struct argp_state *state, const char *name)
{
    for (size_t i = 0; i < fth_exporter_count; i++)
        if (!strcmp(fth_exporters[i]->name, name))
            return fth_exporters[i];
    fth_cmd_no_such_format(state, name, &(struct fth_cmd_formats){fth_exporter_count, format_at});
    return NULL;
}

static bool is_in(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

static void check_tables(struct argp_state *state, const struct fth_cmd_export *request)
{
    const struct fth_exporter *exporter = request->exporter;
    for (size_t i = 0; i < request->tables.count; i++) {
        const char *name = request->tables.items[i];
        if (!exporter->tables)
            fth_cmd_wrong(state, "--table %s: %s has no tables", name, exporter->name);
        else if (!is_in(exporter->tables, name))
            fth_cmd_wrong(state, "there is no table '%s' (see fathom-export(1))", name);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct fth_cmd_export *request = state->input;
    if (fth_cmd_call_option(key, argument, state, &request->selection) != ARGP_ERR_UNKNOWN)
        return 0;
    switch (key) {
    case OPTION_TO:
        if (isdigit((unsigned char)*argument) || *argument == '.')
            return fth_cmd_call_option(FTH_OPTION_TO, argument, state, &request->selection);
        request->exporter = find_exporter(state, argument);
        return 0;
    case OPTION_TABLE:
        fth_cmd_add_word(state, &request->tables, argument);
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_ANONYMOUS:
        request->anonymous = true;
        return 0;
    case OPTION_KEY:
        request->key_file = argument;
        return 0;
    case 'o':
        request->output = argument;
        return 0;
    case 'j':
        request->jobs = fth_cmd_jobs(state, argument);
        return 0;
    case ARGP_KEY_END:
        if (!request->exporter)
            fth_cmd_wrong(state, "which format? --to perfetto, for example");
        else
            check_tables(state, request);
        if (request->key_file && !request->anonymous)
            fth_cmd_wrong(state, "--key is for --anonymous");
        break;
    }
    return fth_cmd_trace_argument(key, argument, state, &request->trace_path);
}

static void say_done(uint64_t calls, const char *name)
{
    fth_say(stderr, "fathom: %llu calls -> %s\n", (unsigned long long)calls, name);
}

static int run_alone(struct fth_cmd_export *request, const char *name, struct fth_error **error)
{
    struct fth_export_sums sums = {0};
    struct fth_trace *trace = fth_cmd_export_open(request, error);
    if (!trace)
        return -1;
    int result = fth_cmd_export_alone(request, trace, name, &sums, error);
    fth_trace_close(trace);
    if (!result && !fth_cmd_export_to_standard_output(request))
        say_done(sums.calls, name);
    return result;
}

/* Ranks that cannot talk to one another leave the work to the first one. */
static int run_together(struct fth_cmd_export *request, const struct fth_together *together,
                        const char *name, struct fth_error **error)
{
    struct fth_error *why = NULL;
    struct fth_ranks *ranks = fth_ranks_begin((int)together->rank, (int)together->size, NULL, &why);
    if (!ranks) {
        if (!together->rank)
            fth_say(stderr, "fathom export: the first rank exports alone: %s\n",
                    fth_error_text(why));
        fth_error_free(why);
        return together->rank ? 0 : run_alone(request, name, error);
    }
    uint64_t calls = 0;
    if (!request->jobs)
        request->jobs = fth_together_processors(together);
    int result = fth_cmd_export_together(request, together, ranks, name, &calls, error);
    fth_ranks_end(ranks);
    if (!result && !together->rank)
        say_done(calls, name);
    return result;
}

static int run(struct fth_cmd_export *request, struct fth_error **error)
{
    struct fth_together together;
    char *name = fth_cmd_export_output(request);
    bool is_shared = request->exporter->by_ranks && !fth_cmd_export_to_standard_output(request) &&
                     fth_together_shares(&together);
    int result = 0;
    if (is_shared)
        result = run_together(request, &together, name, error);
    else if (!fth_together_is_spare())
        result = run_alone(request, name, error);
    free(name);
    return result;
}

/* Of ranks that are given the same words the first one says what is wrong with them, and fails: a
 * launcher ends all when one fails, so the others do not, or it could not finish the sentence. */
static error_t parse_silently(const struct argp *argp, int argc, char **argv,
                              struct fth_cmd_export *request)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int output = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    argp_err_exit_status = 0;
    error_t result = fth_cmd_parse(argp, argc, argv, 0, request);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    close(nowhere);
    return result;
}

int fth_cmd_export(int argc, char **argv)
{
    char *whole =
        fth_cmd_help_on_formats(text, &(struct fth_cmd_formats){fth_exporter_count, format_at}, 12);
    const struct argp argp = {options, parse, "TRACE", whole, NULL, NULL, NULL};
    struct fth_cmd_export request = {0};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    bool is_spare = fth_together_is_spare();
    if (is_spare ? parse_silently(&argp, argc, argv, &request)
                 : fth_cmd_parse(&argp, argc, argv, 0, &request))
        return is_spare ? 0 : 1;
    int result = run(&request, &error);
    fth_analysis_selection_free(&request.selection);
    free(request.tables.items);
    free(whole);
    return result ? fth_cmd_failed("export", error) : 0;
}
