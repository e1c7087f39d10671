/* The rows of a table that is being read. */
#ifndef FTH_EXPORT_ARROW_ROWS_H
#define FTH_EXPORT_ARROW_ROWS_H

#include "analysis/survey/call_walk.h"
#include "export/shared/call_tables.h"
#include "export/shared/function_numbers.h"
#include "export/shared/anonymous.h"
#include "export/shared/message_flows.h"
#include "table/table.h"

#include <fathom/samples.h>

/* What has been read, and how far it is. */
struct fth_arrow_rows {
    struct fth_trace *trace;
    const struct fth_selection *selection;
    struct fth_batch batch;
    struct fth_error *error;
    bool is_over;

    /* calls and accesses */
    struct fth_function_numbers functions;
    struct fth_argument_columns columns; /* of the table of calls */
    bool of_calls, of_accesses;
    struct fth_run_walk *walk;
    struct fth_anonymous anonymous;
    const struct fth_call *call;     /* of which ranges are left; NULL: none */
    const struct fth_access *access; /* its */
    struct fth_accesses *accesses;
    struct fth_access_row row;
    bool goes_on; /* some of its rows were in the last batch */
    size_t proc;

    /* the next process, message, counter, or row of `table` */
    size_t next;
    struct fth_message_list messages;
    bool has_messages;
    struct fth_samples_reader *samples; /* of the counter `next` */
    struct fth_table *table; /* of files, or of handles of the process before next_proc */
    size_t next_proc;
};

static inline bool fth_arrow_is_full(const struct fth_arrow_rows *rows)
{
    return rows->batch.rows == FTH_BATCH_ROWS;
}

/* Add rows until the batch is full, or until there are no more and is_over is set. -1: rows->error
 * is set. */
int fth_arrow_fill_calls(struct fth_arrow_rows *rows);
int fth_arrow_fill_accesses(struct fth_arrow_rows *rows);
int fth_arrow_fill_processes(struct fth_arrow_rows *rows);
int fth_arrow_fill_messages(struct fth_arrow_rows *rows);
int fth_arrow_fill_samples(struct fth_arrow_rows *rows);
int fth_arrow_fill_files(struct fth_arrow_rows *rows);
int fth_arrow_fill_handles(struct fth_arrow_rows *rows);

/* What the table of handles has before the columns of `fathom handles`. */
enum { FTH_ARROW_HANDLES_LEADING = 2 };
extern const char *const fth_arrow_handles_leading[FTH_ARROW_HANDLES_LEADING];

#endif
