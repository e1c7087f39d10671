/* `fathom import`: makes a trace from the log or trace of another tool. */
#include "import/import.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/visible.h"
#include "cmd/run/run.h"
#include "cmd/shared/command.h"
#include "cmd/shared/format_list.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/page_options.h"
#include "trace/spill/spill_memory.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_FROM = 0x300, OPTION_FORCE, OPTION_COUNTERS };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "Write the trace to FILE (default: the name of the input with the extension .fathom, in this "
     "folder)",
     0},
    {"from", OPTION_FROM, "FORMAT", 0, "The format (see below; default: found out)", 0},
    {"force", OPTION_FORCE, NULL, 0, "Replace a FILE that exists", 0},
    {"counters", OPTION_COUNTERS, NULL, 0,
     "Show what the counters of a log say, instead of making a trace (Darshan)", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {0},
};

static const char text[] = "Make a trace from the log or trace of another tool.\v"
                           "Formats:\n"
                           "%s"
                           "\n"
                           "Examples:\n"
                           "  strace -f -ttt -T -y -o app.log ./app\n"
                           "  fathom import -o app.fathom app.log\n"
                           "  fathom import logs/            # strace -ff -o logs/app\n"
                           "  fathom import traces.otf2\n"
                           "  fathom import --counters app.darshan";

struct request {
    const struct fth_importer *importer;
    const char *input, *output;
    struct fth_cmd_page page;
    bool force, quiet, counters;
};

static struct fth_cmd_format format_at(size_t number)
{
    return (struct fth_cmd_format){fth_importers[number]->name, fth_importers[number]->help};
}

static const struct fth_importer *find_importer(struct argp_state *state, const char *name)
{
    const struct fth_importer *importer = fth_importer_named(name);
    if (importer)
        return importer;
    fth_cmd_no_such_format(state, name, &(struct fth_cmd_formats){fth_importer_count, format_at});
    return NULL;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct request *request = state->input;
    switch (key) {
    case 'o':
        request->output = argument;
        return 0;
    case OPTION_FROM:
        request->importer = find_importer(state, argument);
        return 0;
    case OPTION_FORCE:
        request->force = true;
        return 0;
    case OPTION_COUNTERS:
        request->counters = true;
        return 0;
    case 'q':
        request->quiet = true;
        return 0;
    case ARGP_KEY_INIT:
        return fth_cmd_page_option(key, state, &request->page);
    case ARGP_KEY_ARG:
        if (request->input)
            fth_cmd_wrong(state, "one input at a time");
        request->input = argument;
        return 0;
    case ARGP_KEY_END:
        if (!request->input)
            fth_cmd_wrong(state, "which file? fathom import FILE");
        if (!request->counters && request->page.chosen && request->page.chosen != &fth_format_json)
            fth_cmd_wrong(state, "--%s is for --counters", request->page.chosen->name);
        request->page.path = request->output;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- interrupted ---- */

static volatile sig_atomic_t stopped_by;
static struct fth_imported_run *being_read;

static void stop(int number)
{
    stopped_by = number;
    being_read->folder.failed = true;
}

static void catch_signals(struct fth_imported_run *run)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    being_read = run;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
        if (run && sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
        else if (!run && sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == stop)
            signal(numbers[i], SIG_DFL);
    }
}

/* ---- the trace ---- */

/* "app.fathom" for "/data/app.log". To be freed. */
static char *default_output(const char *input)
{
    size_t end = strlen(input);
    while (end > 1 && input[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && input[start - 1] != '/')
        start--;
    if (strcmp(input, "-") == 0)
        return fth_text_copy("imported.fathom");
    const char *point = memrchr(input + start, '.', end - start);
    size_t length = point && point > input + start ? (size_t)(point - input) - start : end - start;
    return fth_text_format("%.*s.fathom", (int)length, input + start);
}

static json_t *words_of(const struct fth_bytes *words)
{
    json_t *array = json_array();
    for (size_t at = 0; at < words->length; at += strlen((const char *)words->data + at) + 1)
        json_array_append_new(array, fth_run_text((const char *)words->data + at));
    return array;
}

static void describe(struct fth_cmd_run *run, const struct request *request,
                     const struct fth_imported *imported)
{
    run->meta = json_pack("{s:o, s:s, s:s, s:{s:s, s:o}}", "command", words_of(&imported->command),
                          "fathom", FATHOM_VERSION, "time", "1ns", "imported", "format",
                          request->importer->name, "file", fth_run_text(request->input));
    if (imported->host)
        json_object_set_new(run->meta, "host", fth_run_text(imported->host));
    if (imported->directory)
        json_object_set_new(run->meta, "cwd", fth_run_text(imported->directory));
    for (size_t i = 0; i < imported->unseen_count; i++)
        fth_run_add_spot(run, imported->unseen[i]);
}

static int read_input(const struct request *request, struct fth_cmd_run *run,
                      struct fth_error **error)
{
    struct fth_imported imported = {0};
    struct fth_imported_run into = {.folder = {.path = run->spill,
                                               .memory = fth_spill_memory_of(run->spill),
                                               .least_free = run->least_memory,
                                               .error = error}};
    struct fth_progress progress;
    fth_progress_begin(&progress, "reading", 0);
    catch_signals(&into);
    int result = request->importer->import(request->input, &into, &imported, &progress, error);
    catch_signals(NULL);
    fth_progress_end(&progress);
    run->start = into.start;
    run->end = into.end;
    describe(run, request, &imported);
    fth_imported_free(&imported);
    free(into.folder.memory);
    return result;
}

static void say(const struct request *request, const struct fth_cmd_run *run,
                const struct fth_merge_report *report, const char *shown)
{
    if (request->page.chosen) {
        fth_run_print(stdout, fth_run_report(run, report, shown, false));
    } else if (!request->quiet) {
        fth_say(stderr, "fathom: %s of %s", fth_phrase_several(report->calls, "call", "calls").text,
                fth_run_processes(report));
        fth_say(stderr, " in %s -> %s\n", fth_phrase_bytes(report->bytes).text, shown);
        fth_run_say_blind_spots(run);
    }
}

static int import(const struct request *request, struct fth_cmd_run *run, const char *shown,
                  struct fth_error **error)
{
    struct fth_merge_report report = {0};
    if (fth_run_make_spill(run, NULL, error))
        return -1;
    fth_run_use_memory(run);
    run->blind_spots = json_array();
    run->is_checked = true;
    int result = read_input(request, run, error);
    if (!result)
        result = fth_run_save(run, error);
    if (!result)
        result = fth_run_merge(run, &report, error);
    fth_run_remove_spill(run);
    if (!result)
        say(request, run, &report, shown);
    return result;
}

/* ---- counters ---- */

static void write_counters(struct fth_writer *writer, const struct request *request,
                           const struct fth_imported_counters *counters)
{
    const struct fth_table_layout layout = {.top = fth_views_for_people(writer) ? 20 : 0,
                                            .more = "--csv=files shows all"};
    fth_json_key_text(&writer->facts, "command", counters->command);
    fth_json_key_integer(&writer->facts, "processes", counters->processes);
    fth_json_key_seconds(&writer->facts, "start", counters->start);
    fth_json_key_seconds(&writer->facts, "end", counters->end);
    fth_views_write_remark(
        writer, FTH_PAINT_PLAIN, "%s: %s%sof %s", request->input, counters->command,
        *counters->command ? " " : "",
        fth_phrase_several((uint64_t)counters->processes, "process", "processes").text);
    for (size_t i = 0; i < counters->count; i++) {
        fth_views_write_gap(writer);
        fth_views_write_table(writer, counters->tables[i], &layout);
    }
}

static int show_counters(const struct request *request, struct fth_error **error)
{
    const char *inputs[] = {request->input, NULL};
    struct fth_imported_counters counters = {0};
    struct fth_progress progress;
    struct fth_writer writer;
    if (!request->importer->count)
        return fth_fail(error, "'%s' has no counters: --counters is for logs of Darshan",
                        request->input);
    fth_progress_begin(&progress, "reading", 0);
    int result = request->importer->count(request->input, &counters, &progress, error);
    fth_progress_end(&progress);
    if (!result)
        result = fth_cmd_open_page(&writer, &request->page, "fathom import", 2, inputs, error);
    if (!result) {
        write_counters(&writer, request, &counters);
        result = fth_cmd_close_page(&writer, 0, error);
    }
    fth_imported_counters_free(&counters);
    return result;
}

static int run_import(struct request *request, struct fth_error **error)
{
    struct fth_cmd_run run = {0};
    if (!request->importer)
        request->importer = fth_importer_of(request->input, error);
    if (!request->importer)
        return -1;
    if (request->counters)
        return show_counters(request, error);
    char *name = request->output ? fth_text_copy(request->output) : default_output(request->input);
    run.output = fth_run_output(name);
    int result = run.output ? fth_cmd_check_new_file(run.output, request->force, error)
                            : fth_fail_errno(error, "cannot determine the path of '%s'", name);
    if (!result)
        result = import(request, &run, name, error);
    fth_run_free(&run);
    free(name);
    return result;
}

int fth_cmd_import(int argc, char **argv)
{
    char *whole =
        fth_cmd_help_on_formats(text, &(struct fth_cmd_formats){fth_importer_count, format_at}, 8);
    const struct argp argp = {options,
                              parse,
                              "FILE",
                              whole,
                              fth_cmd_page_options(FTH_CMD_HAS_TABLES | FTH_CMD_HAS_NO_FILE, 0),
                              NULL,
                              NULL};
    struct request request = {0};
    struct fth_error *error = NULL;
    if (fth_cmd_parse(&argp, argc, argv, 0, &request))
        return 1;
    int result = run_import(&request, &error);
    free(whole);
    if (stopped_by) {
        fth_error_free(error);
        raise(stopped_by);
    }
    return result ? fth_cmd_failed("import", error) : 0;
}
