/* Equal byte strings get one number, others another; all come back. */
#include "base/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint32_t put(struct fth_intern *intern, const char *text)
{
    return fth_intern(intern, text, strlen(text));
}

static void check(const struct fth_intern *intern, uint32_t number, const char *bytes,
                  size_t length)
{
    size_t found;
    const uint8_t *text = fth_interned(intern, number, &found);
    assert_int_equal(found, length);
    assert_non_null(text);
    assert_memory_equal(text, bytes, length);
}

static void numbers_are_in_order(void **state)
{
    (void)state;
    struct fth_intern intern = {0};
    assert_int_equal(put(&intern, "one"), 0);
    assert_int_equal(put(&intern, "two"), 1);
    assert_int_equal(put(&intern, "one"), 0);
    assert_int_equal(put(&intern, ""), 2);
    assert_int_equal(put(&intern, ""), 2);
    assert_int_equal(intern.count, 3);
    check(&intern, 0, "one", 3);
    check(&intern, 1, "two", 3);
    check(&intern, 2, "", 0);
    fth_intern_free(&intern);
}

static void bytes_may_be_any(void **state)
{
    (void)state;
    struct fth_intern intern = {0};
    assert_int_equal(fth_intern(&intern, NULL, 0), 0);
    check(&intern, 0, "", 0);
    assert_int_equal(fth_intern(&intern, "\0", 1), 1);
    assert_int_equal(fth_intern(&intern, "\0\0", 2), 2);
    assert_int_equal(fth_intern(&intern, "\0\xff", 2), 3);
    assert_int_equal(fth_intern(&intern, "\0\0", 2), 2);
    check(&intern, 3, "\0\xff", 2);
    fth_intern_free(&intern);
}

/* What is added may be a part of a string that is held, also when the store moves. */
static void parts_of_what_is_held(void **state)
{
    (void)state;
    struct fth_intern intern = {0};
    size_t length;
    char path[1001] = {0};
    memset(path, 'x', sizeof path - 1);
    uint32_t whole = put(&intern, path);
    for (size_t part = sizeof path - 2; part; part--) {
        const uint8_t *held = fth_interned(&intern, whole, &length);
        check(&intern, fth_intern(&intern, held, part), path, part);
    }
    fth_intern_free(&intern);
}

static void many(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct fth_intern intern = {0};
    char text[32];
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            snprintf(text, sizeof text, "text %u", i * 7919);
            assert_int_equal(put(&intern, text), i);
        }
    assert_int_equal(intern.count, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        int length = snprintf(text, sizeof text, "text %u", i * 7919);
        check(&intern, i, text, (size_t)length);
    }
    fth_intern_free(&intern);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_in_order),
        cmocka_unit_test(bytes_may_be_any),
        cmocka_unit_test(parts_of_what_is_held),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
