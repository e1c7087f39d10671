/* What is more than noise, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff/diff.h"

static const struct fth_diff_settings settings = FTH_DIFF_SETTINGS;

static struct fth_diff sides(size_t a, size_t b, bool tests)
{
    return (struct fth_diff){.settings = &settings, .counts = {a, b}, .tests = tests};
}

static enum fth_diff_verdict of_counts(size_t a, size_t b, bool tests, const int64_t *figures)
{
    struct fth_diff diff = sides(a, b, tests);
    struct fth_diff_value value;
    fth_diff_judge_count(&diff, figures, 0, &value);
    return value.verdict;
}

static enum fth_diff_verdict of_times(size_t a, size_t b, bool tests, const int64_t *figures)
{
    struct fth_diff diff = sides(a, b, tests);
    struct fth_diff_value value;
    fth_diff_judge_timed(&diff, figures, 10, &value);
    return value.verdict;
}

static void counts(void **state)
{
    (void)state;
    assert_int_equal(of_counts(1, 1, false, (int64_t[]){5, 5}), FTH_DIFF_SAME);
    assert_int_equal(of_counts(1, 1, false, (int64_t[]){5, 6}), FTH_DIFF_DIFFERS);
    assert_int_equal(of_counts(1, 1, false, (int64_t[]){0, 1}), FTH_DIFF_DIFFERS);
    assert_int_equal(of_counts(1, 1, false, (int64_t[]){1000, 1001}), FTH_DIFF_SMALL);
    assert_int_equal(of_counts(2, 2, false, (int64_t[]){5, 5, 6, 6}), FTH_DIFF_DIFFERS);
    assert_int_equal(of_counts(2, 2, false, (int64_t[]){5, 6, 7, 8}), FTH_DIFF_NOISE);
    assert_int_equal(of_counts(2, 2, false, (int64_t[]){5, 6, 70, 80}), FTH_DIFF_MAYBE);
    assert_int_equal(of_counts(4, 4, true, (int64_t[]){5, 6, 5, 6, 7, 8, 7, 8}), FTH_DIFF_DIFFERS);
    assert_int_equal(of_counts(4, 4, true, (int64_t[]){5, 6, 5, 6, 5, 8, 6, 8}), FTH_DIFF_NOISE);
}

static void times(void **state)
{
    (void)state;
    assert_int_equal(of_times(1, 1, false, (int64_t[]){100, 100}), FTH_DIFF_SAME);
    assert_int_equal(of_times(1, 1, false, (int64_t[]){100, 199}), FTH_DIFF_NOISE);
    assert_int_equal(of_times(1, 1, false, (int64_t[]){100, 201}), FTH_DIFF_MAYBE);
    assert_int_equal(of_times(1, 1, false, (int64_t[]){1, 9}),
                     FTH_DIFF_NOISE); /* below the floor */
    assert_int_equal(of_times(3, 3, false, (int64_t[]){100, 110, 500, 490, 1200, 1100}),
                     FTH_DIFF_NOISE); /* the sides overlap */
    assert_int_equal(of_times(3, 3, false, (int64_t[]){100, 113, 135, 190, 2200, 3100}),
                     FTH_DIFF_MAYBE);
    assert_int_equal(of_times(2, 2, false, (int64_t[]){100, 110, 120, 130}), FTH_DIFF_NOISE);
    assert_int_equal(of_times(4, 4, true, (int64_t[]){100, 101, 102, 103, 120, 121, 122, 123}),
                     FTH_DIFF_DIFFERS);
    assert_int_equal(of_times(4, 4, true, (int64_t[]){100, 101, 102, 125, 120, 121, 122, 123}),
                     FTH_DIFF_NOISE);
    assert_int_equal(of_times(4, 4, true, (int64_t[]){100, 101, 102, 103, 104, 105, 106, 107}),
                     FTH_DIFF_NOISE); /* too close to matter */
}

static void extremes(void **state)
{
    (void)state;
    assert_int_equal(of_counts(1, 1, false, (int64_t[]){INT64_MAX, 0}), FTH_DIFF_DIFFERS);
    assert_int_equal(of_times(1, 1, false, (int64_t[]){INT64_MAX, INT64_MIN}), FTH_DIFF_MAYBE);
    assert_int_equal(of_times(2, 2, false, (int64_t[]){INT64_MAX, INT64_MAX, INT64_MIN, 0}),
                     FTH_DIFF_MAYBE);
}

/* Of ten tests one with p = 0.03 is chance; of ten of which all have it, none is. */
static void many_tests(void **state)
{
    (void)state;
    struct fth_diff diff = sides(4, 4, true);
    struct fth_diff_value values[10], *list[10];
    for (int found = 1; found <= 10; found += 9) {
        for (int i = 0; i < 10; i++) {
            values[i] = (struct fth_diff_value){.p = i < found ? 0.03 : 0.5, .large = true};
            list[i] = &values[i];
        }
        fth_diff_judge_together(&diff, list, 10);
        assert_int_equal(values[0].verdict, found == 10 ? FTH_DIFF_DIFFERS : FTH_DIFF_NOISE);
        assert_int_equal(values[9].verdict, found == 10 ? FTH_DIFF_DIFFERS : FTH_DIFF_NOISE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(times),
        cmocka_unit_test(extremes),
        cmocka_unit_test(many_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
