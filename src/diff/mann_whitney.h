/* Whether two sides of measured values differ by more than noise: the test of Mann and Whitney
 * (1947), which asks nothing of how values are distributed. Of few values the probability is exact,
 * also where some are equal: all ways to deal the values to the sides are counted (the shift
 * algorithm of Streitberg and Roehmel, 1986). Of many it is that of the normal distribution. */
#ifndef FTH_DIFF_MANN_WHITNEY_H
#define FTH_DIFF_MANN_WHITNEY_H

#include <stddef.h>
#include <stdint.h>

/* The probability, from 0 to 1, of ranks that are as far apart as these, in either direction, if
 * both sides were drawn from one distribution. A side without values: 1. */
double fth_diff_mann_whitney(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count);
/* The smallest that there can be with so many values: where it is above the level of a test, that
 * test says nothing. */
double fth_diff_mann_whitney_least(size_t a_count, size_t b_count);

#endif
