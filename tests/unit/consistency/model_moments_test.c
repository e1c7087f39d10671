/* When a file system acts that keeps a model: what is built in, and what a user writes. */
#include "consistency/model_moments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_built_in(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        unsigned publishes, fetches;
        bool of_ranks;
    } expected[] = {
        {"posix", FTH_AT_ACCESS, FTH_AT_ACCESS, false},
        {"commit", FTH_AT_SYNC | FTH_AT_CLOSE, FTH_AT_ACCESS, false},
        {"session", FTH_AT_CLOSE, FTH_AT_OPEN, false},
        {"mpi-io", FTH_AT_SYNC | FTH_AT_CLOSE, FTH_AT_SYNC | FTH_AT_OPEN, true},
        {"eventual", FTH_AT_ACCESS, FTH_AT_ACCESS, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct fth_consistencies models = {0};
        const struct fth_consistency *model =
            fth_consistency_meant(&models, expected[i].name, NULL);
        assert_non_null(model);
        struct fth_moments moments = fth_moments_of(model, FTH_AT_ACCESS);
        assert_int_equal(moments.publishes, expected[i].publishes);
        assert_int_equal(moments.fetches, expected[i].fetches);
        assert_int_equal(fth_moments_are_of_ranks(model), expected[i].of_ranks);
        fth_consistencies_free(&models);
    }
}

static struct fth_moments moments_of(const char *text)
{
    struct fth_consistencies models = {0};
    assert_int_equal(fth_consistency_parse(&models, "text", text, strlen(text), NULL), 0);
    struct fth_moments moments = fth_moments_of(&models.models[0], FTH_AT_BOUND);
    fth_consistencies_free(&models);
    return moments;
}

static void test_of_users(void **unused)
{
    (void)unused;
    struct fth_moments moments = moments_of("model m\n    accesses posix\n    set s = fsync\n"
                                            "    set o = openat\n    order x po s hb o po y\n");
    assert_int_equal(moments.publishes, FTH_AT_SYNC);
    assert_int_equal(moments.fetches, FTH_AT_OPEN);
    /* one call that closes and opens is in a set of calls that open as one that opens */
    moments = moments_of("model m\n    accesses posix\n    set s = freopen_close\n"
                         "    set o = stdio:opens\n    order x po s hb o po y\n");
    assert_int_equal(moments.publishes, FTH_AT_CLOSE);
    assert_int_equal(moments.fetches, FTH_AT_OPEN);
    /* calls that the file system takes no part in, and those that are no moment */
    moments = moments_of("model m\n    accesses posix\n    set s = MPI_Barrier\n"
                         "    set o = stat\n    order x po s hb o po y\n");
    assert_int_equal(moments.publishes, FTH_AT_ACCESS);
    assert_int_equal(moments.fetches, FTH_AT_ACCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_of_users),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
