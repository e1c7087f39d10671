/* Marks of bytes in pieces and rows are those that each byte would bear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../shortest.h"
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

/* Marks of bytes as they are given, and how many were given twice or beyond the end. */
struct given {
    uint8_t bytes[SIZE];
    unsigned wrong;
};

static void put(void *context, const struct fth_strided *series, uint64_t marks)
{
    struct given *given = context;
    for (uint64_t i = 0; i < series->count; i++)
        for (uint64_t k = 0; k < series->length; k++) {
            uint64_t place = series->start + i * series->stride + k;
            if (place < SIZE && !given->bytes[place])
                given->bytes[place] = (uint8_t)marks;
            else
                given->wrong++;
        }
}

/* Returns if both bore marks before on as many bytes. */
static bool mark_both(struct fth_extents *extents, uint8_t *bytes, const struct fth_strided *series,
                      uint64_t add)
{
    struct check check = {.add = add}, plain = {.add = add};
    fth_extents_mark(extents, series, mark, &check);
    for (uint64_t i = 0; i < series->count; i++)
        for (uint64_t k = 0; k < series->length; k++) {
            uint8_t *byte = &bytes[series->start + i * series->stride + k];
            *byte = (uint8_t)mark(&plain, *byte, 1);
        }
    return !extents->vague && check.seen == plain.seen;
}

/* ---- cases by hand ---- */

/* The marks are 1, 2, 4 in this order; a dot is a byte without. */
static void assert_marks(const struct fth_strided *series, size_t count, const char *expected)
{
    int64_t room = PLENTY;
    struct fth_extents extents = {.room = &room};
    static struct given given;
    char picture[32] = "";
    memset(&given, 0, sizeof given);
    for (size_t i = 0; i < count; i++)
        fth_extents_mark(&extents, &series[i], mark, &(struct check){.add = 1u << i});
    fth_extents_each(&extents, put, &given);
    for (size_t i = 0; i < strlen(expected); i++)
        picture[i] = given.bytes[i] ? (char)('0' + given.bytes[i]) : '.';
    assert_string_equal(picture, expected);
    assert_int_equal(given.wrong, 0);
    fth_extents_empty(&extents);
}

static void pieces_that_overlap_are_split(void **state)
{
    (void)state;
    const struct fth_strided series[] = {{1, 5, 0, 1}, {3, 5, 0, 1}};
    assert_marks(series, 2, ".1133322..");
}

static void rows_mesh(void **state)
{
    (void)state;
    const struct fth_strided series[] = {{0, 2, 4, 4}, {2, 2, 4, 4}};
    assert_marks(series, 2, "1122112211221122..");
}

static void a_piece_in_the_middle_takes_a_row_apart(void **state)
{
    (void)state;
    const struct fth_strided series[] = {{0, 1, 4, 4}, {3, 3, 0, 1}};
    assert_marks(series, 2, "1..232..1...1...");
}

static void a_third_one_lies_across_both(void **state)
{
    (void)state;
    const struct fth_strided series[] = {{0, 2, 4, 3}, {1, 2, 4, 3}, {5, 1, 0, 1}};
    assert_marks(series, 3, "132.172.132.");
}

/* ---- random ones ---- */

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

static bool prints;

static bool marks_are_as_byte_by_byte(uint32_t round, uint32_t steps)
{
    static uint8_t bytes[SIZE];
    static struct given given;
    int64_t room = PLENTY;
    struct fth_extents extents = {.room = &room};
    uint64_t seed = round, period = 20 + next(&seed) % 80;
    bool holds = true;
    memset(bytes, 0, sizeof bytes);
    memset(&given, 0, sizeof given);
    for (uint32_t i = 0; i < steps; i++) {
        struct fth_strided series = any_series(&seed, period);
        uint64_t add = 1 + next(&seed) % 3;
        if (prints)
            print_error("  %llu more on %llu ranges of %llu bytes from %llu on, each %llu behind "
                        "the one before\n",
                        (unsigned long long)add, (unsigned long long)series.count,
                        (unsigned long long)series.length, (unsigned long long)series.start,
                        (unsigned long long)series.stride);
        holds = mark_both(&extents, bytes, &series, add) && holds;
    }
    fth_extents_each(&extents, put, &given);
    fth_extents_empty(&extents);
    holds = holds && !given.wrong && room == PLENTY;
    uint32_t place = 0;
    while (place < SIZE && bytes[place] == given.bytes[place])
        place++;
    if (prints && place < SIZE)
        print_error("byte %u is marked %u, not %u\n", place, given.bytes[place], bytes[place]);
    holds = holds && place == SIZE;
    return holds;
}

static void random_series_are_as_byte_by_byte(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= 150; round++) {
        if (marks_are_as_byte_by_byte(round, 40))
            continue;
        uint32_t steps = shortest_that_fails(marks_are_as_byte_by_byte, round, 40);
        prints = true;
        marks_are_as_byte_by_byte(round, steps);
        fail_msg("case %u, %u steps", round, steps);
    }
}

static void single_pieces_in_any_order(void **state)
{
    (void)state;
    static uint8_t bytes[SIZE];
    static struct given given;
    int64_t room = PLENTY;
    struct fth_extents extents = {.room = &room};
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        struct fth_strided range = {next(&seed) % (SIZE - 8), 1 + next(&seed) % 7, 0, 1};
        if (!mark_both(&extents, bytes, &range, 1 + next(&seed) % 3))
            fail_msg("piece %d, %llu bytes from %llu on: other bytes were marked before", i,
                     (unsigned long long)range.length, (unsigned long long)range.start);
    }
    fth_extents_each(&extents, put, &given);
    assert_int_equal(given.wrong, 0);
    assert_memory_equal(bytes, given.bytes, sizeof bytes);
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
        cmocka_unit_test(pieces_that_overlap_are_split),
        cmocka_unit_test(rows_mesh),
        cmocka_unit_test(a_piece_in_the_middle_takes_a_row_apart),
        cmocka_unit_test(a_third_one_lies_across_both),
        cmocka_unit_test(random_series_are_as_byte_by_byte),
        cmocka_unit_test(single_pieces_in_any_order),
        cmocka_unit_test(strided_loops_are_one_piece),
        cmocka_unit_test(what_is_too_scattered_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
