/* Files that several ranks have opened together, on the page that `fathom tune --live` reads
 * (trace/record/tunable_page.h). Inner header of the capture room. */
#ifndef FTH_CAPTURE_MPI_TUNABLE_ROWS_H
#define FTH_CAPTURE_MPI_TUNABLE_ROWS_H

#include "trace/record/tunable_page.h"

/* What ranks agree on when they open a file: of each word the largest one. */
struct fth_tunable_agreed {
    uint64_t request, requester;
    uint64_t number; /* of the file */
    uint64_t image;  /* of one of the processes */
};

extern struct fth_tunable_page *fth_tunable_page; /* NULL: there is no room for it */
/* Of this node; once. */
void fth_tunable_map_page(void);
/* Makes the word at least this. */
void fth_tunable_raise(uint64_t *word, uint64_t value);

/* The time of a file begins. */
void fth_tunable_begin(const struct fth_tunable_agreed *agreed, int ranks, const char *path);
/* This process has opened it; `handle` 0: it could not. */
void fth_tunable_opened(const struct fth_tunable_agreed *agreed, uint64_t handle);
/* The row of a file that this process is about to close; NULL: it is not measured. */
struct fth_tunable_open *fth_tunable_take(uint64_t handle);
/* It has; `row` may be NULL. */
void fth_tunable_closed(struct fth_tunable_open *row);

#endif
