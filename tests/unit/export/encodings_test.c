/* What Parquet packs is unpacked by a reader that follows the specification word by word. */
#include "export/parquet/encodings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 1000 };

/* The value of `width` bits at a bit, the lowest first. */
static uint64_t bits_at(const uint8_t *bytes, size_t bit, unsigned width)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++, bit++)
        value |= (uint64_t)(bytes[bit / 8] >> bit % 8 & 1) << i;
    return value;
}

static int64_t wrapped(uint64_t value, unsigned bits)
{
    return bits == 32 ? (int32_t)(uint32_t)value : (int64_t)value;
}

static void check_deltas(const int64_t *values, size_t count, unsigned bits)
{
    struct fth_bytes packed = {0};
    fth_parquet_put_deltas(&packed, values, count, bits);
    struct fth_view view = fth_view_of(packed.data, packed.length);
    uint64_t block = fth_view_varint(&view), minis = fth_view_varint(&view);
    assert_int_equal(block % 128, 0);
    assert_int_equal(block / minis % 32, 0);
    assert_int_equal(fth_view_varint(&view), count);
    int64_t value = fth_view_signed(&view);
    if (count)
        assert_true(value == values[0]);
    for (size_t at = 1; at < count;) {
        int64_t least = fth_view_signed(&view);
        const uint8_t *widths = fth_view_bytes(&view, minis);
        for (uint64_t mini = 0; mini < minis && at < count; mini++) {
            assert_true(widths[mini] <= bits);
            const uint8_t *bytes = fth_view_bytes(&view, block / minis * widths[mini] / 8);
            for (uint64_t i = 0; i < block / minis && at < count; i++, at++) {
                uint64_t delta = bits_at(bytes, i * widths[mini], widths[mini]);
                value = wrapped((uint64_t)value + (uint64_t)least + delta, bits);
                assert_true(value == values[at]);
            }
        }
    }
    assert_false(view.failed);
    assert_int_equal(fth_view_left(&view), 0);
    fth_bytes_free(&packed);
}

static void check_hybrid(const int64_t *values, size_t count, unsigned width)
{
    struct fth_bytes packed = {0};
    fth_parquet_put_hybrid(&packed, values, count, width);
    struct fth_view view = fth_view_of(packed.data, packed.length);
    for (size_t at = 0; at < count;) {
        uint64_t head = fth_view_varint(&view);
        bool is_run = !(head & 1);
        uint64_t length = is_run ? head >> 1 : (head >> 1) * 8;
        const uint8_t *bytes = fth_view_bytes(&view, is_run ? (width + 7) / 8 : length * width / 8);
        assert_non_null(bytes);
        assert_true(length > 0);
        for (uint64_t i = 0; i < length && at < count; i++, at++)
            assert_int_equal(bits_at(bytes, is_run ? 0 : i * width, width), values[at]);
    }
    assert_int_equal(fth_view_left(&view), 0);
    fth_bytes_free(&packed);
}

static void equal_values_take_no_bits(void **state)
{
    (void)state;
    int64_t values[MOST];
    for (size_t i = 0; i < MOST; i++)
        values[i] = 7;
    struct fth_bytes packed = {0};
    fth_parquet_put_deltas(&packed, values, MOST, 64);
    assert_true(packed.length < 60); /* minimum and widths of each block */
    fth_bytes_free(&packed);
    check_deltas(values, MOST, 64);
    check_hybrid(values, MOST, 3);
}

static void extreme_differences_wrap(void **state)
{
    (void)state;
    const int64_t wide[] = {INT64_MAX, INT64_MIN, 0, -1, INT64_MAX, 1, INT64_MIN};
    const int64_t narrow[] = {INT32_MAX, INT32_MIN, 0, -1, INT32_MAX, 1, INT32_MIN};
    check_deltas(wide, sizeof wide / sizeof *wide, 64);
    check_deltas(narrow, sizeof narrow / sizeof *narrow, 32);
}

static void none_and_one(void **state)
{
    (void)state;
    const int64_t one[] = {5};
    check_deltas(NULL, 0, 64);
    check_deltas(one, 1, 32);
    check_hybrid(NULL, 0, 1);
    check_hybrid(one, 1, 3);
}

static void runs_between_groups(void **state)
{
    (void)state;
    /* Runs that begin inside a group of eight, and ones that are just too short. */
    const int64_t values[] = {1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                              1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
                              0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0};
    check_hybrid(values, sizeof values / sizeof *values, 1);
}

static void random_values(void **state)
{
    (void)state;
    int64_t values[MOST];
    srandom(22);
    for (int turn = 0; turn < 400; turn++) {
        size_t count = (size_t)random() % MOST;
        unsigned width = 1 + (unsigned)random() % 32;
        uint64_t mask = (UINT64_C(1) << width) - 1;
        for (size_t i = 0; i < count; i++)
            values[i] = random() % 3 && i
                            ? values[i - 1]
                            : (int64_t)(((uint64_t)random() << 16 ^ (uint64_t)random()) & mask);
        check_hybrid(values, count, width);
        check_deltas(values, count, 64);
        if (width < 32)
            check_deltas(values, count, 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_take_no_bits),
        cmocka_unit_test(extreme_differences_wrap),
        cmocka_unit_test(none_and_one),
        cmocka_unit_test(runs_between_groups),
        cmocka_unit_test(random_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
