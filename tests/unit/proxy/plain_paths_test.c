/* Names in a proxy: paths below its folder, and the numbers in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "proxy/plain_paths.h"

#include <stdlib.h>

static void paths_stay_below_the_folder(void **state)
{
    (void)state;
    static const struct {
        const char *path, *directory, *expected;
    } all[] = {
        {"out/x", "/home/a", "out/x"},
        {"/home/a/out/x", "/home/a", "out/x"},
        {"/home/a", "/home/a", "."},
        {"/home/ab/x", "/home/a", "home/ab/x"},
        {"/scratch//x/", "/home/a", "scratch/x"},
        {"../x", "/home/a", "home/x"},
        {"a/../../x", "/home/a", "home/x"},
        {"/../x", "/", "x"},
        {"..", "/home/a", "home"},
        {"/", "/home/a", "."},
        {"", "/home/a", "."},
        {"...", "/home/a", "..."},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *own = fth_name_of_path(all[i].path, all[i].directory);
        assert_string_equal(own, all[i].expected);
        free(own);
    }
}

static void numbers_are_taken_out(void **state)
{
    (void)state;
    int64_t numbers[8];
    unsigned widths[8];
    char *text;
    assert_int_equal(fth_name_parse("rod.020.7", &text, numbers, widths), 2);
    assert_string_equal(text, "rod.\1.\1");
    assert_int_equal(numbers[0], 20);
    assert_int_equal(widths[0], 3);
    assert_int_equal(numbers[1], 7);
    assert_int_equal(widths[1], 0);
    free(text);
    assert_int_equal(fth_name_parse("0", &text, numbers, widths), 1);
    assert_int_equal(widths[0], 0);
    free(text);
    /* Too long for a number, and more numbers than there is room for. */
    assert_int_equal(fth_name_parse("1234567890123456", &text, numbers, widths), 0);
    assert_string_equal(text, "1234567890123456");
    free(text);
    assert_int_equal(fth_name_parse("1.2.3.4.5.6.7.8.9", &text, numbers, widths), 8);
    assert_string_equal(text, "\1.\1.\1.\1.\1.\1.\1.\1.9");
    free(text);
    /* A name may have the byte that stands for a number. */
    assert_int_equal(fth_name_parse("x\1y2", &text, numbers, widths), 1);
    assert_string_equal(text, "x_y\1");
    free(text);
}

static void constants_are_in_capitals(void **state)
{
    (void)state;
    assert_true(fth_name_is_constant("MPI_COMM_WORLD"));
    assert_true(fth_name_is_constant("H5T_IEEE_F64LE"));
    assert_false(fth_name_is_constant("world"));
    assert_false(fth_name_is_constant("MPI_COMM_WORLD; x"));
    assert_false(fth_name_is_constant("9X"));
    assert_false(fth_name_is_constant(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_stay_below_the_folder),
        cmocka_unit_test(numbers_are_taken_out),
        cmocka_unit_test(constants_are_in_capitals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
