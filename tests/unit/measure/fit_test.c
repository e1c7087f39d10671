/* Lines and quartiles of made-up data, of which the answer is known. */
#include "measure/fit.h"
#include "measure/statistics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIZES = 12 };

/* 5 us and 2 GB/s, each point off by `error` upwards or downwards by turns. */
static void make(struct fth_point *points, double constant, double slope, double error)
{
    for (int i = 0; i < SIZES; i++) {
        points[i].bytes = 1024 * (double)(1 << i);
        points[i].time = (constant + slope * points[i].bytes) * (i % 2 ? 1 + error : 1 - error);
        points[i].constants = 1;
    }
}

static void exact_data_give_their_line(void **state)
{
    (void)state;
    struct fth_point points[SIZES];
    make(points, 5000, 0.5, 0);
    struct fth_fit_line line = fth_fit_line(points, SIZES);
    assert_float_equal(line.constant, 5000, 1e-3);
    assert_float_equal(line.slope, 0.5, 1e-8);
    struct fth_comparison comparison = {0};
    fth_fit_compare_line(&comparison, points, SIZES, &line);
    assert_float_equal(comparison.residual.mean, 0, 1e-8);
}

static void noise_is_reported_as_residual(void **state)
{
    (void)state;
    struct fth_point points[SIZES];
    make(points, 5000, 0.5, 0.05);
    struct fth_fit_line line = fth_fit_line(points, SIZES);
    assert_float_equal(line.constant, 5000, 250);
    assert_float_equal(line.slope, 0.5, 0.025);
    struct fth_comparison comparison = {0};
    fth_fit_compare_line(&comparison, points, SIZES, &line);
    assert_in_range((int)(comparison.residual.mean * 1000), 40, 60);
}

/* A large error of one point must not bend what the small ones say. */
static void errors_are_relative(void **state)
{
    (void)state;
    struct fth_point points[SIZES];
    make(points, 5000, 0.5, 0);
    points[SIZES - 1].time *= 1.1;
    struct fth_fit_line line = fth_fit_line(points, SIZES);
    assert_float_equal(line.constant, 5000, 100);
    struct fth_comparison comparison = {0};
    fth_fit_compare_line(&comparison, points, SIZES, &line);
    assert_true(comparison.residual.at.bytes == points[SIZES - 1].bytes);
    assert_true(comparison.residual.worst < 0);
}

/* Reads that take four times as long as writes: the line is twice as far from both. */
static void the_middle_is_that_of_ratios(void **state)
{
    (void)state;
    struct fth_point points[2 * SIZES];
    make(points, 1000, 0.25, 0);
    make(points + SIZES, 4000, 1, 0);
    struct fth_fit_line line = fth_fit_line(points, 2 * SIZES);
    assert_float_equal(line.constant, 2000, 100);
    assert_float_equal(line.slope, 0.5, 0.025);
}

static void neither_part_is_negative(void **state)
{
    (void)state;
    struct fth_point falling[] = {{1024, 3000, 1}, {4096, 2000, 1}, {65536, 1000, 1}};
    struct fth_fit_line line = fth_fit_line(falling, 3);
    assert_true(line.slope >= 0 && line.constant > 0);
    struct fth_point steep[] = {{1024, 10, 1}, {4096, 1000, 1}, {65536, 100000, 1}};
    line = fth_fit_line(steep, 3);
    assert_true(line.constant >= 0 && line.slope > 0);
}

static void one_size_tells_no_slope(void **state)
{
    (void)state;
    struct fth_point same[] = {{4096, 100, 1}, {4096, 100, 1}, {4096, 100, 1}};
    struct fth_fit_line line = fth_fit_line(same, 3);
    assert_float_equal(line.constant, 100, 1e-9);
    assert_float_equal(line.slope, 0, 1e-12);
    line = fth_fit_line(NULL, 0);
    assert_float_equal(fth_line_time(&line, &same[0]), 0, 1e-12);
}

/* A message that asks first takes its way three times. */
static void constants_may_count_more_than_once(void **state)
{
    (void)state;
    struct fth_point points[SIZES];
    make(points, 5000, 0.5, 0);
    for (int i = SIZES / 2; i < SIZES; i++) {
        points[i].constants = 3;
        points[i].time += 2 * 5000;
    }
    struct fth_fit_line line = fth_fit_line(points, SIZES);
    assert_float_equal(line.constant, 5000, 1e-3);
    assert_float_equal(line.slope, 0.5, 1e-8);
    assert_float_equal(fth_line_time(&line, &points[SIZES - 1]), points[SIZES - 1].time, 1e-3);
}

static void a_known_half_leaves_the_other(void **state)
{
    (void)state;
    struct fth_point points[SIZES];
    make(points, 8000, 0.25, 0);
    assert_float_equal(fth_fit_constant(points, SIZES, 0.25).constant, 8000, 1e-3);
    assert_float_equal(fth_fit_slope(points, SIZES, 8000).slope, 0.25, 1e-8);
}

/* The example of Kunkel 2013, section 3.1.2: the quartiles of (3, 5, 4, 2, 4) are 3, 4 and 4. */
static void quartiles_are_values_themselves(void **state)
{
    (void)state;
    struct fth_timings timings = {0};
    assert_float_equal(fth_timings_quartiles(&timings).median, 0, 1e-12);
    const double values[] = {3, 5, 4, 2, 4};
    for (int i = 0; i < 5; i++)
        fth_timings_add(&timings, values[i]);
    struct fth_quartiles quartiles = fth_timings_quartiles(&timings);
    assert_float_equal(quartiles.least, 2, 1e-12);
    assert_float_equal(quartiles.first, 3, 1e-12);
    assert_float_equal(quartiles.median, 4, 1e-12);
    assert_float_equal(quartiles.third, 4, 1e-12);
    assert_float_equal(quartiles.most, 5, 1e-12);
    fth_timings_free(&timings);
}

static void means_count_what_is_late(void **state)
{
    (void)state;
    struct fth_timings timings = {0};
    assert_float_equal(fth_timings_mean(&timings), 0, 0);
    for (int i = 0; i < 3; i++)
        fth_timings_add(&timings, 10);
    fth_timings_add(&timings, 90);
    assert_float_equal(fth_timings_mean(&timings), 30, 1e-9);
    assert_float_equal(fth_timings_quartiles(&timings).first, 10, 0);
    fth_timings_free(&timings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_data_give_their_line),
        cmocka_unit_test(noise_is_reported_as_residual),
        cmocka_unit_test(errors_are_relative),
        cmocka_unit_test(the_middle_is_that_of_ratios),
        cmocka_unit_test(neither_part_is_negative),
        cmocka_unit_test(one_size_tells_no_slope),
        cmocka_unit_test(constants_may_count_more_than_once),
        cmocka_unit_test(a_known_half_leaves_the_other),
        cmocka_unit_test(means_count_what_is_late),
        cmocka_unit_test(quartiles_are_values_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
