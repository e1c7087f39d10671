/* Series against series by arithmetic: cases by hand, then random ones, held against every range
 * with every range. */
#include "verify/gather/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t state = 88172645463325252u;
static uint64_t below(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static bool meet(const struct fth_series *a, uint64_t i, const struct fth_series *b, uint64_t j)
{
    uint64_t from = a->start + i * a->stride, other = b->start + j * b->stride;
    return from < other + b->length && other < from + a->length;
}

static uint64_t each_with_each(const struct fth_series *a, const struct fth_series *b)
{
    uint64_t pairs = 0;
    for (uint64_t i = 0; i < a->count; i++) {
        bool any = false;
        for (uint64_t j = 0; j < b->count; j++) {
            bool met = meet(a, i, b, j);
            any |= met;
            if (!b->one_call && !a->one_call)
                pairs += met;
        }
        if (b->one_call && !a->one_call)
            pairs += any;
    }
    if (!a->one_call)
        return pairs;
    for (uint64_t j = 0; j < b->count; j++) {
        bool any = false;
        for (uint64_t i = 0; i < a->count; i++)
            any |= meet(a, i, b, j);
        pairs += any;
    }
    return b->one_call ? pairs > 0 : pairs;
}

static void print_series(const char *name, const struct fth_series *series)
{
    print_error("%s: %lu ranges of %lu bytes from %lu on, each %lu behind the one before%s\n", name,
                series->count, series->length, series->start, series->stride,
                series->one_call ? ", of one call" : "");
}

/* So many pairs, whichever comes first. */
static void have_pairs(struct fth_series a, struct fth_series b, uint64_t expected)
{
    uint64_t found = fth_series_pairs(&a, &b), turned = fth_series_pairs(&b, &a);
    if (found == expected && turned == expected)
        return;
    print_series("one", &a);
    print_series("other", &b);
    fail_msg("%lu pairs, the other way round %lu, not %lu", found, turned, expected);
}

static void neighbours_do_not_meet(void **unused)
{
    (void)unused;
    have_pairs((struct fth_series){0, 4, 8, 3, false}, (struct fth_series){4, 4, 8, 3, false}, 0);
}

static void each_meets_the_one_beside_it(void **unused)
{
    (void)unused;
    have_pairs((struct fth_series){0, 5, 8, 3, false}, (struct fth_series){4, 4, 8, 3, false}, 3);
}

static void a_range_that_is_repeated_meets_each_time(void **unused)
{
    (void)unused;
    have_pairs((struct fth_series){0, 4, 0, 5, false}, (struct fth_series){2, 4, 0, 3, false}, 15);
}

static void ranges_of_one_call_meet_once(void **unused)
{
    (void)unused;
    have_pairs((struct fth_series){0, 4, 8, 3, true}, (struct fth_series){0, 20, 0, 1, false}, 1);
    have_pairs((struct fth_series){0, 4, 8, 3, true}, (struct fth_series){0, 4, 8, 3, true}, 1);
}

/* ---- random ones ---- */

static struct fth_series random_series(void)
{
    struct fth_series series = {.start = below(60), .length = 1 + below(12), .count = 1 + below(9)};
    series.stride = below(4) ? below(25) : 0;
    series.one_call = below(3) == 0;
    return series;
}

static void test_pairs(void **unused)
{
    (void)unused;
    for (int i = 0; i < 200000; i++) {
        struct fth_series a = random_series(), b = random_series();
        have_pairs(a, b, each_with_each(&a, &b));
    }
}

static void test_within(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        struct fth_series a = random_series();
        uint64_t pairs = 0;
        for (uint64_t j = 0; j < a.count && !a.one_call; j++)
            for (uint64_t k = j + 1; k < a.count; k++)
                pairs += meet(&a, j, &a, k);
        if (fth_series_pairs_within(&a) == pairs)
            continue;
        print_series("series", &a);
        fail_msg("%lu pairs within, not %lu", fth_series_pairs_within(&a), pairs);
    }
}

static void test_common(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        struct fth_series a = random_series(), b = random_series();
        uint64_t start = 0, end = 0, pairs;
        bool common = fth_series_common(&a, &b, &start, &end);
        a.one_call = b.one_call = true;
        pairs = each_with_each(&a, &b);
        struct fth_series part = {start, common ? end - start : 0, 0, 1, true};
        if (common == (pairs > 0) &&
            (!common || (start < end && each_with_each(&a, &part) && each_with_each(&b, &part))))
            continue;
        print_series("one", &a);
        print_series("other", &b);
        if (common)
            fail_msg("they are said to have the bytes from %lu to %lu in common", start, end);
        fail_msg("they are said to have no byte in common");
    }
}

/* Two interleaved series of 2^40 ranges: nobody can look at them one by one. */
static void test_huge(void **unused)
{
    (void)unused;
    uint64_t many = (uint64_t)1 << 40;
    struct fth_series a = {0, 4096, 8192, many, false}, b = {4096, 4096, 8192, many, false};
    assert_int_equal(fth_series_pairs(&a, &b), 0);
    b.length = 4097; /* one byte too far: each meets the next one */
    assert_int_equal(fth_series_pairs(&a, &b), many - 1);
    b.stride = 8191;
    b.length = 1;
    assert_true(fth_series_pairs(&a, &b) > many / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_do_not_meet),
        cmocka_unit_test(each_meets_the_one_beside_it),
        cmocka_unit_test(a_range_that_is_repeated_meets_each_time),
        cmocka_unit_test(ranges_of_one_call_meet_once),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_common),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
