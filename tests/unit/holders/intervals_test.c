/* Intervals of a file: after any sequence of puts and cuts each byte has the owner and the place
 * that it got last, and neighbours that go on with one another are one interval. */
#include "holders/intervals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 400, STEPS = 40000 };

struct byte {
    bool there;
    uint64_t place;
    uint32_t owner, state;
};

static uint64_t seed = 88172645463325252u;
static uint32_t below(uint32_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed % limit);
}

static uint32_t compare(const struct fth_intervals *intervals, const struct byte *bytes)
{
    struct fth_interval interval, before = {.end = 0};
    uint32_t count = 0;
    uint64_t at = 0;
    while (fth_intervals_find(intervals, at, &interval)) {
        assert_true(interval.begin >= at && interval.begin < interval.end);
        for (; at < interval.begin; at++)
            assert_false(bytes[at].there);
        if (count && before.end == interval.begin && before.owner == interval.owner &&
            before.state == interval.state)
            assert_int_not_equal(before.place + before.end - before.begin, interval.place);
        for (; at < interval.end; at++) {
            assert_true(bytes[at].there);
            assert_int_equal(bytes[at].owner, interval.owner);
            assert_int_equal(bytes[at].state, interval.state);
            assert_int_equal(bytes[at].place, interval.place + at - interval.begin);
        }
        before = interval;
        count++;
    }
    assert_int_equal(fth_intervals_end(intervals), at);
    for (; at < BYTES; at++)
        assert_false(bytes[at].there);
    return count;
}

static void test_like_an_array(void **state)
{
    struct fth_intervals intervals = {.root = 0};
    static struct byte bytes[BYTES];
    (void)state;
    for (int step = 0; step < STEPS; step++) {
        uint64_t begin = below(BYTES - 1), end = begin + 1 + below(below(3) ? 8 : BYTES);
        end = end > BYTES ? BYTES : end;
        struct fth_interval put = {begin, end, below(2) ? begin : below(1000), below(3), below(2)};
        if (below(4)) {
            fth_intervals_put(&intervals, &put);
            for (uint64_t i = begin; i < end; i++)
                bytes[i] = (struct byte){true, put.place + i - begin, put.owner, put.state};
        } else {
            fth_intervals_cut(&intervals, begin, end);
            memset(bytes + begin, 0, (end - begin) * sizeof *bytes);
        }
        assert_int_equal(compare(&intervals, bytes), intervals.count);
    }
    fth_intervals_free(&intervals);
}

static void test_a_range(void **state)
{
    struct fth_intervals intervals = {.root = 0};
    struct fth_interval found;
    (void)state;
    assert_false(fth_intervals_within(&intervals, 0, 10, &found));
    fth_intervals_put(&intervals, &(struct fth_interval){100, 200, 1000, 7, 0});
    assert_false(fth_intervals_within(&intervals, 0, 100, &found));
    assert_false(fth_intervals_within(&intervals, 200, 300, &found));
    assert_true(fth_intervals_within(&intervals, 150, 160, &found));
    assert_int_equal(found.begin, 150);
    assert_int_equal(found.end, 160);
    assert_int_equal(found.place, 1050);
    assert_false(fth_intervals_within(&intervals, 150, 150, &found));
    fth_intervals_free(&intervals);
}

static void test_appends_are_one(void **state)
{
    struct fth_intervals intervals = {.root = 0};
    (void)state;
    for (uint64_t i = 0; i < 100000; i++)
        fth_intervals_put(&intervals, &(struct fth_interval){i * 8, i * 8 + 8, i * 8, 1, 0});
    assert_int_equal(intervals.count, 1);
    assert_true(intervals.node_count < 8);
    fth_intervals_free(&intervals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_an_array),
        cmocka_unit_test(test_a_range),
        cmocka_unit_test(test_appends_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
