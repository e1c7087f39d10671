/* Files of Apache Parquet (https://parquet.apache.org/docs/file-format), written row by row.
 *
 * Rows gather in memory (shared/batch.h); each 65,536 of them become a row group, of which each
 * column is one page, compressed with zstd. Integers are packed as differences, texts as numbers in
 * a dictionary of the row group. Columns of integers have minimum and maximum, so that readers skip
 * groups. Memory does not grow with rows, but for some 100 bytes for each column of each group.
 *
 * A failure to write is kept until the file is closed. Not thread-safe. */
#ifndef FTH_EXPORT_PARQUET_FILE_H
#define FTH_EXPORT_PARQUET_FILE_H

#include "base/error.h"
#include "export/shared/batch.h"

struct fth_parquet;

/* `columns` must outlive the file. `facts`: JSON that becomes the entry "fathom" of the file's
 * metadata. NULL: *error is set. */
struct fth_parquet *fth_parquet_open(const char *path, const struct fth_batch_column *columns,
                                     size_t count, const char *facts, struct fth_error **error);
/* The row that is being written: fill it, then end it. */
struct fth_batch *fth_parquet_batch(struct fth_parquet *file);
void fth_parquet_end_row(struct fth_parquet *file);
uint64_t fth_parquet_rows(const struct fth_parquet *file);
/* Writes what is left, and frees it. -1: *error is set; then the file is of no use. */
int fth_parquet_close(struct fth_parquet *file, struct fth_error **error);

#endif
