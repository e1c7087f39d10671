/* Classes of values: each begins where the one before ends. */
#include "base/value_class.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void classes_of_values(void **unused)
{
    (void)unused;
    const struct {
        uint64_t value;
        uint32_t number;
    } expected[] = {{0, 0},
                    {7, 7},
                    {8, 8},
                    {15, 15},
                    {16, 16},
                    {17, 16},
                    {18, 17},
                    {31, 23},
                    {32, 24},
                    {1024, 64},
                    {UINT64_MAX, FTH_VALUE_CLASSES - 1}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(fth_value_class(expected[i].value), expected[i].number);
    for (uint64_t value = 1; value < 100000; value++)
        assert_in_range(fth_value_class(value) - fth_value_class(value - 1), 0, 1);
    for (uint32_t number = 1; number < FTH_VALUE_CLASSES; number++) {
        assert_int_equal(fth_value_class(fth_value_class_begin(number)), number);
        assert_int_equal(fth_value_class(fth_value_class_begin(number) - 1), number - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
