/* Paths of a repetition never lead out of its folder. */
#include "repeat/what/clean_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void cleans(const char *path, const char *expected)
{
    char *clean = fth_repeat_clean_path(path);
    if (expected)
        assert_string_equal(clean, expected);
    else
        assert_null(clean);
    free(clean);
}

static void test_clean_paths(void **state)
{
    (void)state;
    cleans("/a/b", "/a/b");
    cleans("//a//b/", "/a/b");
    cleans("/a/./b/../c", "/a/c");
    cleans("/../../etc", "/etc");
    cleans("/a/..", "/");
    cleans("/", "/");
    cleans("/a/...", "/a/...");
    cleans("a/b", NULL);
    cleans("", NULL);
    cleans("pipe:[12]", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clean_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
