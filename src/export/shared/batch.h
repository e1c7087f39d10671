/* Rows in memory, column by column: what the formats of tables have in common (Parquet, Arrow). A
 * batch has a fixed number of rows at most; its owner writes it out, or hands it on, and empties
 * it. Not thread-safe. */
#ifndef FTH_EXPORT_SHARED_BATCH_H
#define FTH_EXPORT_SHARED_BATCH_H

#include "base/intern.h"
#include "export/shared/pseudonyms.h"

enum { FTH_BATCH_ROWS = 1 << 16 };

enum fth_batch_type {
    FTH_BATCH_BOOLEAN,
    FTH_BATCH_INT32,
    FTH_BATCH_INT64,
    FTH_BATCH_DOUBLE,
    FTH_BATCH_TEXT, /* UTF-8: bytes that are not become U+FFFD */
};

struct fth_batch_column {
    const char *name;
    enum fth_batch_type type;
    bool optional;    /* it may be null */
    const char *unit; /* "ns", "bytes"; NULL: none */
};

/* The cells of a column. */
struct fth_batch_cells {
    int64_t *values; /* those that are there: integers, bits of reals, numbers of texts */
    uint32_t *rows;  /* of each of them, ascending; other rows are null */
    uint32_t count, limit;
    struct fth_intern texts;
    uint32_t *numbered; /* by number of a text: that in `texts` plus 1; 0: not known */
    uint32_t numbered_limit;
};

struct fth_batch {
    const struct fth_batch_column *columns; /* borrowed */
    size_t column_count;
    struct fth_batch_cells *cells;
    size_t rows;
    const struct fth_pseudonyms *names; /* that stand for names; NULL: these stay */
};

void fth_batch_begin(struct fth_batch *batch, const struct fth_batch_column *columns, size_t count);
void fth_batch_end(struct fth_batch *batch);
/* No rows. Numbers of texts are forgotten. */
void fth_batch_empty(struct fth_batch *batch);

/* Room for more values. */
void fth_batch_grow(struct fth_batch_cells *cells);
/* The cells of a row: each column once at most, in any order. What is not put is null. Booleans are
 * integers. */
static inline void fth_batch_integer(struct fth_batch *batch, size_t column, int64_t value)
{
    struct fth_batch_cells *cells = &batch->cells[column];
    if (cells->count == cells->limit)
        fth_batch_grow(cells);
    cells->rows[cells->count] = (uint32_t)batch->rows;
    cells->values[cells->count++] = value;
}
static inline void fth_batch_or_null(struct fth_batch *batch, size_t column, int64_t value,
                                     bool is_there)
{
    if (is_there)
        fth_batch_integer(batch, column, value);
}
void fth_batch_real(struct fth_batch *batch, size_t column, double value);
void fth_batch_text(struct fth_batch *batch, size_t column, const char *text); /* NULL: null */
/* The same of a name, which becomes a pseudonym if the batch has any. */
void fth_batch_name(struct fth_batch *batch, size_t column, const char *name);
/* The same for a text that has a small number, so that it is not looked up each time. */
void fth_batch_numbered_text(struct fth_batch *batch, size_t column, uint32_t number,
                             const char *text);
/* Numbers of texts of this column mean other texts from now on. */
void fth_batch_forget_numbers(struct fth_batch *batch, size_t column);

#endif
