/* From columns with units to columns with types. */
#include "export/parquet/table_files.h"

#include "base/memory.h"

static struct fth_batch_column column_of(const struct fth_column *column)
{
    struct fth_batch_column made = {column->name, FTH_BATCH_INT64, true, NULL};
    switch (column->unit) {
    case FTH_UNIT_BYTES:
        made.unit = "bytes";
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

struct fth_batch_column *fth_parquet_columns_of(const struct fth_shape *shape,
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

static void put_cell(struct fth_batch *batch, size_t column, const struct fth_cell *cell)
{
    switch (cell->type) {
    case FTH_CELL_NULL:
        fth_batch_null(batch, column);
        return;
    case FTH_CELL_INTEGER:
        fth_batch_integer(batch, column, cell->integer);
        return;
    case FTH_CELL_REAL:
        fth_batch_real(batch, column, cell->real);
        return;
    case FTH_CELL_TEXT:
        fth_batch_text(batch, column, cell->text);
        return;
    }
}

void fth_parquet_put_table(struct fth_parquet *file, const struct fth_table *table,
                           const int64_t *leading, size_t leading_count)
{
    struct fth_batch *batch = fth_parquet_batch(file);
    size_t columns = fth_table_shape(table)->column_count;
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        const struct fth_cell *cells = fth_table_row(table, row);
        for (size_t i = 0; i < leading_count; i++)
            put_cell(batch, i,
                     &(struct fth_cell){leading[i] < 0 ? FTH_CELL_NULL : FTH_CELL_INTEGER,
                                        {leading[i]}});
        for (size_t i = 0; i < columns; i++)
            put_cell(batch, leading_count + i, &cells[i]);
        fth_parquet_end_row(file);
    }
}

int fth_parquet_write_table(const char *path, const struct fth_table *table, const char *facts,
                            struct fth_error **error)
{
    const struct fth_shape *shape = fth_table_shape(table);
    struct fth_batch_column *columns = fth_parquet_columns_of(shape, NULL, 0);
    struct fth_parquet *file = fth_parquet_open(path, columns, shape->column_count, facts, error);
    if (file)
        fth_parquet_put_table(file, table, NULL, 0);
    int result = file ? fth_parquet_close(file, error) : -1;
    free(columns);
    return result;
}
