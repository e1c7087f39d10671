/* What the page of a run has as JSON: the names of an overview, and what other commands print. */
#include "views/browser/pack.h"

#include "base/json.h"
#include "base/memory.h"
#include "views/pages/report_page.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table by file: some hundred bytes each, and there are ten such tables. */
enum { MOST_FILES = 5000 };

/* ---- texts that numbers are indices into ---- */

void fth_views_pack_texts(struct fth_sink *to, const struct fth_intern *texts)
{
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    fth_json_begin_array(&json);
    for (uint32_t i = 0; i < texts->count; i++) {
        size_t length;
        fth_json_text(&json, (const char *)fth_interned(texts, i, &length));
    }
    fth_json_end_array(&json);
    fth_views_pack(to, text.used);
    fth_sink_bytes(to, text.bytes, text.used);
    to->failed |= text.failed;
    fth_sink_close_memory(&text);
}

/* ---- what other commands print as JSON ---- */

static void open_text(struct fth_writer *writer, struct fth_output *text, unsigned line_depth)
{
    fth_sink_open_memory(&text->sink);
    fth_views_begin(writer, &fth_format_json, text, &(struct fth_page){.line_depth = line_depth});
}

static void take_text(struct fth_sink *to, struct fth_output *text)
{
    fth_sink_bytes(to, text->sink.bytes, text->sink.used);
    to->failed |= text->sink.failed;
    fth_sink_close_memory(&text->sink);
    free(text);
}

void fth_views_pack_report(struct fth_sink *to, const struct fth_trace *trace,
                           const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_output *text = fth_new(1, sizeof *text);
    struct fth_writer writer;
    struct fth_error *error = NULL;
    struct fth_report_view cut = *view;
    cut.files = MOST_FILES;
    open_text(&writer, text, 1);
    fth_views_report(&writer, trace, results, &cut);
    if (fth_views_end(&writer, &error))
        fth_error_free(error);
    take_text(to, text);
}

int fth_views_pack_samples(struct fth_sink *to, const struct fth_trace *trace,
                           const struct fth_sample_sums *sums, const struct fth_samples_view *view,
                           struct fth_error **error)
{
    struct fth_output *text = fth_new(1, sizeof *text);
    struct fth_writer writer;
    open_text(&writer, text, 1);
    fth_views_samples(&writer, trace, sums, view);
    int result = fth_views_end(&writer, error);
    take_text(to, text);
    return result;
}

int fth_views_pack_calls(struct fth_sink *to, const struct fth_trace *trace,
                         fth_views_put_calls *put, void *context, struct fth_error **error)
{
    struct fth_output *text = fth_new(1, sizeof *text);
    struct fth_writer writer;
    struct fth_dump dump;
    open_text(&writer, text, 0);
    fth_views_dump_open(&dump, text, trace);
    fth_views_begin_calls(&writer);
    int result = put(&writer, &dump, context, error);
    if (result)
        fth_views_give_up(&writer);
    else
        result = fth_views_end(&writer, error);
    take_text(to, text);
    return result;
}

/* ---- names ---- */

static void put_texts(struct fth_json *json, const char *key, const char *const *texts,
                      size_t count)
{
    fth_json_key(json, key);
    fth_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        fth_json_text(json, texts[i]);
    fth_json_end_array(json);
}

static void put_functions(struct fth_json *json, const struct fth_overview *overview)
{
    fth_json_key(json, "functions");
    fth_json_begin_array(json);
    for (size_t i = 0; i < overview->classes->count; i++) {
        const struct fth_function *function = fth_trace_function(overview->trace, i);
        fth_json_begin_object(json);
        fth_json_key_text(json, "name", function->name);
        fth_json_key_text(json, "kind", function->kind);
        fth_json_key_unsigned(json, "layer", overview->classes->list[i].layer);
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

static void put_process(struct fth_json *json, const struct fth_process *process)
{
    const char *slash = strrchr(process->executable, '/');
    fth_json_key_text(json, "program", slash ? slash + 1 : process->executable);
    fth_json_key_text(json, "host", process->host);
    if (process->rank != FTH_NO_RANK) {
        fth_json_key_integer(json, "rank", process->rank);
        fth_json_key_integer(json, "world", process->world);
    }
    fth_json_key_integer(json, "start", process->start);
    fth_json_key_integer(json, "end", process->end);
}

static void put_rows(struct fth_json *json, const struct fth_overview *overview)
{
    fth_json_key(json, "rows");
    fth_json_begin_array(json);
    for (size_t i = 0; i < overview->row_count; i++) {
        const struct fth_overview_row *row = &overview->rows[i];
        fth_json_begin_object(json);
        fth_json_key_unsigned(json, "proc", row->proc);
        fth_json_key_unsigned(json, "thread", row->thread);
        if (!row->thread)
            put_process(json, fth_trace_process(overview->trace, row->proc));
        fth_json_end_object(json);
    }
    fth_json_end_array(json);
}

void fth_views_pack_names(struct fth_sink *to, const struct fth_overview *overview)
{
    struct fth_json json;
    fth_json_open(&json, to, 0);
    fth_json_begin_object(&json);
    fth_json_key_integer(&json, "begin", overview->begin);
    fth_json_key_integer(&json, "end", overview->end);
    fth_json_key_integer(&json, "bin_width", overview->bin_width);
    fth_json_key_unsigned(&json, "bins", overview->bin_count);
    fth_json_key_integer(&json, "part_width", overview->part_width);
    fth_json_key_unsigned(&json, "parts", overview->part_count);
    fth_json_key_boolean(&json, "all_calls", overview->all_calls);
    fth_json_key(&json, "exact");
    fth_json_begin_array(&json);
    for (size_t i = 0; i < overview->window_count; i++) {
        fth_json_begin_array(&json);
        fth_json_integer(&json, overview->windows[i].begin);
        fth_json_integer(&json, overview->windows[i].end);
        fth_json_end_array(&json);
    }
    fth_json_end_array(&json);
    put_texts(&json, "layers", overview->classes->layers, overview->classes->layer_count);
    put_functions(&json, overview);
    put_rows(&json, overview);
    put_texts(&json, "files", overview->files, overview->file_count);
    put_texts(&json, "sources", overview->sources, overview->source_count);
    fth_json_end_object(&json);
}

void fth_views_pack_files(struct fth_sink *to, const struct fth_overview *overview)
{
    struct fth_json json;
    fth_json_open(&json, to, 0);
    fth_json_begin_array(&json);
    for (size_t i = 0; i < overview->file_count; i++)
        fth_json_text(&json, overview->files[i]);
    fth_json_end_array(&json);
}
