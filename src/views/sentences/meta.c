/* The recorded metadata. Nothing is required to be there: a trace of a program that died early may
 * lack any of it. */
#include "views/sentences/meta.h"

#include "base/batch_systems.h"
#include "base/json.h"
#include "base/visible.h"

#include "views/output/display_text.h"
#include "base/memory.h"

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static json_t *load(const char *text)
{
    json_t *meta = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (json_is_object(meta))
        return meta;
    json_decref(meta);
    return NULL;
}

/* A value in words: texts as they are, lists with spaces between (quoted as for a shell, for some
 * are commands). */
static void put_value(struct fth_sink *sink, const json_t *value)
{
    size_t i;
    const char *key;
    json_t *item;
    if (json_is_string(value)) {
        fth_sink_text(sink, json_string_value(value));
    } else if (json_is_boolean(value)) {
        fth_sink_text(sink, json_is_true(value) ? "yes" : "no");
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            fth_sink_text(sink, i ? " " : "");
            if (json_is_string(item))
                fth_views_put_argument(sink, json_string_value(item));
            else
                put_value(sink, item);
        }
    } else if (json_is_object(value)) {
        i = 0;
        json_object_foreach((json_t *)value, key, item)
        {
            fth_sink_text(sink, i++ ? ", " : "");
            fth_sink_text(sink, key);
            fth_sink_char(sink, ' ');
            put_value(sink, item);
        }
    } else {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        fth_sink_text(sink, text ? text : "");
        free(text);
    }
}

/* The value as it is safe to show, in at most `width` columns; 0: all of it. */
static void put_shown(struct fth_output *output, const json_t *value, size_t width)
{
    struct fth_sink words;
    fth_sink_open_memory(&words);
    put_value(&words, value);
    fth_sink_char(&words, 0);
    if (!words.failed)
        fth_views_put_text(&output->sink, words.bytes, width, FTH_CUT_END, output->style.unicode);
    fth_sink_close_memory(&words);
}

static bool is_empty(const json_t *value)
{
    return !value || json_is_null(value) || (json_is_string(value) && !*json_string_value(value)) ||
           (json_is_array(value) && !json_array_size(value)) ||
           (json_is_object(value) && !json_object_size(value));
}

/* Archives of other tools may not have one: then it is said which one it is. */
void fth_views_put_command(struct fth_output *output, const struct fth_trace_info *info,
                           const char *before)
{
    json_t *meta = load(info->meta_json);
    const json_t *command = json_object_get(meta, "command"),
                 *file = json_object_get(json_object_get(meta, "imported"), "file");
    bool has_command = !is_empty(command);
    if (has_command || file) {
        fth_sink_text(&output->sink, has_command || *before == ':' ? before : "");
        fth_sink_text(&output->sink, has_command ? "" : "imported from ");
        put_shown(output, has_command ? command : file,
                  output->style.width ? output->style.width / 2 : 0);
    }
    json_decref(meta);
}

char *fth_views_failure(const struct fth_trace_info *info)
{
    json_t *meta = load(info->meta_json);
    const char *status = json_string_value(json_object_get(meta, "status"));
    char *failure = status && strcmp(status, "exit 0") != 0 ? fth_text_copy(status) : NULL;
    json_decref(meta);
    return failure;
}

/* What people see of a fact. Facts that stand elsewhere in words are hidden. */
enum form { AS_IT_IS, HIDDEN, BYTES, DURATION };
struct fact {
    const char *key, *title;
    enum form form;
};

static const struct fact facts[] = {
    {"command", "Command", AS_IT_IS},
    {"status", "Ended", AS_IT_IS},
    {"host", "Host", AS_IT_IS},
    {"system", "System", AS_IT_IS},
    {"cpus", "Processors", AS_IT_IS},
    {"page_size", NULL, HIDDEN},
    {"user", "User", AS_IT_IS},
    {"cwd", "Folder", AS_IT_IS},
    {"environment", "Environment", AS_IT_IS},
    {"layers", "Only layers", AS_IT_IS},
    {"functions", "Only calls", AS_IT_IS},
    {"include", "Only files", AS_IT_IS},
    {"exclude", "No files", AS_IT_IS},
    {"min_bytes", "At least", BYTES},
    {"min_duration_ns", "At least", DURATION},
    {"fathom", "Fathom", AS_IT_IS},
    {"output", NULL, HIDDEN},
    {"default_excludes", NULL, HIDDEN},
    {"program_files", NULL, HIDDEN},
    {"resolution_ns", NULL, HIDDEN},
    {"sample_ns", NULL, HIDDEN},
    {"wall_seconds", NULL, HIDDEN},
    {"processor_seconds", NULL, HIDDEN},
    {"blind_spots", NULL, HIDDEN},
    {"time", NULL, HIDDEN},
    {"lines", NULL, HIDDEN},
    {"contents", NULL, HIDDEN},
    {"cuda", NULL, HIDDEN},
    {"masked", NULL, HIDDEN},
};

static const struct fact *find_fact(const char *key)
{
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!strcmp(facts[i].key, key))
            return &facts[i];
    return NULL;
}

/* Of a key that this version does not know: "mpi_library" as "Mpi library". */
static void put_title(struct fth_output *output, const char *title, size_t pad)
{
    char *shown = fth_visible(title);
    size_t length = shown ? strlen(shown) : 0;
    fth_views_paint(output, FTH_PAINT_QUIET);
    for (size_t i = 0; i < length; i++) {
        char letter = shown[i] == '_' ? ' ' : shown[i];
        fth_sink_char(&output->sink, i ? letter : (char)toupper((unsigned char)letter));
    }
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_fill(&output->sink, ' ', length < pad ? pad - length : 1);
    free(shown);
}

static void put_fact(struct fth_output *output, const char *title, const json_t *value,
                     enum form form, size_t pad)
{
    size_t width = output->style.width;
    put_title(output, title, pad);
    if (form == BYTES && json_is_integer(value))
        fth_views_print(output, "%s moved",
                        fth_phrase_bytes((uint64_t)json_integer_value(value)).text);
    else if (form == DURATION && json_is_integer(value))
        fth_views_print(output, "%s long", fth_phrase_duration(json_integer_value(value)).text);
    else
        put_shown(output, value, width > pad + 20 ? width - pad : 0);
    fth_sink_char(&output->sink, '\n');
}

static const char *kept_variable(const void *context, const char *name)
{
    return json_string_value(json_object_get(context, name));
}

char *fth_views_job(const struct fth_trace_info *info)
{
    json_t *meta = load(info->meta_json);
    struct fth_batch_job job;
    char *text = NULL;
    if (fth_batch_find(kept_variable, json_object_get(meta, "environment"), &job))
        text = fth_text_format("%s job %s%s%s", job.system, job.number, job.task ? ", task " : "",
                               job.task ? job.task : "");
    json_decref(meta);
    return text;
}

void fth_views_put_meta(struct fth_output *output, const struct fth_trace_info *info, size_t pad)
{
    json_t *meta = load(info->meta_json), *value;
    const char *key;
    char *job = fth_views_job(info);
    json_t *shown = job ? json_string(job) : NULL;
    if (shown)
        put_fact(output, "Job", shown, AS_IT_IS, pad);
    json_decref(shown);
    free(job);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        value = json_object_get(meta, facts[i].key);
        if (!is_empty(value) && facts[i].form != HIDDEN)
            put_fact(output, facts[i].title, value, facts[i].form, pad);
    }
    json_object_foreach(meta, key, value)
    {
        if (!find_fact(key) && !is_empty(value))
            put_fact(output, key, value, AS_IT_IS, pad);
    }
    json_decref(meta);
}

/* ---- filters ---- */

static bool has(const json_t *meta, const char *key)
{
    return !is_empty(json_object_get(meta, key));
}

/* Options of the user that leave calls out and count them. */
static size_t put_options(struct fth_sink *sink, const json_t *meta)
{
    static const char *const options[][2] = {{"include", "--include"},
                                             {"exclude", "--exclude"},
                                             {"min_bytes", "--min-bytes"},
                                             {"min_duration_ns", "--min-duration"}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!has(meta, options[i][0]))
            continue;
        fth_sink_text(sink, count++ ? ", " : " by ");
        fth_sink_text(sink, options[i][1]);
    }
    return count;
}

char *fth_views_filters(const char *meta_json)
{
    json_t *meta = load(meta_json);
    if (!meta)
        return NULL;
    struct fth_sink sink;
    fth_sink_open_memory(&sink);
    size_t options = put_options(&sink, meta);
    bool system = has(meta, "default_excludes") && !has(meta, "include");
    bool programs = !has(meta, "program_files") && !has(meta, "include");
    fth_sink_text(&sink, options && (system || programs) ? ", and" : "");
    if (system)
        fth_sink_text(&sink, " on system files (--no-default-excludes records them)");
    fth_sink_text(&sink, system && programs ? " and" : programs ? " on files" : "");
    if (programs)
        fth_sink_text(&sink, " on program files (--program-files)");
    fth_sink_char(&sink, 0);
    char *text = sink.failed ? NULL : fth_text_copy(sink.bytes);
    fth_sink_close_memory(&sink);
    json_decref(meta);
    return text;
}

char *fth_views_meta_json(const struct fth_trace_info *info)
{
    json_t *meta = load(info->meta_json);
    char *text = meta ? json_dumps(meta, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    char *shown = text ? fth_json_visible(text) : NULL;
    json_decref(meta);
    free(text);
    return shown;
}

struct fth_sentence fth_views_times(const struct fth_trace_info *info)
{
    struct fth_sentence times = {""};
    if (info->times_are_means)
        snprintf(
            times.text, sizeof times.text,
            "means of calls that are alike, exact every 32,768 calls of a thread; sums are exact "
            "(--time mean)");
    else if (info->time_percent)
        snprintf(times.text, sizeof times.text,
                 "each gap and duration within %u %%; no start is late, nor early by more than %u "
                 "%% of the "
                 "longest one in 32,768 calls; sums are exact (--time %u%%)",
                 info->time_percent, info->time_percent, info->time_percent);
    return times;
}
