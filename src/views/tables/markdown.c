/* Markdown: a table's cells are those of the terminal. */
#include "views/tables/markdown.h"

#include "views/tables/tables.h"
#include "views/output/display_text.h"

#include <stdlib.h>
#include <string.h>

/* What no terminal may see is made visible as it is there. */
void fth_views_markdown_text(struct fth_output *output, const char *text)
{
    struct fth_sink visible;
    fth_sink_open_memory(&visible);
    fth_views_put_text(&visible, text ? text : "", 0, FTH_CUT_END, true);
    for (size_t i = 0; i < visible.used; i++) {
        if (memchr("\\`*_{}[]<>|#~$&!", visible.bytes[i], strlen("\\`*_{}[]<>|#~$&!")))
            fth_sink_char(&output->sink, '\\');
        fth_sink_char(&output->sink, visible.bytes[i]);
    }
    fth_sink_close_memory(&visible);
}

static bool is_left(const struct fth_column *column)
{
    return column->unit == FTH_UNIT_TEXT || column->unit == FTH_UNIT_PATH;
}

static void put_rule(struct fth_output *output, const struct fth_table *table, const bool *columns)
{
    const struct fth_shape *shape = fth_table_shape(table);
    fth_views_print(output, "\n|");
    for (size_t i = 0; i < shape->column_count; i++)
        if (columns[i])
            fth_views_print(output, is_left(&shape->columns[i]) ? "---|" : "---:|");
    fth_sink_char(&output->sink, '\n');
}

static void put_row(struct fth_output *output, const struct fth_table *table, size_t row,
                    const bool *columns)
{
    const struct fth_shape *shape = fth_table_shape(table);
    const struct fth_cell *cells = fth_table_row(table, row);
    fth_sink_char(&output->sink, '|');
    for (size_t i = 0; i < shape->column_count; i++) {
        if (!columns[i])
            continue;
        fth_sink_char(&output->sink, ' ');
        if (cells[i].type == FTH_CELL_TEXT)
            fth_views_markdown_text(output, cells[i].text);
        else
            fth_sink_text(&output->sink, fth_views_cell(&cells[i], shape->columns[i].unit).text);
        fth_sink_text(&output->sink, " |");
    }
    fth_sink_char(&output->sink, '\n');
}

void fth_views_markdown_table(struct fth_output *output, const struct fth_table *table, size_t top)
{
    const struct fth_shape *shape = fth_table_shape(table);
    size_t rows = fth_table_rows(table), shown = top && top < rows ? top : rows;
    bool *columns = fth_table_shown_columns(table);
    fth_sink_char(&output->sink, '|');
    for (size_t i = 0; i < shape->column_count; i++)
        if (columns[i])
            fth_views_print(output, " %s |", shape->columns[i].title);
    put_rule(output, table, columns);
    for (size_t row = 0; row < shown; row++)
        put_row(output, table, row, columns);
    free(columns);
    if (shown < rows)
        fth_views_print(output, "\n%s more\n",
                        fth_phrase_several(rows - shown, "row", "rows").text);
}
