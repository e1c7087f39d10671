/* Texts are found by template and number, and only by both. */
#include "trace/names/known_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void each_name_has_its_own_text(void **state)
{
    (void)state;
    enum { TEMPLATES = 3, NUMBERS = 10000 };
    static const struct fth_template templates[TEMPLATES];
    struct fth_known_names names = {0};
    for (uint32_t i = 0; i < TEMPLATES * NUMBERS; i++) {
        uint32_t *text =
            fth_known_name(&names, &templates[i % TEMPLATES], -5000 + (int64_t)(i / TEMPLATES));
        assert_int_equal(*text, 0);
        *text = i + 1;
    }
    for (uint32_t i = 0; i < TEMPLATES * NUMBERS; i++)
        assert_int_equal(
            *fth_known_name(&names, &templates[i % TEMPLATES], -5000 + (int64_t)(i / TEMPLATES)),
            i + 1);
    assert_int_equal(names.count, TEMPLATES * NUMBERS);
    fth_known_names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_name_has_its_own_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
