/* Whole tables as files of Parquet. */
#ifndef FTH_EXPORT_PARQUET_TABLE_FILES_H
#define FTH_EXPORT_PARQUET_TABLE_FILES_H

#include "export/parquet/parquet_file.h"
#include "table/table.h"

/* Adds the rows. `leading`: the values of these columns; negative ones are null. */
void fth_parquet_put_table(struct fth_parquet *file, const struct fth_table *table,
                           const int64_t *leading, size_t leading_count);

#endif
