/* Whole tables as files of Parquet. */
#include "export/parquet/table_files.h"

#include "export/shared/table_rows.h"

#include <stdlib.h>

void fth_parquet_put_table(struct fth_parquet *file, const struct fth_table *table,
                           const int64_t *leading, size_t leading_count)
{
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        fth_table_batch_put(fth_parquet_batch(file), table, row, leading, leading_count);
        fth_parquet_end_row(file);
    }
}

int fth_parquet_write_table(const char *path, const struct fth_table *table, const char *facts,
                            struct fth_error **error)
{
    const struct fth_shape *shape = fth_table_shape(table);
    struct fth_batch_column *columns = fth_table_batch_columns(shape, NULL, 0);
    struct fth_parquet *file = fth_parquet_open(path, columns, shape->column_count, facts, error);
    if (file)
        fth_parquet_put_table(file, table, NULL, 0);
    int result = file ? fth_parquet_close(file, error) : -1;
    free(columns);
    return result;
}
