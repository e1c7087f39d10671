/* Tables as comma-separated values (RFC 4180): names of columns, then a line for each row. */
#include "views/tables/csv.h"

#include "base/visible.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 32 }; /* bytes up to which one loop is faster than searching four times */

/* How long the text is; *is_plain: it needs no quotes. */
static size_t look_at(const char *text, bool *is_plain)
{
    static const bool needs_quotes[UCHAR_MAX + 1] = {
        [','] = true, ['"'] = true, ['\r'] = true, ['\n'] = true};
    size_t length = strlen(text);
    bool found = false;
    if (length > SHORT)
        found = memchr(text, ',', length) || memchr(text, '"', length) ||
                memchr(text, '\r', length) || memchr(text, '\n', length);
    for (size_t i = 0; length <= SHORT && i < length; i++)
        found |= needs_quotes[(unsigned char)text[i]];
    *is_plain = !found;
    return length;
}

static void write_quoted(struct fth_sink *sink, const char *text)
{
    bool is_plain;
    size_t length = look_at(text, &is_plain);
    if (is_plain) {
        fth_sink_bytes(sink, text, length);
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

static void write_text(const struct fth_csv *csv, const char *text)
{
    char *visible = csv->is_terminal ? fth_visible(text) : NULL;
    write_quoted(csv->sink, visible ? visible : text);
    free(visible);
}

static void write_cell(const struct fth_csv *csv, const struct fth_cell *cell, enum fth_unit unit)
{
    char text[40];
    switch (cell->type) {
    case FTH_CELL_NULL:
        return;
    case FTH_CELL_INTEGER:
        if (unit == FTH_UNIT_TIME)
            fth_sink_decimal(csv->sink, cell->integer, 9);
        else
            fth_sink_integer(csv->sink, cell->integer);
        return;
    case FTH_CELL_REAL:
        snprintf(text, sizeof text, "%.9g", cell->real);
        fth_sink_text(csv->sink, text);
        return;
    case FTH_CELL_TEXT:
        write_text(csv, cell->text);
        return;
    }
}

static void write_titles(const struct fth_csv *csv, const struct fth_column *columns, size_t count,
                         bool follow)
{
    for (size_t i = 0; i < count; i++) {
        if (i || follow)
            fth_sink_char(csv->sink, ',');
        write_text(csv, columns[i].name);
    }
}

static void write_cells(const struct fth_csv *csv, const struct fth_cell *cells,
                        const struct fth_column *columns, size_t count, bool follow)
{
    for (size_t i = 0; i < count; i++) {
        if (i || follow)
            fth_sink_char(csv->sink, ',');
        write_cell(csv, &cells[i], columns[i].unit);
    }
}

static const struct fth_leading none;

void fth_views_csv_names(const struct fth_csv *csv, const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading)
{
    leading = leading ? leading : &none;
    write_titles(csv, leading->columns, leading->count, false);
    write_titles(csv, columns, count, leading->count);
    fth_sink_text(csv->sink, "\r\n");
}

void fth_views_csv_cells(const struct fth_csv *csv, const struct fth_cell *cells,
                         const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading)
{
    leading = leading ? leading : &none;
    write_cells(csv, leading->cells, leading->columns, leading->count, false);
    write_cells(csv, cells, columns, count, leading->count);
    fth_sink_text(csv->sink, "\r\n");
}

void fth_views_csv_some(const struct fth_csv *csv, const struct fth_cell *cells,
                        const struct fth_column *columns, size_t count)
{
    write_cells(csv, cells, columns, count, false);
}

void fth_views_csv_titles(const struct fth_csv *csv, const struct fth_table *table,
                          const struct fth_leading *leading)
{
    const struct fth_shape *shape = fth_table_shape(table);
    fth_views_csv_names(csv, shape->columns, shape->column_count, leading);
}

void fth_views_csv_rows(const struct fth_csv *csv, const struct fth_table *table,
                        const struct fth_leading *leading, size_t top)
{
    const struct fth_shape *shape = fth_table_shape(table);
    size_t rows = fth_table_rows(table);
    for (size_t row = 0; row < rows && (!top || row < top) && !csv->sink->failed; row++)
        fth_views_csv_cells(csv, fth_table_row(table, row), shape->columns, shape->column_count,
                            leading);
}
