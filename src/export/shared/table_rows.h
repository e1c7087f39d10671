/* Rows of a table of the analysis as rows of a batch. */
#ifndef FTH_EXPORT_SHARED_TABLE_ROWS_H
#define FTH_EXPORT_SHARED_TABLE_ROWS_H

#include "export/shared/batch.h"
#include "table/table.h"

/* Columns for those of a table, all of which may be null, behind `leading` integers of 32 bits that
 * are named by the caller. To be freed. Times are in nanoseconds. */
struct fth_batch_column *fth_table_batch_columns(const struct fth_shape *shape,
                                                 const char *const *leading, size_t leading_count);
/* Fills the cells of a row. `leading`: the values of these columns; negative ones are null. */
void fth_table_batch_put(struct fth_batch *batch, const struct fth_table *table, size_t row,
                         const int64_t *leading, size_t leading_count);

#endif
