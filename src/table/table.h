/* Tables: what a pass hands to a view. A table has named, typed columns with units and rows of
 * cells; a cell is an integer, a percentage, a text or null. Its leading columns may be its key:
 * then rows can be found by key, which is how a pass groups.
 *
 * Memory grows with rows only. Running out of memory sticks: FTH_NO_ROW is returned, writing to it
 * does nothing, and the pass asks once, at the end, with fth_table_failed. Not thread-safe. */
#ifndef FTH_TABLE_TABLE_H
#define FTH_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_unit {
    FTH_UNIT_COUNT,   /* integer: how many */
    FTH_UNIT_NUMBER,  /* integer: which one (a rank, a process) */
    FTH_UNIT_BYTES,   /* integer */
    FTH_UNIT_RATE,    /* integer: bytes per second */
    FTH_UNIT_TIME,    /* integer: nanoseconds; JSON and CSV: seconds */
    FTH_UNIT_PERCENT, /* real: 0 to 100 */
    FTH_UNIT_RATIO,   /* real: something per something */
    FTH_UNIT_TEXT,    /* too long for a line, it loses its end */
    FTH_UNIT_PATH,    /* a text that then loses its middle: both ends of a path matter */
};

/* When a view for people shows the column; files and programs always get all of them. */
enum fth_show {
    FTH_SHOW_ALWAYS,
    FTH_SHOW_UNLESS_ZERO, /* not when it is 0 or null everywhere */
    FTH_SHOW_UNLESS_NULL, /* not when it is null everywhere */
    FTH_SHOW_UNLESS_SAME, /* not when it is the same wherever it is not null */
};

struct fth_column {
    const char *name;  /* for programs: "bytes_read" */
    const char *title; /* for people: "read" */
    enum fth_unit unit;
    enum fth_show show;
};

enum fth_cell_type { FTH_CELL_NULL, FTH_CELL_INTEGER, FTH_CELL_REAL, FTH_CELL_TEXT };
struct fth_cell {
    enum fth_cell_type type;
    union {
        int64_t integer;
        double real;
        const char *text;
    };
};

static inline struct fth_cell fth_cell_null(void)
{
    return (struct fth_cell){.type = FTH_CELL_NULL};
}
static inline struct fth_cell fth_cell_integer(int64_t integer)
{
    return (struct fth_cell){.type = FTH_CELL_INTEGER, .integer = integer};
}
static inline struct fth_cell fth_cell_real(double real)
{
    return (struct fth_cell){.type = FTH_CELL_REAL, .real = real};
}
/* NULL becomes a null cell. */
static inline struct fth_cell fth_cell_text(const char *text)
{
    return (struct fth_cell){.type = text ? FTH_CELL_TEXT : FTH_CELL_NULL, .text = text};
}

/* What a table looks like; it and all it points to outlives the table. */
struct fth_shape {
    const char *name;  /* for programs: "functions" */
    const char *title; /* for people: "Functions" */
    const struct fth_column *columns;
    size_t column_count;
    size_t key_count; /* leading columns that identify a row for fth_table_group; 0: none */
};

struct fth_table;

struct fth_table *fth_table_new(const struct fth_shape *shape); /* NULL: out of memory */
/* From now on it keeps no rows: those that are added are FTH_NO_ROW. */
void fth_table_keep_nothing(struct fth_table *table);
void fth_table_free(struct fth_table *table); /* NULL is allowed */

const struct fth_shape *fth_table_shape(const struct fth_table *table);
size_t fth_table_rows(const struct fth_table *table);
/* The cells of a row, one per column; valid until the next change of the table, their texts as long
 * as the table. */
const struct fth_cell *fth_table_row(const struct fth_table *table, size_t row);
/* The number of the column of that name; SIZE_MAX: none. */
size_t fth_table_column(const struct fth_table *table, const char *name);

#define FTH_NO_ROW SIZE_MAX

/* A new row, all null. */
size_t fth_table_add_row(struct fth_table *table);
/* The row that was grouped under these key_count cells before, or a new one with them; expected
 * O(1). Rows of fth_table_add_row are never found. Sorting forgets: what is grouped after it starts
 * afresh. */
size_t fth_table_group(struct fth_table *table, const struct fth_cell *key);
/* Texts are copied. */
void fth_table_set(struct fth_table *table, size_t row, size_t column, struct fth_cell cell);
/* Adds to an integer, which stays at INT64_MAX; null counts as 0. */
void fth_table_increase(struct fth_table *table, size_t row, size_t column, uint64_t by);
bool fth_table_failed(const struct fth_table *table);

/* Both sorts are stable. Ascending by the first of these columns, then the next; null comes last.
 */
void fth_table_sort(struct fth_table *table, const size_t *columns, size_t count);
/* Descending by the sum of these integer columns. */
void fth_table_sort_by_sum(struct fth_table *table, const size_t *columns, size_t count);

/* A copy with the rows that are kept (one flag for each row); to be freed. NULL: out of memory. */
struct fth_table *fth_table_kept_rows(const struct fth_table *table, const bool *kept);

/* Whether a view for people shows this column: see enum fth_show. */
bool fth_table_shows(const struct fth_table *table, size_t column);
/* The same of all columns, to be freed: for who goes through rows, as it may look at each row. */
bool *fth_table_shown_columns(const struct fth_table *table);

#endif
