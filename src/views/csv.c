/* Tables as comma-separated values (RFC 4180): names of columns, then a line for each row. */
#include "views/csv.h"

#include <stdio.h>
#include <string.h>

static void write_text(struct fth_sink *sink, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fth_sink_text(sink, text);
        return;
    }
    fth_sink_char(sink, '"');
    for (; *text; text++) {
        if (*text == '"')
            fth_sink_char(sink, '"');
        fth_sink_char(sink, *text);
    }
    fth_sink_char(sink, '"');
}

static void write_cell(struct fth_sink *sink, const struct fth_cell *cell, enum fth_unit unit)
{
    char text[40];
    switch (cell->type) {
    case FTH_CELL_NULL:
        return;
    case FTH_CELL_INTEGER:
        if (unit == FTH_UNIT_TIME)
            fth_sink_decimal(sink, cell->integer, 9);
        else
            fth_sink_integer(sink, cell->integer);
        return;
    case FTH_CELL_REAL:
        snprintf(text, sizeof text, "%.9g", cell->real);
        fth_sink_text(sink, text);
        return;
    case FTH_CELL_TEXT:
        write_text(sink, cell->text);
        return;
    }
}

void fth_views_table_csv(struct fth_sink *sink, const struct fth_table *table)
{
    const struct fth_shape *shape = fth_table_shape(table);
    for (size_t i = 0; i < shape->column_count; i++) {
        if (i)
            fth_sink_char(sink, ',');
        write_text(sink, shape->columns[i].name);
    }
    fth_sink_text(sink, "\r\n");
    for (size_t row = 0; row < fth_table_rows(table) && !sink->failed; row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        for (size_t i = 0; i < shape->column_count; i++) {
            if (i)
                fth_sink_char(sink, ',');
            write_cell(sink, &cells[i], shape->columns[i].unit);
        }
        fth_sink_text(sink, "\r\n");
    }
}
