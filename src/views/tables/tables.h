/* Any table, for people and for programs. */
#ifndef FTH_VIEWS_TABLES_H
#define FTH_VIEWS_TABLES_H

#include "base/json.h"
#include "table/table.h"
#include "views/output/output.h"
#include "views/output/display_text.h"

/* Columns in front of a table's own, the same in all rows: what it is about, where it is one of
 * several alike and no facts stand around it. */
struct fth_leading {
    size_t count;
    const struct fth_column *columns;
    const struct fth_cell *cells;
};

/* How a table is shown; what a format has no use for it passes over. */
struct fth_table_layout {
    /* for people */
    const char *title; /* instead of the table's own; may be NULL */
    size_t top;        /* rows at most; 0: all */
    const char *more;  /* how to see the others: "--top 0 shows all"; may be NULL */
    const char *share; /* name of a column that gets a bar of its share of `whole`; NULL: no bar */
    int64_t whole;
    const char *const
        *spare;   /* names of columns that go, the first one first, where the terminal is
                                 too narrow; ended by NULL, may be NULL */
    bool compare; /* the largest row gets a full bar, instead of one that stands for `whole` */

    /* for programs */
    const char *name;  /* instead of the table's own; may be NULL */
    size_t top_of_all; /* rows at most, as was asked for; 0: all */
    bool is_one;       /* it has one row: an object among the facts; no table unless chosen */
    bool is_described; /* facts have its title and its columns, too */
    const struct fth_leading *leading; /* may be NULL */
};

static inline const char *fth_views_name_of(const struct fth_table *table,
                                            const struct fth_table_layout *layout)
{
    return layout->name ? layout->name : fth_table_shape(table)->name;
}

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
