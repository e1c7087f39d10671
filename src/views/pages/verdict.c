/* The verdict: formats that have a form for it show it as a whole, others as tables. */
#include "views/pages/verdict.h"

#include "base/memory.h"

#include "views/sentences/verify_words.h"
#include "views/verdicts/verify_forms.h"

#include <stdlib.h>
#include <string.h>

static void put_sentence(struct fth_writer *writer, const struct fth_verdict *verdict,
                         const char *asked)
{
    struct fth_sink text;
    fth_sink_open_memory(&text);
    fth_views_verdict_sentence(&text, verdict, asked);
    fth_sink_char(&text, 0);
    fth_views_write_remark(writer, FTH_PAINT_PLAIN, "%s", text.bytes);
    fth_sink_close_memory(&text);
}

/* A line is a remark. */
static void put_notes(struct fth_writer *writer, const struct fth_verdict *verdict)
{
    struct fth_sink text;
    fth_sink_open_memory(&text);
    fth_views_verdict_notes(&text, verdict);
    fth_sink_char(&text, 0);
    char *rest = text.bytes;
    for (char *line; (line = strsep(&rest, "\n")) && *line;)
        fth_views_write_remark(writer, FTH_PAINT_PLAIN, "%s", line);
    fth_sink_close_memory(&text);
    fth_views_write_remark(writer, FTH_PAINT_PLAIN, "%s", fth_views_verdict_scope());
}

static void put_tables(struct fth_writer *writer, const struct fth_verdict *verdict,
                       const char *asked, size_t top)
{
    bool for_people = fth_views_for_people(writer);
    struct fth_table *models = fth_views_verdict_models(verdict, for_people),
                     *violations = fth_views_verdict_violations(verdict, asked, for_people),
                     *positions = fth_views_verdict_positions(verdict);
    if (!models || !violations || !positions || fth_table_failed(models) ||
        fth_table_failed(violations) || fth_table_failed(positions))
        fth_out_of_memory();
    fth_views_write_table(writer, models, &(struct fth_table_layout){0});
    fth_views_write_table(writer, violations,
                          &(struct fth_table_layout){.top = top, .more = "--top 0 shows all"});
    if (!for_people || fth_table_rows(positions))
        fth_views_write_table(writer, positions,
                              &(struct fth_table_layout){.top = top, .more = "--top 0 shows all"});
    fth_table_free(positions);
    fth_table_free(models);
    fth_table_free(violations);
}

void fth_views_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                       const char *asked, size_t top)
{
    if (fth_views_write_verdict(writer, verdict, asked, top))
        return;
    put_sentence(writer, verdict, asked);
    put_tables(writer, verdict, asked, top);
    put_notes(writer, verdict);
}
