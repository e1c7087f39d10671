/* Sums of times stay at the largest number, and durations are said without a sign that they have
 * not. */
#include "base/saturating.h"

#include "base/phrase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void sums_stay_in_range(void **state)
{
    (void)state;
    int64_t sum = 0;
    for (int i = 0; i < 20; i++)
        FTH_ADD_SATURATING(sum, (int64_t)1 << 60);
    assert_int_equal(sum, INT64_MAX);
    FTH_ADD_SATURATING(sum, -5);
    assert_int_equal(sum, INT64_MAX - 5);
    sum = -2;
    FTH_ADD_SATURATING(sum, INT64_MIN);
    assert_int_equal(sum, INT64_MIN);
    assert_int_equal(fth_saturating_product((int64_t)1 << 60, 3), 3 * ((int64_t)1 << 60));
    assert_int_equal(fth_saturating_product((int64_t)1 << 60, 9), INT64_MAX);
    assert_int_equal(fth_saturating_product(-((int64_t)1 << 60), 9), INT64_MIN);
}

static void large_durations_are_said(void **state)
{
    (void)state;
    assert_string_equal(fth_phrase_duration(INT64_MAX).text, "2562047 h 47 min");
    assert_string_equal(fth_phrase_duration(INT64_MIN).text, "-2562047 h 47 min");
    assert_string_equal(fth_phrase_duration(7199499999999).text, "1 h 59 min");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stay_in_range),
        cmocka_unit_test(large_durations_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
