/* Questions about texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

static void texts_that_may_be_none(void **state)
{
    (void)state;
    char text[] = "text";
    assert_true(fth_text_same(NULL, NULL));
    assert_true(fth_text_same(text, "text"));
    assert_false(fth_text_same(text, "texts"));
    assert_false(fth_text_same("", NULL));
    assert_false(fth_text_same(NULL, ""));
}

static void beginnings_and_endings(void **state)
{
    (void)state;
    assert_true(fth_text_begins("text", ""));
    assert_true(fth_text_begins("text", "text"));
    assert_false(fth_text_begins("te", "text"));
    assert_true(fth_text_ends("a.calls", ".calls"));
    assert_false(fth_text_ends(".calls", ".calls"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_may_be_none),
        cmocka_unit_test(beginnings_and_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
