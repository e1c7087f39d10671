/* The test of Mann and Whitney: known probabilities, and those of all ways to deal the values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff/mann_whitney.h"

#include <math.h>

enum { MOST = 12 };

static void assert_probability(double found, double expected)
{
    if (fabs(found - expected) > 1e-9)
        fail_msg("%.12g instead of %.12g", found, expected);
}

static void sides_that_do_not_overlap(void **state)
{
    (void)state;
    const int64_t a[] = {3, 1, 2, 5, 4}, b[] = {60, 90, 80, 70, 100};
    assert_probability(fth_diff_mann_whitney(a, 3, b, 3), 2.0 / 20);
    assert_probability(fth_diff_mann_whitney(a, 4, b, 4), 2.0 / 70);
    assert_probability(fth_diff_mann_whitney(b, 5, a, 5), 2.0 / 252);
    assert_probability(fth_diff_mann_whitney(a, 1, b, 1), 1);
    assert_probability(fth_diff_mann_whitney_least(3, 3), 0.1);
    assert_probability(fth_diff_mann_whitney_least(4, 4), 2.0 / 70);
    assert_probability(fth_diff_mann_whitney_least(1, 1), 1);
}

/* Table of Mann and Whitney (1947) for n = m = 4: one side is at most 1 with 2 of 70, so 4 / 70 of
 * both sides. */
static void published_value(void **state)
{
    (void)state;
    const int64_t a[] = {1, 2, 3, 5}, b[] = {4, 6, 7, 8};
    assert_probability(fth_diff_mann_whitney(a, 4, b, 4), 4.0 / 70);
}

static void equal_values_say_nothing(void **state)
{
    (void)state;
    const int64_t a[] = {7, 7, 7, 7, 7}, b[] = {7, 7, 7, 7};
    assert_probability(fth_diff_mann_whitney(a, 5, b, 4), 1);
    assert_probability(fth_diff_mann_whitney(a, 5, b, 0), 1);
}

/* ---- against all ways ---- */

static double rank_sum(const int64_t *values, size_t count, uint32_t of_a)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double rank = 0.5;
        for (size_t k = 0; k < count; k++)
            rank += values[k] < values[i] ? 1 : values[k] == values[i] ? 0.5 : 0;
        sum += of_a >> i & 1 ? rank : 0;
    }
    return sum;
}

static double by_all_ways(const int64_t *values, size_t count, size_t of_a)
{
    double mean = (double)of_a * (double)(count + 1) / 2,
           apart = fabs(rank_sum(values, count, (1u << of_a) - 1) - mean), all = 0, as_far = 0;
    for (uint32_t chosen = 0; chosen < 1u << count; chosen++)
        if ((size_t)__builtin_popcount(chosen) == of_a) {
            all++;
            as_far += fabs(rank_sum(values, count, chosen) - mean) >= apart - 1e-9;
        }
    return as_far / all;
}

static void few_values_with_equal_ones(void **state)
{
    (void)state;
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 300; i++) {
        int64_t values[MOST];
        size_t count = 2 + (size_t)i % (MOST - 1), of_a = 1 + (size_t)i / 11 % (count - 1);
        for (size_t k = 0; k < count; k++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            values[k] = (int64_t)(random % (i % 2 ? 4 : 1000)) - 2;
        }
        assert_probability(fth_diff_mann_whitney(values, of_a, values + of_a, count - of_a),
                           by_all_ways(values, count, of_a));
    }
}

/* From 51 values on it is the normal distribution, which is close to the exact one. */
static void many_values(void **state)
{
    (void)state;
    int64_t a[26], b[26];
    for (int64_t i = 0; i < 26; i++) {
        a[i] = 10 * i;
        b[i] = 10 * i + 45;
    }
    double exact = fth_diff_mann_whitney(a, 25, b, 25),
           normal = fth_diff_mann_whitney(a, 26, b, 26);
    assert_true(exact > 0.02 && exact < 0.2);
    assert_true(fabs(exact - normal) < 0.02);
    for (size_t i = 0; i < 26; i++)
        b[i] += 1000;
    assert_true(fth_diff_mann_whitney(a, 26, b, 26) < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_that_do_not_overlap),
        cmocka_unit_test(published_value),
        cmocka_unit_test(equal_values_say_nothing),
        cmocka_unit_test(few_values_with_equal_ones),
        cmocka_unit_test(many_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
