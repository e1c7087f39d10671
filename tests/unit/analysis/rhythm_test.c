/* How accesses follow one another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/passes/rhythm.h"

static struct fth_rhythm rhythm;
static struct fth_rhythm_counts counts;

static int begin(void **state)
{
    (void)state;
    rhythm = (struct fth_rhythm){0};
    counts = (struct fth_rhythm_counts){0};
    return 0;
}

static void at(uint64_t first, uint64_t length)
{
    fth_rhythm_follow(&rhythm, &counts, first, length, 1);
}

static void holds(uint64_t consecutive, uint64_t strided, uint64_t nested, uint64_t monotonic,
                  uint64_t random)
{
    assert_int_equal(counts.consecutive, consecutive);
    assert_int_equal(counts.strided, strided);
    assert_int_equal(counts.nested, nested);
    assert_int_equal(counts.monotonic, monotonic);
    assert_int_equal(counts.random, random);
}

static void one_behind_the_other(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        at(i * (i + 1) / 2, i + 1); /* each longer than the one before */
    holds(10, 0, 0, 0, 0);
}

static void one_stride(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++)
        at(100 * i, 10);
    holds(1, 8, 0, 1, 0);
    assert_int_equal(counts.stride, 100);
}

static void one_stride_backwards(void **state)
{
    (void)state;
    for (uint64_t i = 10; i-- > 0;)
        at(100 * i, 10);
    holds(1, 8, 0, 0, 1);
    assert_int_equal(counts.stride, 0);
}

/* 5 rows of 4, of a matrix: the second row begins wherever it does, the other three as far from the
 * one before. */
static void strides_in_strides(void **state)
{
    (void)state;
    for (uint64_t row = 0; row < 5; row++)
        for (uint64_t i = 0; i < 4; i++)
            at(10000 * row + 100 * i, 10);
    holds(1, 2 + 4 * 3, 3, 1 + 1, 0);
    assert_int_equal(counts.in_rows, 3 * 4);
}

static void blocks_in_strides(void **state)
{
    (void)state;
    for (uint64_t row = 0; row < 5; row++)
        for (uint64_t i = 0; i < 4; i++)
            at(10000 * row + 100 * i, 100);
    holds(5 * 4 - 4, 0, 3, 1, 0);
}

static void rows_of_different_lengths_are_not_nested(void **state)
{
    (void)state;
    for (uint64_t row = 0; row < 5; row++)
        for (uint64_t i = 0; i < 4 + row; i++)
            at(10000 * row + 100 * i, 100);
    assert_int_equal(counts.nested, 0);
}

static void another_stride(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4; i++)
        at(100 * i, 10);
    for (uint64_t i = 0; i < 4; i++)
        at(1000 + 500 * i, 10);
    holds(1, 2 + 2, 0, 3, 0);
    assert_int_equal(counts.stride, UINT64_MAX);
}

static void here_and_there(void **state)
{
    (void)state;
    static const uint64_t places[] = {500, 20, 900, 300, 4000, 100};
    for (size_t i = 0; i < 6; i++)
        at(places[i], 10);
    holds(1, 0, 0, 2, 3);
}

/* Several at once are what they are one by one. */
static void many_at_once(void **state)
{
    for (uint64_t step = 10; step <= 100; step += 90) {
        struct fth_rhythm_counts one_by_one;
        begin(state);
        for (uint64_t i = 0; i < 20; i++)
            at(7 + step * i, 10);
        one_by_one = counts;
        begin(state);
        at(7, 10);
        at(7 + step, 10);
        fth_rhythm_follow(&rhythm, &counts, 7 + 2 * step, 10, 18);
        assert_memory_equal(&counts, &one_by_one, sizeof counts);
        assert_int_equal(rhythm.next, 7 + 19 * step + 10);
        assert_int_equal(rhythm.row, 20);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(one_behind_the_other), TEST(one_stride),
        TEST(one_stride_backwards), TEST(strides_in_strides),
        TEST(blocks_in_strides),    TEST(rows_of_different_lengths_are_not_nested),
        TEST(another_stride),       TEST(here_and_there),
        TEST(many_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
