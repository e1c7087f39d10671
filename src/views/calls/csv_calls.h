/* Calls as lines of comma-separated values: the cells of call_rows.h. What calls have in common
 * with those before them is not written anew. */
#ifndef FTH_VIEWS_CSV_CALLS_H
#define FTH_VIEWS_CSV_CALLS_H

#include "views/calls/call_rows.h"
#include "views/tables/csv.h"

enum { FTH_CSV_FUNCTIONS = 16, FTH_CSV_KEPT = 256 };

/* Cells that stand beside one another, as text. */
struct fth_csv_kept {
    const void *of; /* NULL: nothing is kept */
    uint64_t which[2];
    size_t length;
    char text[FTH_CSV_KEPT];
};

/* Of one thread that writes. All zero but for `csv` and `dump`: no call has come yet. */
struct fth_csv_calls {
    struct fth_csv csv;
    const struct fth_dump *dump;
    struct fth_csv_kept thread, functions[FTH_CSV_FUNCTIONS], file;
};

void fth_views_csv_call(struct fth_csv_calls *calls, const struct fth_call *call);

#endif
