/* Which accesses to a file have bytes in common. Inner header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_CONFLICT_H
#define FTH_VERIFY_COMPARE_CONFLICT_H

#include "verify/gather/run_accesses.h"

/* `pairs` pairs of accesses of situations a and b have a byte in common, and at least one of each
 * pair writes; [start, end) are bytes that one of these pairs has in common. A pair of situations
 * may come several times. a == b: two accesses of one situation. `call_a`, `call_b`: the two
 * calls of that example, as in fth_access_range. */
struct fth_conflict {
    uint32_t a, b;
    uint64_t pairs;
    uint64_t start, end;
    uint32_t call_a, call_b;
};
typedef void fth_conflict_take(void *context, const struct fth_conflict *conflict);

/* A range of one access, or of several equal ones of a situation. */
struct fth_sweep_unit {
    uint64_t start, end;
    uint32_t situation;
    uint32_t call; /* as in fth_access_range */
    uint64_t times;
    uint32_t row; /* that it is part of + 1, or 0 */
};

/* Accesses of one thread to the same bytes, each of another situation: all read, or all write, and
 * each one's calls are over before those of the next one begin (a file that is opened again and
 * again). Their ranges may have no end: then all are at the end of the file, and stand for the same
 * of the two sides of such a write, or none is. */
struct fth_conflict_row {
    const struct fth_sweep_unit *units;
    size_t count;
    bool is_unsure; /* one of them is; of writes to the end of the file only */
    bool shares;    /* one of them has the same open file as one of another row */
    /* They differ in nothing but when they were, and each one is over, so those of another process
     * that they are in order with are found by halving. */
    bool is_even;
};
/* Each access of the one row has bytes in common with each of the other one, which is of the same
 * thread, or of another process if both are even; or, if they are the same row, with those behind
 * it. Writes to the end of the file are pairs in some orders only (fth_append_positions_is_pair).
 * [start, end): the bytes that they have in common. */
struct fth_conflict_rows {
    struct fth_conflict_row a, b;
    uint64_t start, end;
};

struct fth_conflict_listener {
    fth_conflict_take *take;
    void (*take_rows)(void *context, const struct fth_conflict_rows *rows);
    void *context;
    bool takes_rows_apart; /* rows of two processes */
};

/* Accesses of a run sorted by file, for those layers whose bit is set
 * (fth_accesses_wanted.layers). File `file_count` + n has the holes of file n, and what was read
 * there. */
struct fth_conflict_files;
struct fth_conflict_files *fth_conflict_files_new(const struct fth_run_accesses *accesses,
                                                  uint32_t file_count, unsigned layers);
/* Ranges and series of one file. */
uint64_t fth_conflict_files_size(const struct fth_conflict_files *files, uint32_t file);
void fth_conflict_files_free(struct fth_conflict_files *files);

/* The accesses of one file, sorted. */
struct fth_conflict_file *fth_conflict_file_open(const struct fth_conflict_files *files,
                                                 uint32_t number);
/* All its conflicts are those of its slices, which several threads may be at. */
size_t fth_conflict_slices(const struct fth_conflict_file *file);
/* Finds the conflicts of a slice: by a sweep over its ranges in order of their offsets, O(n log n +
 * pairs) where accesses are irregular; rows meet each other as a whole. Series of strided accesses
 * meet each other, and single ranges, by arithmetic: O(log) however many accesses they are. */
void fth_conflict_find(const struct fth_conflict_file *file, size_t slice,
                       const struct fth_conflict_listener *listener);
void fth_conflict_file_close(struct fth_conflict_file *file);

#endif
