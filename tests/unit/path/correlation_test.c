/* Correlations, with coefficients and levels of significance reckoned by hand. */
#include "path/correlation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double of(const double pairs[][2], size_t count)
{
    struct fth_correlation sums = {0};
    for (size_t i = 0; i < count; i++)
        fth_correlation_add(&sums, pairs[i][0], pairs[i][1]);
    return fth_correlation_of(&sums);
}

static void coefficients(void **state)
{
    (void)state;
    static const double line[][2] = {{1, 10}, {2, 20}, {3, 30}},
                        down[][2] = {{1, 30}, {2, 20}, {3, 10}},
                        square[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                        same[][2] = {{1, 1}, {1, 2}, {1, 3}},
                        some[][2] = {{0, 0}, {1, 2}, {2, 1}, {3, 3}};
    assert_true(fabs(of(line, 3) - 1) < 1e-9);
    assert_true(fabs(of(down, 3) + 1) < 1e-9);
    assert_true(fabs(of(square, 4) - 0) < 1e-9);
    assert_true(fabs(of(same, 3) - 0) < 1e-9); /* not defined */
    assert_true(fabs(of(line, 2) - 0) < 1e-9); /* two points are always on a line */
    assert_true(fabs(of(some, 4) - 0.8) < 1e-9);
}

/* atanh(0.29) = 0.2986, atanh(0.5) = 0.5493, atanh(0.9) = 1.4722: significant from n - 3 = (2.576 /
 * atanh)^2 on. */
static void strengths(void **state)
{
    (void)state;
    assert_null(fth_correlation_strength(0.29, 77));
    assert_string_equal(fth_correlation_strength(0.29, 78), "weakly");
    assert_null(fth_correlation_strength(0.5, 24));
    assert_string_equal(fth_correlation_strength(0.5, 25), "moderately");
    assert_null(fth_correlation_strength(0.9, 6));
    assert_string_equal(fth_correlation_strength(0.9, 7), "strongly");
    assert_string_equal(fth_correlation_strength(1, 4), "strongly");
    assert_null(fth_correlation_strength(1, 3));
    assert_null(fth_correlation_strength(0, 1000000));
    assert_null(fth_correlation_strength(-0.9, 1000000)); /* the opposite of what is claimed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients),
        cmocka_unit_test(strengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
