/* Ranges of files, and where they are on servers. */
#include "sim/plan/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct fth_sim_extent list[] = {{100, 10}, {110, 5}, {200, 1}, {300, 50}};
static const struct fth_sim_ranges rule = {.offset = 100, .bytes = 10, .stride = 30, .count = 4},
                                   listed = {.count = 4, .list = list},
                                   single = {.offset = 7, .bytes = 3, .count = 1};

/* Byte by byte. */
static uint64_t count_between(const struct fth_sim_ranges *ranges, uint64_t from, uint64_t to)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < ranges->count; i++) {
        struct fth_sim_extent range = fth_sim_range(ranges, i);
        for (uint64_t at = range.offset; at < range.offset + range.bytes; at++)
            bytes += at >= from && at < to;
    }
    return bytes;
}

static void test_bytes_between(void **state)
{
    (void)state;
    const struct fth_sim_ranges *all[] = {&rule, &listed, &single};
    for (size_t i = 0; i < 3; i++)
        for (uint64_t from = 0; from < 400; from += 3)
            for (uint64_t to = from; to < 400; to += 7)
                assert_int_equal(fth_sim_ranges_between(all[i], from, to),
                                 count_between(all[i], from, to));
    assert_int_equal(fth_sim_ranges_total(&rule), 40);
    assert_int_equal(fth_sim_ranges_total(&listed), 66);
    assert_int_equal(fth_sim_ranges_hull(&listed).offset, 100);
    assert_int_equal(fth_sim_ranges_hull(&listed).bytes, 250);
}

static void test_the_first_one_from_a_byte_on(void **state)
{
    (void)state;
    const struct fth_sim_ranges *all[] = {&rule, &listed, &single};
    for (size_t i = 0; i < 3; i++)
        for (uint64_t from = 0; from < 400; from++) {
            uint64_t first = 0;
            while (first < all[i]->count &&
                   fth_sim_range(all[i], first).offset + fth_sim_range(all[i], first).bytes <= from)
                first++;
            uint64_t ours = fth_sim_ranges_first(all[i], from);
            assert_int_equal(ours < all[i]->count ? ours : all[i]->count, first);
        }
}

/* Each byte is on one server, and there directly behind the one before it. */
static void test_stripes(void **state)
{
    (void)state;
    const struct fth_sim_layout layout = {.stripe = 8, .servers = 3};
    for (uint64_t offset = 0; offset < 200; offset++)
        for (uint32_t i = 0; i < 3; i++) {
            bool is_here = offset / 8 % 3 == i;
            assert_int_equal(fth_sim_layout_before(&layout, i, offset + 1),
                             fth_sim_layout_before(&layout, i, offset) + is_here);
        }
    assert_int_equal(fth_sim_layout_before(&layout, 2, UINT64_C(24) << 40), UINT64_C(8) << 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_between),
        cmocka_unit_test(test_the_first_one_from_a_byte_on),
        cmocka_unit_test(test_stripes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
