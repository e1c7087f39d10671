/* Any table, for people and for programs. */
#ifndef FTH_VIEWS_TABLES_H
#define FTH_VIEWS_TABLES_H

#include "base/json.h"
#include "table/table.h"
#include "views/output.h"
#include "views/words.h"

/* How a table is shown to people. */
struct fth_table_layout {
    const char *title; /* instead of the table's own; may be NULL */
    size_t top;        /* rows at most; 0: all */
    const char *more;  /* how to see the others: "--top 0 shows all"; may be NULL */
    const char *share; /* name of a column that gets a bar of its share of `whole`; NULL: no bar */
    int64_t whole;
    const char *const
        *spare;   /* names of columns that go, the first one first, where the terminal is
                                 too narrow; ended by NULL, may be NULL */
    bool compare; /* the largest row gets a full bar, instead of one that stands for `whole` */
};

/* A title, a line of column titles, the rows in columns. When the terminal is too narrow, the bar
 * gives way, then the first text column, then the spare ones. */
void fth_views_table(struct fth_output *output, const struct fth_table *table,
                     const struct fth_table_layout *layout);

/* A cell that is not text, as people read it. */
struct fth_phrase fth_views_cell(const struct fth_cell *cell, enum fth_unit unit);

/* A row as a JSON object, the whole table as an array of them; times in seconds. top 0: all rows.
 */
void fth_views_row_json(struct fth_json *json, const struct fth_table *table, size_t row);
void fth_views_table_json(struct fth_json *json, const struct fth_table *table, size_t top);

#endif
