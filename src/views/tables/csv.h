/* Any table, for spreadsheets. */
#ifndef FTH_VIEWS_CSV_H
#define FTH_VIEWS_CSV_H

#include "base/sink.h"
#include "views/tables/tables.h"

/* A line of names, or of cells; `leading` may be NULL. */
void fth_views_csv_names(struct fth_sink *sink, const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading);
void fth_views_csv_cells(struct fth_sink *sink, const struct fth_cell *cells,
                         const struct fth_column *columns, size_t count,
                         const struct fth_leading *leading);
/* The line with the names of the columns; then a line for each row, `top` at most (0: all). Times
 * are in seconds, as in JSON; what is null is empty. */
void fth_views_csv_titles(struct fth_sink *sink, const struct fth_table *table,
                          const struct fth_leading *leading);
void fth_views_csv_rows(struct fth_sink *sink, const struct fth_table *table,
                        const struct fth_leading *leading, size_t top);

#endif
