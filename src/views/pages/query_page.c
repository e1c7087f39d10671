/* The tables of an answer, one below the other. */
#include "views/pages/query_page.h"

void fth_views_answer(struct fth_writer *writer, const struct fth_answer *answer,
                      const struct fth_answer_view *view)
{
    static const char *const spare[] = {"start", "name", "func", "proc", NULL};
    const struct fth_table_layout layout = {
        .top = view->top, .more = "--top 0 shows all", .spare = spare};
    struct fth_json *facts = &writer->facts;
    fth_json_key_text(facts, "trace", view->trace_path);
    fth_views_write_missing(writer, &view->incomplete);
    fth_json_key_text(facts, "query", view->query);
    fth_json_key_text(facts, "layer", answer->layer);
    fth_json_key(facts, "tables");
    fth_json_begin_object(facts);
    for (size_t i = 0; i < answer->count; i++) {
        if (i)
            fth_views_write_gap(writer);
        fth_views_write_table(writer, answer->tables[i], &layout);
    }
    fth_json_end_object(facts);
}
