/* Numbers with their words, which are whole however long the words are. */
#include "base/phrase.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void words_are_whole(void **state)
{
    (void)state;
    assert_string_equal(fth_phrase_several(1, "more finding", "more findings").text,
                        "1 more finding");
    assert_string_equal(fth_phrase_several(2, "more finding", "more findings").text,
                        "2 more findings");
    assert_string_equal(fth_phrase_several(8405, "metadata call", "metadata calls").text,
                        "8,405 metadata calls");
    assert_string_equal(fth_phrase_several(INT64_MAX, "row", "calls of the same or of others").text,
                        "9,223,372,036,854,775,807 calls of the same or");
}

static void ranks_have_their_world(void **state)
{
    (void)state;
    assert_string_equal(fth_phrase_rank(0, 3).text, "3");
    assert_string_equal(fth_phrase_rank(2, 0).text, "0 of world 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(ranks_have_their_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
