/* Limits of --fail-on: how they are read, and where they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff/fail_limits.h"

#include <string.h>

static void limits_that_are_right(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fth_diff_measure measure;
        const char *name;
        int comparison;
        bool percent;
        double number;
    } all[] = {
        {"time(posix) > 10%", FTH_DIFF_OF_TIME, "posix", FTH_DIFF_ABOVE, true, 10},
        {" calls ( fsync )>=3 ", FTH_DIFF_OF_CALLS, "fsync", FTH_DIFF_FROM, false, 3},
        {"bytes(*.h5) > 1.5MiB", FTH_DIFF_OF_BYTES, "*.h5", FTH_DIFF_ABOVE, false, 1572864},
        {"written(a (1).txt) < -2K", FTH_DIFF_OF_WRITTEN, "a (1).txt", FTH_DIFF_BELOW, false,
         -2048},
        {"elapsed > 1.5 s", FTH_DIFF_OF_ELAPSED, NULL, FTH_DIFF_ABOVE, false, 1.5e9},
        {"elapsed <= 0", FTH_DIFF_OF_ELAPSED, NULL, FTH_DIFF_UP_TO, false, 0},
        {"FINDINGS>0", FTH_DIFF_OF_FINDINGS, NULL, FTH_DIFF_ABOVE, false, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fth_diff_limit limit;
        struct fth_error *error = NULL;
        if (fth_diff_limit_parse(all[i].text, &limit, &error))
            fail_msg("%s", fth_error_text(error));
        assert_int_equal(limit.measure, all[i].measure);
        assert_int_equal((int)limit.comparison, all[i].comparison);
        assert_int_equal(limit.percent, all[i].percent);
        assert_true(limit.number == all[i].number);
        assert_true(!limit.name == !all[i].name &&
                    (!limit.name || !strcmp(limit.name, all[i].name)));
        fth_diff_limit_free(&limit);
    }
}

static void limits_that_are_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *column;
    } all[] = {
        {"", "column 1:"},
        {"speed(x) > 1", "column 1:"},
        {"time > 1%", "column 6:"},
        {"time(posix > 1%", "column 5:"},
        {"time( ) > 1%", "column 6:"},
        {"time(posix) = 1%", "column 13:"},
        {"time(posix) > x", "column 15:"},
        {"time(posix) > nan", "column 15:"},
        {"time(posix) > 1e5", "column 16:"},
        {"time(posix) > 1.2.3s", "column 15:"},
        {"time(posix) > 10", "column 17:"},
        {"time(posix) > 10KiB", "column 17:"},
        {"bytes(x) > 10ms", "column 14:"},
        {"calls(x) > 1K", "column 13:"},
        {"findings > 1%", "column 13:"},
        {"findings(x) > 1", "column 9:"},
        {"elapsed > 1% or 2%", "column 14:"},
        {"elapsed > 00000000000000000000000000000000000000000000000001%", "column 11:"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fth_diff_limit limit;
        struct fth_error *error = NULL;
        assert_int_equal(fth_diff_limit_parse(all[i].text, &limit, &error), -1);
        if (!strstr(fth_error_text(error), all[i].column))
            fail_msg("%s, not %s", fth_error_text(error), all[i].column);
        fth_error_free(error);
        fth_diff_limit_free(&limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_that_are_right),
        cmocka_unit_test(limits_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
