/* Calls and operations as rows of a table that is too long to be one: for formats that have tables
 * and nothing else. The columns are the keys of JSON, as far as their values are single ones. */
#ifndef FTH_VIEWS_CALL_ROWS_H
#define FTH_VIEWS_CALL_ROWS_H

#include "table/table.h"
#include "views/calls/dump_calls.h"

enum {
    FTH_CALL_THREAD_COLUMNS = 6, /* of the thread; then the names of the call and of its parent */
    FTH_CALL_FIRST_OF_FUNCTION = FTH_CALL_THREAD_COLUMNS + 2,
    FTH_CALL_FUNCTION_COLUMNS = 5,
    FTH_CALL_FIRST_OWN = FTH_CALL_FIRST_OF_FUNCTION + FTH_CALL_FUNCTION_COLUMNS,
    FTH_CALL_OWN_COLUMNS = 10,
    FTH_CALL_OWN_FILE = 3, /* which of them is the file */
    FTH_CALL_COLUMNS = FTH_CALL_FIRST_OWN + FTH_CALL_OWN_COLUMNS,
    FTH_OPERATION_COLUMNS = 21,
    FTH_LONGEST_CALL_NAME = 64
};
extern const struct fth_column fth_views_call_columns[FTH_CALL_COLUMNS];
extern const struct fth_column fth_views_operation_columns[FTH_OPERATION_COLUMNS];

/* The cells of an operation, which live as long as it does; `names` is where names of calls
 * stand. */
struct fth_operation_row {
    struct fth_cell cells[FTH_OPERATION_COLUMNS];
    char names[4][FTH_LONGEST_CALL_NAME];
};
/* The cells of a call, group by group. */
void fth_views_call_thread_cells(const struct fth_dump *dump, const struct fth_call *call,
                                 struct fth_cell cells[FTH_CALL_THREAD_COLUMNS]);
void fth_views_call_function_cells(const struct fth_call *call,
                                   struct fth_cell cells[FTH_CALL_FUNCTION_COLUMNS]);
void fth_views_call_own_cells(const struct fth_call *call,
                              struct fth_cell cells[FTH_CALL_OWN_COLUMNS]);
void fth_views_operation_row(const struct fth_dump *dump, const struct fth_operation *operation,
                             struct fth_operation_row *row);

#endif
