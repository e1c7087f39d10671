/* The rules of --select: what is understood, and what is said of what is not. */
#include "base/watch_rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void rules(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
    } samples[] = {
        {"slowest 2 of mpiio per phase", "2 1 1 mpiio "},
        {"slowest 1 per phase", "1 1 1 - "},
        {"  slowest\t3  of all per 10 phases ", "3 1 10 - "},
        {"slowest 1 of posix per 1 phase", "1 1 1 posix "},
        {"slowest 4 of hdf5 per mark step", "4 2 1 hdf5 step"},
        {"slowest 1024 of posix per 100ms", "1024 3 100000000 posix "},
        {"slowest 1 per 1.5s", "1 3 1500000000 - "},
        {"slowest 1 per 1min", "1 3 60000000000 - "},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct fth_watch_rule rule;
        struct fth_error *error = NULL;
        char text[FTH_WATCH_TEXT];
        assert_int_equal(fth_watch_rule_parse(samples[i].text, &rule, &error), 0);
        fth_watch_rule_write(&rule, text);
        assert_string_equal(text, samples[i].written);
    }
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } samples[] = {
        {"", "'slowest' is missing at its end"},
        {"fastest 2 per phase", "'fastest' stands where 'slowest' is expected"},
        {"slowest", "a number of processes is missing at its end"},
        {"slowest two per phase", "'two' stands where a number of processes is expected"},
        {"slowest -1 per phase", "'-1' stands where a number of processes is expected"},
        {"slowest 0 per phase", "'0' processes: 1 to 1024 are possible"},
        {"slowest 99999 per phase", "'99999' processes: 1 to 1024 are possible"},
        {"slowest 2", "'of LAYER' or 'per' is missing at its end"},
        {"slowest 2 mpiio per phase", "'mpiio' stands where 'of LAYER' or 'per' is expected"},
        {"slowest 2 of per phase",
         "'per' stands where the name of a layer (posix, mpiio, hdf5 ...) is expected"},
        {"slowest 2 of mpiio", "'per' is missing at its end"},
        {"slowest 2 of mpiio every phase", "'every' stands where 'per' is expected"},
        {"slowest 2 of mpiio per",
         "'phase', 'N phases', 'mark NAME' or a time (100ms) is missing at its end"},
        {"slowest 2 per step",
         "'step' stands where 'phase', 'N phases', 'mark NAME' or a time (100ms) is expected"},
        {"slowest 2 per 0 phases", "'0' phases: 1 to 1000000 are possible"},
        {"slowest 2 per 10 times",
         "'times' stands where 'phases', or the unit of a time (100ms) is expected"},
        {"slowest 2 per mark", "the name of a region (<fathom/mark.h>) is missing at its end"},
        {"slowest 2 per 10us", "'10us': a phase lasts 1 ms to 1 hour"},
        {"slowest 2 per 2000min", "'2000min': a phase lasts 1 ms to 1 hour"},
        {"slowest 2 per phase please", "'please' stands where the end is expected"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct fth_watch_rule rule;
        struct fth_error *error = NULL;
        assert_int_equal(fth_watch_rule_parse(samples[i].text, &rule, &error), -1);
        assert_string_equal(fth_error_text(error), samples[i].said);
        fth_error_free(error);
    }
}

/* Words may be of any length. */
static void long_words(void **state)
{
    (void)state;
    char text[2000];
    static const char *const beginnings[] = {"", "slowest ", "slowest 1 of ", "slowest 1 per ",
                                             "slowest 1 per mark "};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        struct fth_watch_rule rule;
        struct fth_error *error = NULL;
        memset(text, '7', sizeof text - 1);
        text[sizeof text - 1] = 0;
        memcpy(text, beginnings[i], strlen(beginnings[i]));
        assert_int_equal(fth_watch_rule_parse(text, &rule, &error), -1);
        fth_error_free(error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
