/* From columns with units to columns with types. */
#include "export/shared/table_rows.h"

#include "base/memory.h"

#include <string.h>

static struct fth_batch_column column_of(const struct fth_column *column)
{
    struct fth_batch_column made = {column->name, FTH_BATCH_INT64, true, NULL};
    switch (column->unit) {
    case FTH_UNIT_BYTES:
        made.unit = "bytes";
        break;
    case FTH_UNIT_RATE:
        made.unit = "bytes/s";
        break;
    case FTH_UNIT_TIME:
        made.unit = "ns";
        break;
    case FTH_UNIT_PERCENT:
        made.unit = "percent";
        made.type = FTH_BATCH_DOUBLE;
        break;
    case FTH_UNIT_RATIO:
        made.type = FTH_BATCH_DOUBLE;
        break;
    case FTH_UNIT_TEXT:
    case FTH_UNIT_PATH:
        made.type = FTH_BATCH_TEXT;
        break;
    case FTH_UNIT_COUNT:
    case FTH_UNIT_NUMBER:
        break;
    }
    return made;
}

struct fth_batch_column *fth_table_batch_columns(const struct fth_shape *shape,
                                                 const char *const *leading, size_t leading_count)
{
    struct fth_batch_column *columns =
        fth_new(leading_count + shape->column_count, sizeof *columns);
    for (size_t i = 0; i < leading_count; i++)
        columns[i] = (struct fth_batch_column){leading[i], FTH_BATCH_INT32, true, NULL};
    for (size_t i = 0; i < shape->column_count; i++)
        columns[leading_count + i] = column_of(&shape->columns[i]);
    return columns;
}

/* Texts that are words of Fathom or of the system. Others are names. */
static bool is_word(const struct fth_column *column)
{
    static const char *const words[] = {"class",   "layer",       "type",   "origin",
                                        "made_by", "closed_by",   "access", "creation",
                                        "status",  "file_system", "scope"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(column->name, words[i]))
            return true;
    return false;
}

static void put_cell(struct fth_batch *batch, size_t column, const struct fth_cell *cell,
                     const struct fth_column *of)
{
    switch (cell->type) {
    case FTH_CELL_NULL:
        return;
    case FTH_CELL_INTEGER:
        fth_batch_integer(batch, column, cell->integer);
        return;
    case FTH_CELL_REAL:
        fth_batch_real(batch, column, cell->real);
        return;
    case FTH_CELL_TEXT:
        if (is_word(of))
            fth_batch_text(batch, column, cell->text);
        else
            fth_batch_name(batch, column, cell->text);
        return;
    }
}

void fth_table_batch_put(struct fth_batch *batch, const struct fth_table *table, size_t row,
                         const int64_t *leading, size_t leading_count)
{
    const struct fth_cell *cells = fth_table_row(table, row);
    const struct fth_shape *shape = fth_table_shape(table);
    for (size_t i = 0; i < leading_count; i++)
        fth_batch_or_null(batch, i, leading[i], leading[i] >= 0);
    for (size_t i = 0; i < shape->column_count; i++)
        put_cell(batch, leading_count + i, &cells[i], &shape->columns[i]);
}
