/* Calls and operations as rows of a table that is too long to be one: for formats that have tables
 * and nothing else. The columns are the keys of JSON, as far as their values are single ones. */
#ifndef FTH_VIEWS_CALL_ROWS_H
#define FTH_VIEWS_CALL_ROWS_H

#include "table/table.h"
#include "views/calls/dump_calls.h"

enum { FTH_CALL_COLUMNS = 23, FTH_OPERATION_COLUMNS = 21, FTH_LONGEST_CALL_NAME = 64 };
extern const struct fth_column fth_views_call_columns[FTH_CALL_COLUMNS];
extern const struct fth_column fth_views_operation_columns[FTH_OPERATION_COLUMNS];

/* The cells of one, which live as long as it does; `names` is where names of calls stand. */
struct fth_call_row {
    struct fth_cell cells[FTH_CALL_COLUMNS];
    char names[2][FTH_LONGEST_CALL_NAME];
};
struct fth_operation_row {
    struct fth_cell cells[FTH_OPERATION_COLUMNS];
    char names[4][FTH_LONGEST_CALL_NAME];
};
void fth_views_call_row(const struct fth_dump *dump, const struct fth_call *call,
                        struct fth_call_row *row);
void fth_views_operation_row(const struct fth_dump *dump, const struct fth_operation *operation,
                             struct fth_operation_row *row);

#endif
