/* What a path that is relative to a folder takes from the end of that. */
#include "base/path_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* "FOLDER PATH", as they are behind it. */
static void climbs(const char *folder, const char *path, const char *expected)
{
    char text[256];
    size_t length = strlen(path), folder_length = strlen(folder);
    fth_path_climb(&path, &length, folder, &folder_length);
    snprintf(text, sizeof text, "%.*s %.*s", (int)folder_length, folder, (int)length, path);
    assert_string_equal(text, expected);
}

static void upwards(void **state)
{
    (void)state;
    climbs("/a/b", "../c", "/a c");
    climbs("/a/b", "./..//.././c/d", "/ c/d");
    climbs("/a/b", "..", "/a ");
    climbs("/a/b/", "../c", "/a c");
    climbs("/a", "../../../c", "/ c");
    climbs("/", "../c", "/ c");
    climbs("/a/b", "./c", "/a/b c");
    climbs("/a/b", "./", "/a/b ");
}

static void nothing_that_is_not_known(void **state)
{
    (void)state;
    climbs("/a/b", "c/../d", "/a/b c/../d");
    climbs("/a/b", "../c/../d", "/a c/../d");
    climbs("/a/..", "../c", "/a/.. ../c");
    climbs("", "../c", " ../c");
    climbs("a/b", "../c", "a/b ../c");
    climbs("(unreachable)/a", "../c", "(unreachable)/a ../c");
}

static void names_that_begin_with_a_dot(void **state)
{
    (void)state;
    climbs("/a/b", ".c", "/a/b .c");
    climbs("/a/b", "..c/d", "/a/b ..c/d");
    climbs("/a/b", ".../c", "/a/b .../c");
    climbs("/a/b", ".", "/a/b .");
    climbs("/a/b", "", "/a/b ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upwards),
        cmocka_unit_test(nothing_that_is_not_known),
        cmocka_unit_test(names_that_begin_with_a_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
