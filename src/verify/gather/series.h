/* Arithmetic on ranges of bytes that repeat at equal distances: how many of one series meet how
 * many of another, without looking at them one by one.
 *
 * A series are `count` ranges of `length` bytes, the first one at `start`, each `stride` behind the
 * one before it. It is that of one call, which accesses all of them (a file view with holes), or
 * each range is a call of its own (a loop). What is counted are pairs of calls that have a byte in
 * common. */
#ifndef FTH_VERIFY_GATHER_SERIES_H
#define FTH_VERIFY_GATHER_SERIES_H

#include <stdbool.h>
#include <stdint.h>

/* Behind the last byte that a file can have: ranges that end here go on to the end of the file,
 * wherever that is. */
#define FTH_ENDLESS ((uint64_t)INT64_MAX)

/* start + stride * (count - 1) + length <= 2^63; length > 0, count > 0. Stride 0: the same range
 * again and again, or a single one. */
struct fth_series {
    uint64_t start, length, stride, count;
    bool one_call;
};

/* Behind its last byte. */
static inline uint64_t fth_series_end(const struct fth_series *series)
{
    return series->start + series->stride * (series->count - 1) + series->length;
}

/* Pairs (call of a, call of b) that have a byte in common. O(log of the strides). */
uint64_t fth_series_pairs(const struct fth_series *a, const struct fth_series *b);

/* Pairs of two different calls of one series. */
uint64_t fth_series_pairs_within(const struct fth_series *series);

/* A byte range that a range of `a` and one of `b` have in common, the lowest one: false if there is
 * none. O(ranges of the one that has fewer). */
bool fth_series_common(const struct fth_series *a, const struct fth_series *b, uint64_t *start,
                       uint64_t *end);

#endif
