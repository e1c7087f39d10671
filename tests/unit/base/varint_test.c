/* Varints give back what was put in, and nothing that is cut or too long is taken for one. */
#include "base/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t random_number(void)
{
    uint64_t number = (uint64_t)random() << 42 ^ (uint64_t)random() << 21 ^ (uint64_t)random();
    return number >> random() % 64;
}

static void check(uint64_t number)
{
    uint8_t bytes[FTH_VARINT_MAX + 1];
    uint64_t found = ~number;
    const uint8_t *end = fth_put_varint(bytes, number);
    assert_true(end - bytes >= 1 && end - bytes <= FTH_VARINT_MAX);
    assert_ptr_equal(fth_get_varint(bytes, end, &found), end);
    assert_int_equal(found, number);
    found = ~number;
    assert_ptr_equal(fth_get_varint(bytes, bytes + sizeof bytes, &found), end); /* others behind */
    assert_int_equal(found, number);
    for (const uint8_t *cut = bytes; cut < end; cut++)
        assert_null(fth_get_varint(bytes, cut, &found));
    assert_int_equal(fth_unzigzag(fth_zigzag((int64_t)number)), (int64_t)number);
}

static void numbers_come_back(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < 64; shift++)
        for (uint64_t more = 0; more < 3; more++)
            check((UINT64_C(1) << shift) - 1 + more);
    check(UINT64_MAX);
    for (int i = 0; i < 100000; i++)
        check(random_number());
}

static void small_numbers_are_small(void **state)
{
    (void)state;
    uint8_t bytes[FTH_VARINT_MAX];
    assert_int_equal(fth_put_varint(bytes, 127) - bytes, 1);
    assert_int_equal(fth_put_varint(bytes, 128) - bytes, 2);
    assert_int_equal(fth_put_varint(bytes, fth_zigzag(-64)) - bytes, 1);
    assert_int_equal(fth_put_varint(bytes, fth_zigzag(INT64_MIN)) - bytes, FTH_VARINT_MAX);
}

static void too_long_is_refused(void **state)
{
    (void)state;
    uint64_t number;
    const uint8_t most[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    const uint8_t wide[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    const uint8_t long_[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
    assert_non_null(fth_get_varint(most, most + sizeof most, &number));
    assert_int_equal(number, UINT64_MAX);
    assert_null(fth_get_varint(wide, wide + sizeof wide, &number));
    assert_null(fth_get_varint(long_, long_ + sizeof long_, &number));
}

static void failure_sticks(void **state)
{
    (void)state;
    const uint8_t bytes[] = {5, 0x80, 0x80};
    struct fth_view view = fth_view_of(bytes, sizeof bytes);
    assert_int_equal(fth_view_varint(&view), 5);
    assert_int_equal(fth_view_varint(&view), 0);
    assert_true(view.failed);
    assert_int_equal(fth_view_varint(&view), 0);
    assert_null(fth_view_bytes(&view, 0));
}

static void counts_are_not_believed(void **state)
{
    (void)state;
    struct fth_bytes bytes = {0};
    fth_bytes_varint(&bytes, UINT64_MAX);
    fth_bytes_varint(&bytes, 1);
    struct fth_view view = fth_view_of(bytes.data, bytes.length);
    assert_int_equal(fth_view_count(&view, 1), 0);
    assert_true(view.failed);
    view = fth_view_of(bytes.data, bytes.length);
    (void)fth_view_varint(&view);
    assert_int_equal(fth_view_count(&view, 1), 0); /* one thing, and no byte left for it */
    assert_true(view.failed);
    fth_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),       cmocka_unit_test(small_numbers_are_small),
        cmocka_unit_test(too_long_is_refused),     cmocka_unit_test(failure_sticks),
        cmocka_unit_test(counts_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
