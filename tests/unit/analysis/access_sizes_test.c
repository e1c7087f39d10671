/* Sizes: the middle one is exact where most are alike, also when they come in any order and from
 * several processes. */
#include "analysis/extents/access_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fth_sizes some(const uint64_t *sizes, size_t count)
{
    struct fth_sizes sum = {0};
    for (size_t i = 0; i < count; i++)
        fth_sizes_add(&sum, sizes[i], 1);
    return sum;
}
#define SOME(...)                                                                                  \
    some((const uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void assert_phrase(struct fth_sizes sizes, const char *expected)
{
    assert_string_equal(fth_sizes_phrase(&sizes).text, expected);
    fth_sizes_free(&sizes);
}

static void what_most_are_is_reported(void **state)
{
    (void)state;
    assert_phrase(SOME(640, 640, 640), "of 640 B");
    assert_phrase(SOME(1000, 8, 8, 8, 8, 8), "mostly of 8 B");
    assert_phrase(SOME(8, 8, 8, 1000), "mostly of 8 B");
    assert_phrase(SOME(0, 0), "of 0 B");
}

static void what_differs_is_reported_as_a_range(void **state)
{
    (void)state;
    struct fth_sizes sizes = {0};
    for (uint64_t bytes = 100; bytes < 1100; bytes++)
        fth_sizes_add(&sizes, bytes, 1);
    fth_sizes_add(&sizes, 1 << 30, 1);
    assert_int_equal(fth_sizes_median(&sizes), 512);
    assert_phrase(sizes, "mostly of 128 B to 1.00 KiB");
    assert_phrase(SOME(UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2),
                  "mostly of 8.00 EiB to 16.0 EiB");
    /* the last bin ends at 8 KiB, which none of them has */
    assert_phrase(SOME(600, 600, 1200, 2000, 4096, 4096), "mostly of 512 B to 4.00 KiB");
    struct fth_sizes sum = SOME(600, 600, 1200), more = SOME(2000, 4096, 4096);
    fth_sizes_merge(&sum, &more);
    fth_sizes_free(&more);
    assert_phrase(sum, "mostly of 512 B to 4.00 KiB");
}

static void sizes_far_apart_are_no_range(void **state)
{
    (void)state;
    assert_phrase(SOME(8, 9, 100, 700, 20000, 64000), "of many sizes (half below 128 B)");
    assert_phrase(SOME(0, 0, 4097, 5000, 6000), "of many sizes (half of 4.00 KiB or more)");
    assert_phrase(SOME(1, 2, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 2),
                  "of many sizes (half of 8.00 EiB or more)");
}

static void the_middle_is_exact_where_most_are_alike(void **state)
{
    (void)state;
    struct fth_sizes sizes = SOME(640, 640, 1, 640);
    assert_int_equal(fth_sizes_median(&sizes), 640);
    fth_sizes_free(&sizes);
    assert_int_equal(fth_sizes_median(&sizes), 0);
}

static void parts_of_processes_are_added_up(void **state)
{
    (void)state;
    struct fth_sizes sum = SOME(640, 1), other = SOME(640, 640, 2);
    fth_sizes_merge(&sum, &other);
    fth_sizes_free(&other);
    assert_int_equal(fth_sizes_median(&sum), 640);
    assert_phrase(sum, "mostly of 640 B");
}

/* ---- random ones ---- */

static void print_sizes(const uint64_t *all, size_t count)
{
    print_error("sizes:");
    for (size_t i = 0; i < count; i++)
        print_error(" %llu", (unsigned long long)all[i]);
    print_error("\n");
}

/* Whatever is said to be the middle has half of them on each side, or is at most twice too
 * small. */
static void it_holds_for_any_of_them(void **state)
{
    (void)state;
    srand(7);
    for (int turn = 0; turn < 2000; turn++) {
        uint64_t all[64], above = 0, below = 0;
        size_t count = 1 + (size_t)rand() % 64;
        struct fth_sizes sum = {0}, part = {0};
        for (size_t i = 0; i < count; i++) {
            all[i] = (uint64_t)(rand() % 3 ? 640 : rand() % 5000);
            fth_sizes_add(&part, all[i], 1);
            if (rand() % 8 == 0) {
                fth_sizes_merge(&sum, &part);
                fth_sizes_free(&part);
            }
        }
        fth_sizes_merge(&sum, &part);
        fth_sizes_free(&part);
        uint64_t median = fth_sizes_median(&sum);
        fth_sizes_free(&sum);
        for (size_t i = 0; i < count; i++) {
            below += all[i] < median;
            above += all[i] >= 2 * median && all[i] > median;
        }
        if (2 * below <= count && 2 * above <= count)
            continue;
        print_sizes(all, count);
        fail_msg("%llu is said to be the middle of %zu: %llu are less, %llu twice as much",
                 (unsigned long long)median, count, (unsigned long long)below,
                 (unsigned long long)above);
    }
}

static bool are_alike(const struct fth_sizes *one, const struct fth_sizes *other)
{
    return one->first == other->first && one->behind == other->behind &&
           memcmp(one->bins, other->bins, (size_t)(one->behind - one->first) * sizeof *one->bins) ==
               0 &&
           one->usual == other->usual && one->votes == other->votes && one->seen == other->seen;
}

static void several_at_once_are_as_one_by_one(void **state)
{
    (void)state;
    srand(11);
    for (int turn = 0; turn < 2000; turn++) {
        struct fth_sizes at_once = {0}, one_by_one = {0};
        uint64_t all[20 * 9];
        size_t all_count = 0;
        for (int row = 0; row < 20; row++) {
            uint64_t bytes = (uint64_t)rand() % 3, count = 1 + (uint64_t)rand() % 9;
            fth_sizes_add(&at_once, bytes, count);
            for (uint64_t i = 0; i < count; i++) {
                fth_sizes_add(&one_by_one, bytes, 1);
                all[all_count++] = bytes;
            }
        }
        if (!are_alike(&at_once, &one_by_one)) {
            print_sizes(all, all_count);
            fail_msg("those of one size added at once are other ones");
        }
        fth_sizes_free(&at_once);
        fth_sizes_free(&one_by_one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_most_are_is_reported),
        cmocka_unit_test(what_differs_is_reported_as_a_range),
        cmocka_unit_test(sizes_far_apart_are_no_range),
        cmocka_unit_test(the_middle_is_exact_where_most_are_alike),
        cmocka_unit_test(parts_of_processes_are_added_up),
        cmocka_unit_test(it_holds_for_any_of_them),
        cmocka_unit_test(several_at_once_are_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
