/* The tables of an answer, one below the other. */
#include "views/query.h"

#include "views/incomplete.h"
#include "views/tables.h"

void fth_views_answer(struct fth_output *output, const struct fth_answer *answer, size_t top)
{
    static const char *const spare[] = {"start", "name", "func", "proc", NULL};
    for (size_t i = 0; i < answer->count; i++) {
        if (i)
            fth_sink_char(&output->sink, '\n');
        fth_views_table(
            output, answer->tables[i],
            &(struct fth_table_layout){.top = top, .more = "--top 0 shows all", .spare = spare});
    }
}

void fth_views_answer_json(struct fth_output *output, const struct fth_answer *answer,
                           const char *trace_path, const char *query,
                           const struct fth_incomplete *incomplete)
{
    struct fth_json json;
    fth_json_open(&json, &output->sink, 3);
    fth_json_begin_object(&json);
    fth_json_key(&json, "trace");
    fth_json_text(&json, trace_path);
    fth_views_missing_json(&json, incomplete);
    fth_json_key(&json, "query");
    fth_json_text(&json, query);
    fth_json_key(&json, "layer");
    fth_json_text(&json, answer->layer);
    fth_json_key(&json, "tables");
    fth_json_begin_object(&json);
    for (size_t i = 0; i < answer->count; i++) {
        fth_json_key(&json, fth_table_shape(answer->tables[i])->name);
        fth_views_table_json(&json, answer->tables[i], 0);
    }
    fth_json_end_object(&json);
    fth_json_end_object(&json);
    fth_json_end_document(&json);
}
