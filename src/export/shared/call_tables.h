/* The tables of calls and of accesses: what a row has, whichever format it is written in. */
#ifndef FTH_EXPORT_SHARED_CALL_TABLES_H
#define FTH_EXPORT_SHARED_CALL_TABLES_H

#include "export/shared/argument_columns.h"

#include <fathom/access.h>

enum { FTH_CALL_TABLE_COLUMNS = 22, FTH_ACCESS_TABLE_COLUMNS = 12 };
extern const struct fth_batch_column fth_call_table_columns[FTH_CALL_TABLE_COLUMNS];
extern const struct fth_batch_column fth_access_table_columns[FTH_ACCESS_TABLE_COLUMNS];

/* Fill the cells of a row. `columns`: those of the batch, which go on with parameters. `function`:
 * the number of the call's function. */
void fth_call_table_put(struct fth_batch *batch, const struct fth_argument_columns *columns,
                        const struct fth_call *call, uint32_t function);

struct fth_access_row {
    const char *path; /* NULL: unknown */
    bool writes, is_known;
    struct fth_range range; /* offset only if it is known */
};
void fth_access_table_put(struct fth_batch *batch, const struct fth_trace *trace,
                          const struct fth_call *call, uint32_t function,
                          const struct fth_access_row *row);
/* The row of the second file of a call that copies; false: it has none. */
bool fth_access_second_row(const struct fth_access *access, const struct fth_call *call,
                           struct fth_access_row *row);
/* Another process follows: its files have other numbers. */
void fth_call_table_next_process(struct fth_batch *calls, struct fth_batch *accesses);

#endif
