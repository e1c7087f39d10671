/* How the accesses of a process to a file follow one another, one at a time. Inner header of the
 * pass of patterns.
 *
 * Of two accesses, one after the other, the second is *consecutive* if it begins where the first
 * one ended, *monotonic* if it begins behind that, and else *random* (Chen Wang, Parallel File
 * System with Tunable Consistency, 2022, 4.6: local view; the first access counts as consecutive).
 * Monotonic and random ones are *strided* if they are as far behind the beginning of the one before
 * as that was behind its own. Accesses that are consecutive, or strided, are a *row*; what begins a
 * row is *nested* if the row before had as many accesses as the one before that, and begun as far
 * behind it. */
#ifndef FTH_ANALYSIS_RHYTHM_H
#define FTH_ANALYSIS_RHYTHM_H

#include <stdbool.h>
#include <stdint.h>

/* How many accesses are what. */
struct fth_rhythm_counts {
    uint64_t consecutive, strided, nested, monotonic, random;
    uint64_t in_rows; /* of nested rows */
    uint64_t stride;  /* of the last strided ones; strides differ: UINT64_MAX */
};

/* Where a process is. All zero: it has not begun. */
struct fth_rhythm {
    bool begun, goes;     /* goes: `step` is known */
    uint64_t last, next;  /* where the access before began, and ended */
    int64_t distance;     /* between the beginnings of the last two */
    int64_t step;         /* from one access of a row to the next; FTH_IN_A_ROW */
    uint64_t row, before; /* accesses of this row so far, and of the row before */
    uint64_t row_begins;  /* where this row does */
    int64_t jump;         /* from the beginning of the row before to that */
};

/* An access of `length` bytes from `first` on; or several, each as far behind the one before as
 * this one is. */
void fth_rhythm_follow(struct fth_rhythm *rhythm, struct fth_rhythm_counts *counts, uint64_t first,
                       uint64_t length, uint64_t calls);
void fth_rhythm_add(struct fth_rhythm_counts *sum, const struct fth_rhythm_counts *more);

#endif
