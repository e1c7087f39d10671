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

/* Number `number` as it is kept, written with at least `width` digits. */
static int64_t kept(int64_t number, int64_t width)
{
    return number * FTH_NAME_WIDTHS + width;
}

/* Each of them is known when it comes the second time at the latest: what was kept before there was
 * a row may be asked for once more. */
static void check_known(struct fth_known_names *names, const struct fth_template *template,
                        int64_t number, uint32_t text)
{
    for (int again = 0; again < 2; again++) {
        uint32_t *place = fth_known_name(names, template, number);
        assert_true(*place == 0 || *place == text);
        *place = text;
    }
    assert_int_equal(*fth_known_name(names, template, number), text);
}

static void numbers_that_lie_together_have_a_row(void **state)
{
    (void)state;
    enum { NUMBERS = 20000, WIDTH = 6 };
    static const struct fth_template one = {.number = 1}, other = {.number = 2};
    struct fth_known_names names = {0};
    uint64_t mixed = 1;
    for (uint32_t i = 1; i <= NUMBERS; i++) {
        mixed = mixed * 6364136223846793005u + 1442695040888963407u;
        int64_t number = (int64_t)(mixed >> 33) % NUMBERS;
        check_known(&names, &one, kept(number, WIDTH), (uint32_t)number + 1);
        check_known(&names, &one, kept(number, 0), NUMBERS + (uint32_t)number + 1);
        check_known(&names, &other, kept(number << 30, 0), (uint32_t)number + 1);
    }
    assert_true(names.rows[1].room >= NUMBERS && names.rows[1].room < 20 * NUMBERS);
    assert_int_equal(names.rows[2].room < 20 * NUMBERS, true);
    fth_known_names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_name_has_its_own_text),
                                       cmocka_unit_test(numbers_that_lie_together_have_a_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
