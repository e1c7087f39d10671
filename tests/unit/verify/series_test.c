/* Series against series by arithmetic, held against every range with every range. */
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
        assert_int_equal(fth_series_pairs(&a, &b), each_with_each(&a, &b));
        assert_int_equal(fth_series_pairs(&b, &a), each_with_each(&a, &b));
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
        assert_int_equal(fth_series_pairs_within(&a), pairs);
    }
}

static void test_common(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100000; i++) {
        struct fth_series a = random_series(), b = random_series();
        uint64_t start, end, pairs;
        bool common = fth_series_common(&a, &b, &start, &end);
        a.one_call = b.one_call = true;
        pairs = each_with_each(&a, &b);
        assert_int_equal(common, pairs > 0);
        if (!common)
            continue;
        struct fth_series part = {start, end - start, 0, 1, true};
        assert_true(start < end);
        assert_int_equal(each_with_each(&a, &part), 1);
        assert_int_equal(each_with_each(&b, &part), 1);
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
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_common),
        cmocka_unit_test(test_huge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
