/* Tables as comma-separated values (RFC 4180): names of columns, then a line for each row. */
#include "views/tables/csv.h"

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

static void write_titles(struct fth_sink *sink, const struct fth_column *columns, size_t count,
                         bool follow)
{
    for (size_t i = 0; i < count; i++) {
        if (i || follow)
            fth_sink_char(sink, ',');
        write_text(sink, columns[i].name);
    }
}

static void write_cells(struct fth_sink *sink, const struct fth_cell *cells,
                        const struct fth_column *columns, size_t count, bool follow)
{
    for (size_t i = 0; i < count; i++) {
        if (i || follow)
            fth_sink_char(sink, ',');
        write_cell(sink, &cells[i], columns[i].unit);
    }
}

static const struct fth_leading none;

void fth_views_csv_names(struct fth_sink *sink, const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading)
{
    leading = leading ? leading : &none;
    write_titles(sink, leading->columns, leading->count, false);
    write_titles(sink, columns, count, leading->count);
    fth_sink_text(sink, "\r\n");
}

void fth_views_csv_cells(struct fth_sink *sink, const struct fth_cell *cells,
                         const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading)
{
    leading = leading ? leading : &none;
    write_cells(sink, leading->cells, leading->columns, leading->count, false);
    write_cells(sink, cells, columns, count, leading->count);
    fth_sink_text(sink, "\r\n");
}

void fth_views_csv_titles(struct fth_sink *sink, const struct fth_table *table,
                          const struct fth_leading *leading)
{
    const struct fth_shape *shape = fth_table_shape(table);
    fth_views_csv_names(sink, shape->columns, shape->column_count, leading);
}

void fth_views_csv_rows(struct fth_sink *sink, const struct fth_table *table,
                        const struct fth_leading *leading, size_t top)
{
    const struct fth_shape *shape = fth_table_shape(table);
    size_t rows = fth_table_rows(table);
    for (size_t row = 0; row < rows && (!top || row < top) && !sink->failed; row++)
        fth_views_csv_cells(sink, fth_table_row(table, row), shape->columns, shape->column_count,
                            leading);
}
