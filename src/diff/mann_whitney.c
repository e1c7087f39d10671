/* Ranks are doubled, so that the mean rank of equal values is an integer. ways[k][s] is the number
 * of ways to choose k of the values so far whose ranks add up to s; numbers beyond 2^53 are
 * rounded, which the quotient of two of them hardly shows. */
#include "diff/mann_whitney.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_EXACT = 50 }; /* values on both sides */

struct value {
    int64_t value;
    bool of_a;
    size_t rank; /* doubled */
};

static int compare(const void *one, const void *other)
{
    const struct value *a = one, *b = other;
    return (a->value > b->value) - (a->value < b->value);
}

/* Gives equal values their mean rank. Returns the sum of t^3 - t over groups of t equal ones. */
static double rank(struct value *values, size_t count)
{
    double ties = 0;
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && values[end].value == values[i].value; end++)
            ;
        for (size_t k = i; k < end; k++)
            values[k].rank = i + 1 + end;
        double equal = (double)(end - i);
        ties += equal * equal * equal - equal;
    }
    return ties;
}

static double exact(const struct value *values, size_t count, size_t of_a, size_t sum)
{
    size_t whole = count * (count + 1), width = whole + 1;
    double *ways = fth_new((of_a + 1) * width, sizeof *ways), all = 0, as_far = 0;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = of_a; k > 0; k--)
            for (size_t s = whole; s >= values[i].rank; s--)
                ways[k * width + s] += ways[(k - 1) * width + s - values[i].rank];
    double mean = (double)(of_a * (count + 1)), distance = fabs((double)sum - mean);
    for (size_t s = 0; s <= whole; s++) {
        all += ways[of_a * width + s];
        if (fabs((double)s - mean) >= distance)
            as_far += ways[of_a * width + s];
    }
    free(ways);
    return as_far / all;
}

/* With a correction for continuity, and for equal values. */
static double normal(size_t count, size_t of_a, size_t sum, double ties)
{
    double n = (double)count, a = (double)of_a, b = n - a,
           deviation = sqrt(a * b / 12 * (n + 1 - ties / (n * (n - 1)))),
           distance = fabs((double)sum - a * (n + 1)) / 2 - 0.5;
    if (!(deviation > 0) || distance <= 0)
        return 1;
    return erfc(distance / deviation / sqrt(2));
}

double fth_diff_mann_whitney(const int64_t *a, size_t a_count, const int64_t *b, size_t b_count)
{
    size_t count = a_count + b_count, sum = 0;
    if (!a_count || !b_count)
        return 1;
    struct value *values = fth_new(count, sizeof *values);
    for (size_t i = 0; i < a_count; i++)
        values[i] = (struct value){a[i], true, 0};
    for (size_t i = 0; i < b_count; i++)
        values[a_count + i] = (struct value){b[i], false, 0};
    double ties = rank(values, count);
    for (size_t i = 0; i < count; i++)
        sum += values[i].of_a ? values[i].rank : 0;
    double p = count <= MOST_EXACT ? exact(values, count, a_count, sum)
                                   : normal(count, a_count, sum, ties);
    free(values);
    return p;
}

double fth_diff_mann_whitney_least(size_t a_count, size_t b_count)
{
    double ways = 1; /* to choose a of a + b */
    for (size_t i = 1; i <= a_count; i++)
        ways *= (double)(b_count + i) / (double)i;
    return ways > 2 ? 2 / ways : 1;
}
