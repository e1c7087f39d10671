/* How the accesses of all processes to a file follow one another in time. Inner header of the pass
 * in_time.c. */
#ifndef FTH_ANALYSIS_IN_TIME_H
#define FTH_ANALYSIS_IN_TIME_H

#include "base/indexed.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses that begin where the one before ended, behind that, and before it. */
struct fth_in_time {
    uint64_t consecutive, ahead, back;
};
/* So many accesses that begin at `first`, where the one before ended at `next`. */
void fth_in_time_count(struct fth_in_time *order, uint64_t next, uint64_t first, uint64_t accesses);
void fth_in_time_add(struct fth_in_time *sum, const struct fth_in_time *more);

/* The accesses of one thread to a file, all but the first of which are in `order`. */
struct fth_in_time_span {
    int64_t began, ended; /* ns: of the first access; not before the end of any */
    uint64_t first, next; /* bytes: where the first one begins, and the last one ends */
    struct fth_in_time order;
    uint32_t proc, thread;
    bool begun;
};

/* Of a file whose accesses come in order of time, the call that is still under way longest, and the
 * one of another thread that is so. */
struct fth_in_time_busy {
    int64_t until;
    uint32_t proc, thread;
    bool known;
};

enum { FTH_IN_TIME_SPANS = 64 };

/* A file of the run. */
struct fth_in_time_file {
    uint64_t processes, accesses;
    struct fth_in_time each; /* each thread by itself; first accesses are consecutive */
    struct fth_in_time all;  /* in order of time over all of them, once that is known */
    uint64_t beside;         /* of these: began while a call of another thread was under way */
    bool known;              /* `all` and `beside` are */
    bool mixed;              /* they have to be gone through in order of time */
    size_t span_count;       /* of threads; those beyond FTH_IN_TIME_SPANS are not kept */
    struct fth_in_time_span *spans; /* in order of processes, then by the time they began */
    size_t proc_count;
    uint32_t *procs;
    /* where they stand */
    bool begun;
    uint64_t next;
    struct fth_in_time_busy busy[2];
};

/* ns that the clocks of two processes may be apart; INT64_MAX: nobody knows. */
typedef int64_t fth_in_time_error(const void *context, uint32_t proc, uint32_t other);

/* Puts the threads of a file behind one another, if the time of none overlaps that of another
 * one. */
void fth_in_time_join(struct fth_in_time_file *file, fth_in_time_error *error, const void *context);
/* The next access in order of time. */
void fth_in_time_next(struct fth_in_time_file *file, const struct fth_in_time_span *access,
                      fth_in_time_error *error, const void *context);
void fth_in_time_free(struct fth_in_time_file *file);

#endif
