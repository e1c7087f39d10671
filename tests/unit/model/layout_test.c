/* Walking through a layout gives the bytes that putting it together by hand gives, from wherever it
 * begins: cases by hand, then random ones. A huge one is walked in no more room. */
#include "model/ranges/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 20000 };

/* The bytes of a layout in order, one by one. */
static int64_t bytes[MOST];
static size_t byte_count;

static void list_bytes(const struct fth_layout *layout, int64_t base)
{
    base += layout->at;
    if (layout->form == FTH_LAYOUT_DENSE)
        for (int64_t i = 0; i < layout->size && byte_count < MOST; i++)
            bytes[byte_count++] = base + i;
    for (int64_t i = 0; layout->form != FTH_LAYOUT_DENSE && i < layout->count; i++)
        if (layout->form == FTH_LAYOUT_REPEATED)
            list_bytes(layout->inner, base + i * layout->stride);
        else
            list_bytes(layout->pieces[i].inner, base);
}

static const struct fth_layout *draw(int depth)
{
    if (!depth)
        return fth_layout_dense(rand() % 5, rand() % 4);
    if (rand() % 2) {
        const struct fth_layout *inner = draw(depth - 1),
                                *made = fth_layout_repeat(inner, rand() % 9,
                                                          inner->high + rand() % 3, rand() % 4);
        fth_layout_drop(inner);
        return made;
    }
    const struct fth_layout *several[3];
    size_t count = (size_t)(rand() % 4);
    for (size_t i = 0; i < count; i++)
        several[i] = draw(depth - 1);
    return fth_layout_list(several, count);
}

static void print_layout(const struct fth_layout *layout, int depth)
{
    print_error("%*sat %ld: ", 2 * depth, "", (long)layout->at);
    if (layout->form == FTH_LAYOUT_DENSE) {
        print_error("%ld bytes\n", (long)layout->size);
        return;
    }
    bool repeated = layout->form == FTH_LAYOUT_REPEATED;
    if (repeated)
        print_error("%ld times, at a distance of %ld,\n", (long)layout->count,
                    (long)layout->stride);
    else
        print_error("%ld pieces\n", (long)layout->count);
    for (int64_t i = 0; i < (repeated ? 1 : layout->count); i++)
        print_layout(repeated ? layout->inner : layout->pieces[i].inner, depth + 1);
}

/* So many bytes behind so many, from a tile that is repeated. */
static void check(const struct fth_layout *tile, int64_t extent, int64_t skip, int64_t length)
{
    struct fth_layout_walk walk;
    int64_t at, n, given = 0;
    assert_true(fth_layout_walk(&walk, tile, 100, extent, skip, length));
    while (fth_layout_walk_next(&walk, &at, &n))
        for (int64_t i = 0; i < n; i++, given++) {
            int64_t byte = skip + given;
            int64_t place = 100 + byte / tile->size * extent + bytes[byte % tile->size];
            if (at + i == place)
                continue;
            print_layout(tile, 0);
            fail_msg("byte %ld of tiles of %ld bytes is at %ld, not %ld", (long)byte, (long)extent,
                     (long)(at + i), (long)place);
        }
    if (given == length)
        return;
    print_layout(tile, 0);
    fail_msg("%ld bytes behind %ld, not %ld", (long)given, (long)skip, (long)length);
}

/* Of a layout that is repeated at once: where so many bytes behind `skip` are. */
static void lies(const struct fth_layout *layout, int64_t skip, const int64_t *places, size_t count)
{
    struct fth_layout_walk walk;
    int64_t at, n;
    size_t given = 0;
    assert_true(fth_layout_walk(&walk, layout, 0, layout->high, skip, (int64_t)count));
    while (fth_layout_walk_next(&walk, &at, &n))
        for (int64_t i = 0; i < n; i++, given++)
            if (given < count && places[given] != at + i) {
                print_layout(layout, 0);
                fail_msg("byte %zu is at %ld, not %ld", given, (long)(at + i), (long)places[given]);
            }
    assert_int_equal(given, count);
    fth_layout_drop(layout);
}

static void pieces_stand_at_their_distance(void **state)
{
    (void)state;
    const struct fth_layout *two = fth_layout_dense(1, 2);
    lies(fth_layout_repeat(two, 0, 4, 2), 0, (const int64_t[]){1, 2, 5, 6, 8, 9}, 6);
    fth_layout_drop(two);
}

static void a_walk_begins_anywhere(void **state)
{
    (void)state;
    const struct fth_layout *two = fth_layout_dense(1, 2);
    lies(fth_layout_repeat(two, 0, 4, 2), 3, (const int64_t[]){6, 8}, 2);
    fth_layout_drop(two);
}

static void a_list_keeps_its_order(void **state)
{
    (void)state;
    const struct fth_layout *list[] = {fth_layout_dense(4, 2), fth_layout_dense(0, 1)};
    lies(fth_layout_list(list, 2), 0, (const int64_t[]){4, 5, 0}, 3);
}

static void test_random(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2000; turn++) {
        const struct fth_layout *tile = draw(4);
        assert_non_null(tile);
        byte_count = 0;
        list_bytes(tile, 0);
        if (byte_count < MOST)
            assert_int_equal(byte_count, tile->size);
        for (size_t i = 0; i < byte_count; i++)
            assert_true(bytes[i] >= tile->low && bytes[i] < tile->high);
        for (int i = 0; i < 5 && tile->size && byte_count < MOST; i++)
            check(tile, tile->high + rand() % 3, rand() % (2 * tile->size), rand() % 200);
        fth_layout_drop(tile);
    }
}

static void test_huge(void **state)
{
    (void)state;
    const int64_t many = 1000000000;
    const struct fth_layout *element = fth_layout_dense(0, 8),
                            *tile = fth_layout_repeat(element, 0, 16, many);
    struct fth_layout_walk walk;
    int64_t at, length;
    assert_true(fth_layout_walk(&walk, tile, 0, 16 * many, 8 * (3 * many + many / 2), 8 * many));
    assert_true(fth_layout_walk_next(&walk, &at, &length));
    assert_int_equal(at, 16 * (3 * many + many / 2));
    assert_int_equal(length, 8);
    fth_layout_drop(tile);
    tile = fth_layout_repeat(element, 0, 8, many); /* has no holes */
    assert_int_equal(tile->form, FTH_LAYOUT_DENSE);
    fth_layout_drop(tile);
    fth_layout_drop(element);
}

static void test_refused(void **state)
{
    (void)state;
    struct fth_layout_walk walk;
    const struct fth_layout *element = fth_layout_dense(0, 8), *deep = fth_layout_share(element);
    assert_null(fth_layout_repeat(element, 0, INT64_MAX / 2, 4));
    assert_null(fth_layout_repeat(element, INT64_MAX, 16, 1));
    assert_null(fth_layout_dense(INT64_MAX, 2));
    assert_false(fth_layout_walk(&walk, element, -1, 8, 0, 1));
    assert_false(fth_layout_walk(&walk, element, 0, INT64_MAX / 2, 100, 1));
    for (int i = 0; deep; i++) {
        const struct fth_layout *next =
            fth_layout_repeat(deep, 0, (deep->high - deep->low) * 2 + 1, 2);
        assert_true(i < 64);
        fth_layout_drop(deep);
        deep = next;
    }
    fth_layout_drop(element);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_stand_at_their_distance),
        cmocka_unit_test(a_walk_begins_anywhere),
        cmocka_unit_test(a_list_keeps_its_order),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_huge),
        cmocka_unit_test(test_refused),
    };
    srand(1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
