/* Files of Apache Parquet (https://parquet.apache.org/docs/file-format), written row by row.
 *
 * Rows gather in memory; each 65,536 of them become a row group, of which each column is one page,
 * compressed with zstd. Integers are packed as differences, texts as numbers in a dictionary of the
 * row group. Columns of numbers have minimum and maximum, so that readers skip groups. Memory does
 * not grow with rows, but for some 100 bytes for each column of each group.
 *
 * A failure to write is kept until the file is closed. Not thread-safe. */
#ifndef FTH_EXPORT_PARQUET_FILE_H
#define FTH_EXPORT_PARQUET_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_parquet_type {
    FTH_PARQUET_BOOLEAN,
    FTH_PARQUET_INT32,
    FTH_PARQUET_INT64,
    FTH_PARQUET_DOUBLE,
    FTH_PARQUET_TEXT, /* UTF-8: bytes that are not become U+FFFD */
};

struct fth_parquet_column {
    const char *name;
    enum fth_parquet_type type;
    bool optional;    /* it may be null */
    const char *unit; /* "ns", "bytes"; NULL: none. In the metadata of the file */
};

struct fth_parquet;

/* `columns` must outlive the file. `facts`: JSON that becomes the entry "fathom" of the file's
 * metadata. NULL: *error is set. */
struct fth_parquet *fth_parquet_open(const char *path, const struct fth_parquet_column *columns,
                                     size_t count, const char *facts, struct fth_error **error);
/* The cells of a row: each column once, in any order. Booleans are integers. */
void fth_parquet_integer(struct fth_parquet *file, size_t column, int64_t value);
void fth_parquet_real(struct fth_parquet *file, size_t column, double value);
void fth_parquet_text(struct fth_parquet *file, size_t column, const char *text); /* NULL: null */
/* The same for a text that has a small number, so that it is not looked up each time. */
void fth_parquet_numbered_text(struct fth_parquet *file, size_t column, uint32_t number,
                               const char *text);
/* Numbers of texts of this column mean other texts from now on. */
void fth_parquet_forget_numbers(struct fth_parquet *file, size_t column);
void fth_parquet_null(struct fth_parquet *file, size_t column);
void fth_parquet_end_row(struct fth_parquet *file);
uint64_t fth_parquet_rows(const struct fth_parquet *file);
/* Writes what is left, and frees it. -1: *error is set; then the file is of no use. */
int fth_parquet_close(struct fth_parquet *file, struct fth_error **error);

#endif
