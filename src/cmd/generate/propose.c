/* What is expected of a replacement is what the report of the run says of the file: findings with
 * their gain along the critical path, computed there and only handed on here. */
#include "cmd/generate/propose.h"
#include "cmd/generate/replaced_calls.h"

#include "base/memory.h"
#include "base/visible.h"
#include "cmd/shared/command.h"
#include "cmd/shared/json_line.h"
#include "cmd/shared/output_file.h"
#include "cmd/shared/surveying.h"
#include "gen/gen.h"
#include "gen/infer/infer.h"
#include "views/sentences/finding_sentences.h"
#include "base/text.h"

#include <string.h>

/* What the report says of files, a row for each finding and file; of no single file, one row
 * without a path. */
struct expected {
    struct fth_results results;
    struct fth_gen_expectation *rows;
    const struct fth_finding **findings; /* of each row */
    size_t count;
};

/* Findings about how a program reads and writes an array: generated I/O does that otherwise. Others
 * (long openings, syncs, messages) it leaves as they are. */
static const char *const of_accesses[] = {
    "small_accesses",
    "small_in_a_row",
    "small_library_calls",
    "independent_instead_of_collective",
    "collective_ran_independently",
    "harmful_data_sieving",
    "amplification",
    "read_before_write",
    "fan_out",
    "serial_io",
    "read_by_all",
    "opened_again",
    "repeated_set_up",
    "frequent_flush",
};

static bool is_of_accesses(const struct fth_finding *finding)
{
    for (size_t i = 0; i < sizeof of_accesses / sizeof *of_accesses; i++)
        if (!strcmp(of_accesses[i], finding->kind))
            return !finding->effective;
    return false;
}

static void add(struct expected *expected, const char *path, const struct fth_finding *finding)
{
    const char *worth = fth_views_worth(finding);
    size_t count = expected->count;
    FTH_GROW(expected->rows, count);
    FTH_GROW(expected->findings, count);
    expected->rows[count] = (struct fth_gen_expectation){
        path, fth_text_format("%s (%s)%s%s.", finding->title, finding->kind, worth ? ", " : "",
                              worth ? worth : "")};
    expected->findings[count] = finding;
    expected->count++;
}

static void list(struct expected *expected)
{
    for (size_t i = 0; i < expected->results.findings.count; i++) {
        const struct fth_finding *finding = &expected->results.findings.list[i];
        if (!is_of_accesses(finding))
            continue;
        for (size_t j = 0; j < finding->files.count; j++)
            add(expected, finding->files.items[j], finding);
        if (!finding->files.count)
            add(expected, NULL, finding);
    }
}

static int survey(struct fth_trace *trace, struct expected *expected, struct fth_error **error)
{
    struct fth_selection selection;
    struct fth_cmd_survey asked = {.selection = &selection};
    fth_analysis_selection_init(&selection);
    fth_thresholds_init(&asked.thresholds);
    int result = fth_cmd_survey(&asked, trace, &expected->results, error);
    if (!result)
        list(expected);
    fth_analysis_selection_free(&selection);
    return result;
}

static void free_expected(struct expected *expected)
{
    for (size_t i = 0; i < expected->count; i++)
        free((char *)expected->rows[i].text);
    free(expected->rows);
    free(expected->findings);
    fth_results_free(&expected->results);
}

/* ---- what is said ---- */

/* `path` NULL: about no single file. */
static bool is_about(const struct fth_gen_expectation *row, const char *path)
{
    return fth_text_same(path, row->path);
}

static void put_expectations(struct fth_json *json, const struct expected *expected,
                             const char *path)
{
    fth_json_key(json, "expected");
    fth_json_begin_array(json);
    for (size_t i = 0; i < expected->count; i++) {
        const struct fth_finding *finding = expected->findings[i];
        if (!is_about(&expected->rows[i], path))
            continue;
        fth_json_begin_object(json);
        fth_json_key_text(json, "finding", finding->kind);
        fth_json_key_text(json, "text", expected->rows[i].text);
        if (finding->gain >= 0)
            fth_json_key_unsigned(json, "gain_ns", (uint64_t)finding->gain);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static int say_in_json(const struct fth_cmd_proposing *asked, const char *language,
                       const struct fth_gen_inferred *inferred, const struct expected *expected,
                       const struct fth_cmd_replaced *replaced, struct fth_error **error)
{
    struct fth_cmd_json_line line;
    struct fth_json *json = fth_cmd_json_begin(&line);
    fth_json_key_text(json, "trace", asked->trace_path);
    fth_json_key_text(json, "output", asked->output);
    fth_json_key_text(json, "library", inferred->library);
    fth_json_key_text(json, "language", language);
    fth_json_key_unsigned(json, "processes", (uint64_t)inferred->processes);
    fth_json_key(json, "files");
    fth_json_begin_array(json);
    for (size_t i = 0; i < inferred->file_count; i++) {
        const struct fth_gen_inferred_file *file = &inferred->files[i];
        fth_json_begin_object(json);
        fth_json_key_text(json, "file", file->path);
        fth_json_key_unsigned(json, "bytes", file->bytes);
        fth_json_key_text(json, "not_known_because", file->why);
        fth_json_key(json, "variables");
        fth_json_begin_array(json);
        for (size_t j = 0; j < file->variable_count; j++)
            fth_json_text(json, file->variables[j]);
        fth_json_end_array(json);
        put_expectations(json, expected, file->path);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
    put_expectations(json, expected, NULL);
    if (replaced->most >= 0)
        fth_json_key_unsigned(json, "most_gain_ns", (uint64_t)replaced->most);
    fth_json_key_text(json, "most_gain_not_known_because", replaced->why);
    return fth_cmd_json_end(&line, error);
}

static void say(FILE *to, const struct fth_gen_inferred *inferred, const struct expected *expected,
                bool all)
{
    for (size_t i = 0; i < inferred->file_count; i++) {
        const struct fth_gen_inferred_file *file = &inferred->files[i];
        if (file->why)
            fth_say(to, "%s: not known, because %s\n", file->path, file->why);
        if (file->why || !all)
            continue;
        fth_say(to, "%s:\n", file->path);
        for (size_t j = 0; j < file->variable_count; j++)
            fth_say(to, "    %s\n", file->variables[j]);
        for (size_t j = 0; j < expected->count; j++)
            if (is_about(&expected->rows[j], file->path))
                fth_say(to, "    the report: %s\n", expected->rows[j].text);
    }
    for (size_t j = 0; all && j < expected->count; j++)
        if (!expected->rows[j].path)
            fth_say(to, "the report, of no single file: %s\n", expected->rows[j].text);
}

/* ---- the template ---- */

/* A template that would be refused is none. */
static int check(const struct fth_gen_inferred *inferred, const char *language,
                 struct fth_error **error)
{
    const struct fth_gen_options options = {.language = language};
    struct fth_gen_program program;
    int result =
        fth_gen_make("proposed", inferred->text, inferred->length, &options, &program, error);
    fth_gen_program_free(&program);
    return result ? fth_fail_in(error, "what the accesses imply is no template") : 0;
}

static int save(const struct fth_cmd_proposing *asked, const struct fth_gen_inferred *inferred,
                struct fth_error **error)
{
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    fth_sink_bytes(&sink, inferred->text, inferred->length);
    int result = asked->output ? fth_cmd_save(asked->output, &sink, asked->force, error)
                               : fth_cmd_print(&sink, error);
    fth_sink_close_memory(&sink);
    return result;
}

int fth_cmd_propose(const struct fth_cmd_proposing *asked, struct fth_error **error)
{
    struct fth_gen_inferred inferred = {0};
    struct expected expected = {0};
    struct fth_cmd_replaced replaced;
    const char *language = asked->language ? asked->language
                           : asked->output ? fth_gen_language_of(asked->output)
                                           : "c";
    struct fth_trace *trace = fth_cmd_open_trace(asked->trace_path, error);
    if (!trace)
        return -1;
    int result = survey(trace, &expected, error);
    if (!result)
        result = fth_gen_infer(trace, asked->library, language, expected.rows, expected.count,
                               &inferred, error);
    if (!result && !inferred.text) {
        say(stderr, &inferred, &expected, false);
        result = fth_fail(error, inferred.file_count ? "the accesses of no file imply arrays"
                                                     : "the run reads and writes no files");
    }
    if (!result)
        result = fth_cmd_replaced_find(&replaced, trace, &inferred, error);
    char *most = result ? NULL : fth_cmd_replaced_text(&replaced);
    if (!result)
        fth_gen_inferred_remark(&inferred, language, most);
    if (!result)
        result = check(&inferred, language, error);
    if (!result)
        result = save(asked, &inferred, error);
    if (!result && asked->json)
        result = say_in_json(asked, language, &inferred, &expected, &replaced, error);
    else if (!result)
        say(asked->output ? stdout : stderr, &inferred, &expected, asked->explain);
    if (!result && !asked->json && asked->explain)
        fth_say(asked->output ? stdout : stderr, "%s\n", most);
    free(most);
    fth_gen_inferred_free(&inferred);
    free_expected(&expected);
    fth_trace_close(trace);
    return result;
}
