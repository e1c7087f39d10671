/* How accesses of several threads follow one another in time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/passes/in_time.h"

static struct fth_in_time_file file;
static int64_t apart; /* ns that clocks of different processes may be */

static int64_t error(const void *context, uint32_t proc, uint32_t other)
{
    (void)context;
    return proc == other ? 0 : apart;
}

static int begin(void **state)
{
    (void)state;
    file = (struct fth_in_time_file){0};
    apart = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    fth_in_time_free(&file);
    return 0;
}

static void access_at(uint32_t proc, int64_t began, int64_t ended, uint64_t first, uint64_t next)
{
    const struct fth_in_time_span span = {
        .proc = proc, .began = began, .ended = ended, .first = first, .next = next};
    fth_in_time_next(&file, &span, error, NULL);
}

static void holds(uint64_t consecutive, uint64_t ahead, uint64_t back, uint64_t beside)
{
    assert_int_equal(file.all.consecutive, consecutive);
    assert_int_equal(file.all.ahead, ahead);
    assert_int_equal(file.all.back, back);
    assert_int_equal(file.beside, beside);
}

static void in_turn(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++)
        access_at(i % 3, 10 * i, 10 * i + 10, 100 * i, 100 * i + 100);
    holds(12, 0, 0, 0);
}

static void each_its_own_part(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++)
        access_at(i % 2, 10 * i, 10 * i + 5, 1000 * (i % 2) + 10 * (i / 2),
                  1000 * (i % 2) + 10 * (i / 2) + 10);
    holds(1, 6, 5, 0);
}

/* Two that begin while the first one of another process is under way, the second of which is not
 * the one right behind it. */
static void beside_others(void **state)
{
    (void)state;
    access_at(0, 0, 100, 0, 10);
    access_at(1, 10, 20, 10, 20);
    access_at(1, 30, 40, 20, 30);
    access_at(1, 100, 110, 30, 40);
    holds(4, 0, 0, 2);
}

static void beside_oneself(void **state)
{
    (void)state;
    access_at(0, 0, 100, 0, 10);
    access_at(0, 50, 60, 10, 20); /* of a signal handler */
    access_at(1, 70, 80, 20, 30);
    access_at(0, 75, 90, 30, 40);
    holds(4, 0, 0, 2);
}

static void skewed_clocks(void **state)
{
    (void)state;
    apart = 50;
    access_at(0, 0, 10, 0, 10);
    access_at(1, 59, 70, 10, 20);
    access_at(0, 120, 130, 20, 30);
    access_at(0, 131, 140, 30, 40);
    apart = INT64_MAX;
    access_at(1, 100000, 100010, 40, 50);
    holds(5, 0, 0, 2);
}

static void add_span(uint32_t proc, int64_t began, int64_t ended, uint64_t first, uint64_t next)
{
    file.spans = realloc(file.spans, (file.span_count + 1) * sizeof *file.spans);
    assert_non_null(file.spans);
    file.spans[file.span_count++] = (struct fth_in_time_span){.proc = proc,
                                                              .began = began,
                                                              .ended = ended,
                                                              .first = first,
                                                              .next = next,
                                                              .begun = true,
                                                              .order = {.consecutive = 9}};
}

static void one_after_the_other(void **state)
{
    (void)state;
    add_span(0, 500, 600, 0, 100);
    add_span(1, 0, 100, 0, 100);
    add_span(2, 200, 300, 100, 200);
    fth_in_time_join(&file, error, NULL);
    assert_true(file.known);
    assert_false(file.mixed);
    holds(29, 0, 1, 0);
}

static void overlapping_spans(void **state)
{
    (void)state;
    add_span(0, 0, 100, 0, 100);
    add_span(1, 99, 200, 0, 100);
    fth_in_time_join(&file, error, NULL);
    assert_true(file.mixed);
    assert_false(file.known);
}

static void spans_within_the_clocks_error(void **state)
{
    (void)state;
    apart = 10;
    add_span(0, 0, 100, 0, 100);
    add_span(1, 105, 200, 0, 100);
    fth_in_time_join(&file, error, NULL);
    assert_true(file.mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(in_turn, begin, end),
        cmocka_unit_test_setup_teardown(each_its_own_part, begin, end),
        cmocka_unit_test_setup_teardown(beside_others, begin, end),
        cmocka_unit_test_setup_teardown(beside_oneself, begin, end),
        cmocka_unit_test_setup_teardown(skewed_clocks, begin, end),
        cmocka_unit_test_setup_teardown(one_after_the_other, begin, end),
        cmocka_unit_test_setup_teardown(overlapping_spans, begin, end),
        cmocka_unit_test_setup_teardown(spans_within_the_clocks_error, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
