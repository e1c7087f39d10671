/* A sweep over the accesses of one file: single ranges (access_sweep.c), and series of them
 * (sweep_series.c). Inner header of the verify room. */
#ifndef FTH_VERIFY_COMPARE_ACCESS_SWEEP_H
#define FTH_VERIFY_COMPARE_ACCESS_SWEEP_H

#include "verify/compare/conflict.h"

/* A series between its first byte and its last one. */
struct fth_box {
    uint64_t start, end;
    const struct fth_access_series *series;
    uint32_t part_of; /* its call has other pieces, too: number of the call + 1, or 0 */
    size_t like;      /* behind the last one of its kind in a row (are_alike) */
    size_t unit;      /* of those without end: its place among them + 1; else 0 */
    size_t number;    /* in order of who put it there */
};

struct fth_units {
    struct fth_sweep_unit *units;
    size_t count;
    uint64_t longest;
    struct fth_conflict_row *rows;
    size_t row_count;
};

struct fth_conflict_file {
    struct fth_access_series *endless;
    size_t endless_count;
    const struct fth_situation *situations;
    bool is_of_holes; /* of which no two make a pair */
    struct fth_units writes, reads;
    struct fth_units open; /* boxes without end; those of a row are boxes one behind the other */
    struct fth_box *boxes;
    size_t box_count;
    /* of the first range of each, for pairs that are seen: units come before */
    uint64_t *box_names;
    size_t *box_slices; /* where each of them ends */
    size_t box_slice_count;
};

/* What a sweep over a slice of a file has at hand. Conflicts of the same two situations often come
 * one after the other: a small table adds them up before they are reported. */
enum { FTH_MOST_SUMS = 1 << 12 };
struct fth_sweep {
    const struct fth_conflict_file *file;
    const struct fth_conflict_listener *listener;
    struct fth_conflict *sums; /* pairs 0: empty */
    uint32_t sum_count;        /* a power of two */
};

/* Reports a sum, and empties it. */
static inline void fth_sweep_report(struct fth_sweep *sweep, struct fth_conflict *sum)
{
    if (sum->pairs)
        sweep->listener->take(sweep->listener->context, sum);
    sum->pairs = 0;
}

/* Where pairs of these two situations are added up, or others that have the same place. */
static inline struct fth_conflict *fth_sweep_sum(const struct fth_sweep *sweep, uint32_t a,
                                                 uint32_t b)
{
    return &sweep->sums[(a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> 20 & (sweep->sum_count - 1)];
}

static inline bool fth_sum_is_of(const struct fth_conflict *sum, uint32_t a, uint32_t b)
{
    return sum->pairs && sum->a == a && sum->b == b;
}

/* Adds `pairs` pairs of two situations. The example's bytes are those of the first pair that is
 * added. */
static inline void fth_sweep_add(struct fth_sweep *sweep, uint32_t a, uint32_t b, uint64_t pairs,
                                 uint64_t start, uint64_t end, uint32_t call_a, uint32_t call_b)
{
    struct fth_conflict *sum = fth_sweep_sum(sweep, a, b);
    if (fth_sum_is_of(sum, a, b)) {
        sum->pairs += pairs;
        return;
    }
    fth_sweep_report(sweep, sum);
    *sum = (struct fth_conflict){a, b, pairs, start, end, call_a, call_b};
}

/* Puts units that are in order into rows, as far as there are long ones; those of a row come one
 * behind the other (range_rows.c). */
void fth_units_find_rows(struct fth_units *units, const struct fth_situation *situations);
/* The same of units that stay where they are: in order of places, threads and situations. */
void fth_units_find_rows_in_order(struct fth_units *units, const struct fth_situation *situations);
/* Settles which rows share open files, when all are found. */
void fth_rows_settle(struct fth_conflict_file *file);
/* Are the units of these rows taken as rows, not one by one? */
bool fth_rows_meet(const struct fth_sweep *sweep, const struct fth_conflict_row *a,
                   const struct fth_conflict_row *b);

/* Place of the first unit that starts at `start` or behind it. */
size_t fth_units_from(const struct fth_units *units, uint64_t start);

/* All pairs of which the one that begins first is among these places. */
void fth_sweep_writes(struct fth_sweep *sweep, size_t from, size_t to);
void fth_sweep_reads(struct fth_sweep *sweep, size_t from, size_t to);

/* Boxes in order, and in slices; once. */
void fth_sweep_boxes_settle(struct fth_conflict_file *file);
/* All pairs of the boxes of a slice: with units, with each other, with boxes that begin later. */
void fth_sweep_boxes(struct fth_sweep *sweep, size_t slice);

#endif
