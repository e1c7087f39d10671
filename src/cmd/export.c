/* `fathom export`: a trace in the formats of other tools. */
#include "export/export.h"
#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/call_options.h"
#include "cmd/shared/format_list.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/output_folder.h"
#include "cmd/shared/surveying.h"
#include "views/sentences/meta.h"

#include <ctype.h>
#include <libgen.h>
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

struct request {
    struct fth_selection selection;
    const struct fth_exporter *exporter;
    const char *trace_path, *output;
    struct fth_words tables;
    bool force, anonymous;
    const char *key_file;
    struct fth_pseudonyms names;
    unsigned jobs;
};

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

static void check_tables(struct argp_state *state, const struct request *request)
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
    struct request *request = state->input;
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

/* ---- the output ---- */

/* "app.csv" for "/data/app.fathom". To be freed. */
static char *default_output(const struct request *request)
{
    static const char suffix[] = ".fathom";
    const char *slash = strrchr(request->trace_path, '/');
    const char *name = slash ? slash + 1 : request->trace_path;
    size_t length = strlen(name), end = sizeof suffix - 1;
    if (length > end && !strcmp(name + length - end, suffix))
        length -= end;
    return fth_text_format("%.*s%s", (int)length, name, request->exporter->extension);
}

static int report(struct fth_trace *trace, const struct fth_selection *selection,
                  struct fth_results *results, struct fth_error **error)
{
    struct fth_cmd_survey survey = {.selection = selection};
    fth_thresholds_init(&survey.thresholds);
    return fth_cmd_survey(&survey, trace, results, error);
}

static int export_to(const struct request *request, struct fth_trace *trace,
                     struct fth_output *output, const char *folder, struct fth_export_sums *sums,
                     struct fth_error **error)
{
    const struct fth_export_request wanted = {
        .exporter = request->exporter,
        .selection = &request->selection,
        .output = output,
        .folder = folder,
        .tables = &request->tables,
        .names = request->anonymous ? &request->names : NULL,
        /* What a terminal shows is not joined from files: control characters are made visible. */
        .jobs = output && output->style.width ? 1 : request->jobs,
        .report = report,
    };
    return fth_export(&wanted, trace, sums, error);
}

static int to_standard_output(const struct request *request, struct fth_trace *trace,
                              struct fth_export_sums *sums, struct fth_error **error)
{
    static struct fth_output output;
    const char *folder = getenv("TMPDIR");
    if (request->exporter->is_folder)
        return fth_fail(error, "%s is a folder of files, which the standard output cannot be",
                        request->exporter->name);
    if (fth_views_open(&output, NULL, NULL, error))
        return -1;
    int result =
        export_to(request, trace, &output, folder && *folder ? folder : "/tmp", sums, error);
    return fth_views_close(&output, result ? NULL : error) || result ? -1 : 0;
}

static int to_draft(const struct request *request, struct fth_trace *trace,
                    struct fth_cmd_draft *draft, struct fth_export_sums *sums,
                    struct fth_error **error)
{
    static struct fth_output output;
    char *copy = fth_text_copy(draft->path);
    fth_views_open_file(&output, draft->descriptor, draft->path);
    int result = export_to(request, trace, &output, dirname(copy), sums, error);
    free(copy);
    return result ? result : fth_views_finish(&output, error);
}

static int to_file(const struct request *request, struct fth_trace *trace, const char *name,
                   struct fth_export_sums *sums, struct fth_error **error)
{
    struct fth_cmd_draft draft;
    const char *inputs[] = {request->trace_path, NULL};
    char *path = fth_cmd_output_file(name);
    if (!path)
        return fth_fail_errno(error, "cannot write to '%s'", name);
    int result = fth_views_check_output(path, inputs, error);
    if (!result)
        result = fth_cmd_check_new_file(path, request->force, error);
    if (!result)
        result = fth_cmd_open_draft(&draft, path, request->force, error);
    if (!result)
        result = fth_cmd_close_draft(&draft, to_draft(request, trace, &draft, sums, error), error);
    free(path);
    return result;
}

static int to_folder(const struct request *request, struct fth_trace *trace, const char *name,
                     struct fth_export_sums *sums, struct fth_error **error)
{
    struct fth_cmd_draft_folder draft;
    if (fth_cmd_open_draft_folder(&draft, name, request->exporter->mark, request->force, error))
        return -1;
    int result = export_to(request, trace, NULL, draft.name, sums, error);
    return fth_cmd_close_draft_folder(&draft, result, error);
}

static int run_export(const struct request *request, struct fth_trace *trace,
                      struct fth_error **error)
{
    struct fth_export_sums sums = {0};
    if (request->output && !strcmp(request->output, "-"))
        return to_standard_output(request, trace, &sums, error);
    char *name = request->output ? fth_text_copy(request->output) : default_output(request);
    int result = request->exporter->is_folder ? to_folder(request, trace, name, &sums, error)
                                              : to_file(request, trace, name, &sums, error);
    if (!result)
        fth_say(stderr, "fathom: %llu calls -> %s\n", (unsigned long long)sums.calls, name);
    free(name);
    return result;
}

static int run(const struct request *request, struct fth_error **error)
{
    struct fth_trace *trace = fth_cmd_open_trace(request->trace_path, error);
    if (!trace)
        return -1;
    int result = fth_analysis_check_selection(&request->selection, trace, error);
    if (!result) {
        fth_cmd_report_incomplete("export", trace, &request->selection, NULL);
        result = run_export(request, trace, error);
    }
    fth_trace_close(trace);
    return result;
}

int fth_cmd_export(int argc, char **argv)
{
    char *whole =
        fth_cmd_help_on_formats(text, &(struct fth_cmd_formats){fth_exporter_count, format_at}, 12);
    const struct argp argp = {options, parse, "TRACE", whole, NULL, NULL, NULL};
    struct request request = {0};
    struct fth_error *error = NULL;
    fth_analysis_selection_init(&request.selection);
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    bool has_names =
        !request.anonymous || !fth_pseudonyms_begin(&request.names, request.key_file, &error);
    int result = has_names ? run(&request, &error) : -1;
    fth_analysis_selection_free(&request.selection);
    free(request.tables.items);
    free(whole);
    return result ? fth_cmd_failed("export", error) : 0;
}
