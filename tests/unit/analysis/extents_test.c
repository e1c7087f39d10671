/* Marks of bytes in pieces and rows are those that each byte would bear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/extents/extents.h"

#include <string.h>

enum { SIZE = 1 << 14, PLENTY = 1 << 20 };

struct check {
    uint64_t add;
    uint64_t seen; /* bytes that bore marks before */
};

static uint64_t mark(void *context, uint64_t before, uint64_t bytes)
{
    struct check *check = context;
    check->seen += before ? bytes : 0;
    return (before + check->add) % 8;
}

static void put(void *context, const struct fth_strided *series, uint64_t marks)
{
    uint8_t *bytes = context;
    for (uint64_t i = 0; i < series->count; i++)
        for (uint64_t k = 0; k < series->length; k++) {
            uint64_t place = series->start + i * series->stride + k;
            assert_true(place < SIZE);
            assert_int_equal(bytes[place], 0);
            bytes[place] = (uint8_t)marks;
        }
}

static void mark_both(struct fth_extents *extents, uint8_t *bytes, const struct fth_strided *series,
                      uint64_t add)
{
    struct check check = {.add = add}, plain = {.add = add};
    fth_extents_mark(extents, series, mark, &check);
    assert_false(extents->vague);
    for (uint64_t i = 0; i < series->count; i++)
        for (uint64_t k = 0; k < series->length; k++) {
            uint8_t *byte = &bytes[series->start + i * series->stride + k];
            *byte = (uint8_t)mark(&plain, *byte, 1);
        }
    assert_int_equal(check.seen, plain.seen);
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *seed >> 33;
}

/* Mostly of one stride, so that they come to lie in rows. */
static struct fth_strided any_series(uint64_t *seed, uint64_t period)
{
    struct fth_strided series = {next(seed) % 1000, 1 + next(seed) % period, period,
                                 1 + next(seed) % 200};
    switch (next(seed) % 6) {
    case 0: /* one range */
        series.count = 1;
        series.length = 1 + next(seed) % 3000;
        break;
    case 1: /* another stride */
        series.stride = 20 + next(seed) % 40;
        break;
    case 2:
        series.stride = series.length;
        break;
    }
    while (series.start + series.stride * series.count + series.length >= SIZE)
        series.count = series.count / 2 + 1 < series.count ? series.count / 2 + 1 : 1;
    return series;
}

static void random_series_are_as_byte_by_byte(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 150; round++) {
        static uint8_t bytes[SIZE], marked[SIZE];
        int64_t room = PLENTY;
        struct fth_extents extents = {.room = &room};
        uint64_t period = 20 + next(&seed) % 80;
        memset(bytes, 0, sizeof bytes);
        for (int i = 0; i < 40; i++) {
            struct fth_strided series = any_series(&seed, period);
            mark_both(&extents, bytes, &series, 1 + next(&seed) % 3);
        }
        memset(marked, 0, sizeof marked);
        fth_extents_each(&extents, put, marked);
        assert_memory_equal(bytes, marked, sizeof bytes);
        fth_extents_empty(&extents);
        assert_int_equal(room, PLENTY);
    }
}

static void single_pieces_in_any_order(void **state)
{
    (void)state;
    static uint8_t bytes[SIZE], marked[SIZE];
    int64_t room = PLENTY;
    struct fth_extents extents = {.room = &room};
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        struct fth_strided range = {next(&seed) % (SIZE - 8), 1 + next(&seed) % 7, 0, 1};
        mark_both(&extents, bytes, &range, 1 + next(&seed) % 3);
    }
    fth_extents_each(&extents, put, marked);
    assert_memory_equal(bytes, marked, sizeof bytes);
    fth_extents_empty(&extents);
    assert_int_equal(room, PLENTY);
}

/* A million strided ranges and those between them: two pieces, and then one. */
static void strided_loops_are_one_piece(void **state)
{
    (void)state;
    int64_t room = PLENTY;
    struct fth_extents extents = {.room = &room};
    struct check check = {.add = 1};
    for (uint64_t rank = 0; rank < 4; rank++)
        fth_extents_mark(&extents, &(struct fth_strided){100 + rank * 640, 640, 2560, 1000000},
                         mark, &check);
    assert_false(extents.vague);
    assert_int_equal(extents.pieces, 1);
    assert_int_equal(check.seen, 0);
    fth_extents_mark(&extents, &(struct fth_strided){100, 640, 2560, 500000}, mark, &check);
    assert_int_equal(check.seen, UINT64_C(640) * 500000);
    fth_extents_mark(&extents, &(struct fth_strided){200, 10, 0, 1000}, mark, &check);
    assert_int_equal(check.seen, UINT64_C(640) * 500000 + 10 * 1000);
    fth_extents_empty(&extents);
}

static void what_is_too_scattered_is_given_up(void **state)
{
    (void)state;
    int64_t room = 1000;
    struct fth_extents extents = {.room = &room}, far = {.room = &room};
    struct check check = {.add = 1};
    for (uint64_t i = 0; i < 2000; i++)
        fth_extents_mark(&extents, &(struct fth_strided){i * i * 3, 1, 0, 1}, mark, &check);
    assert_true(extents.vague);
    assert_int_equal(extents.pieces, 0);
    assert_int_equal(room, 1000);
    fth_extents_mark(&far, &(struct fth_strided){UINT64_MAX - 5, 10, UINT64_MAX / 2, 9}, mark,
                     &check);
    assert_true(far.vague);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_series_are_as_byte_by_byte),
        cmocka_unit_test(single_pieces_in_any_order),
        cmocka_unit_test(strided_loops_are_one_piece),
        cmocka_unit_test(what_is_too_scattered_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
