/* Whole tables as files of Parquet. */
#include "export/parquet/table_files.h"

#include "export/shared/table_rows.h"

void fth_parquet_put_table(struct fth_parquet *file, const struct fth_table *table,
                           const int64_t *leading, size_t leading_count)
{
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        fth_table_batch_put(fth_parquet_batch(file), table, row, leading, leading_count);
        fth_parquet_end_row(file);
    }
}
