/* Any table, for spreadsheets. */
#ifndef FTH_VIEWS_CSV_H
#define FTH_VIEWS_CSV_H

#include "base/sink.h"
#include "views/tables/tables.h"

/* Where lines go. Bytes are as they are, but on a terminal, where they may be commands to it. */
struct fth_csv {
    struct fth_sink *sink;
    bool is_terminal; /* control characters are made visible */
};

/* A line of names, or of cells; `leading` may be NULL. */
void fth_views_csv_names(const struct fth_csv *csv, const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading);
void fth_views_csv_cells(const struct fth_csv *csv, const struct fth_cell *cells,
                         const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading);
/* Cells without the end of their line. */
void fth_views_csv_some(const struct fth_csv *csv, const struct fth_cell *cells,
                        const struct fth_column *columns, size_t count);
/* The line with the names of the columns; then a line for each row, `top` at most (0: all). Times
 * are in seconds, as in JSON; what is null is empty. */
void fth_views_csv_titles(const struct fth_csv *csv, const struct fth_table *table,
                          const struct fth_leading *leading);
void fth_views_csv_rows(const struct fth_csv *csv, const struct fth_table *table,
                        const struct fth_leading *leading, size_t top);

#endif
