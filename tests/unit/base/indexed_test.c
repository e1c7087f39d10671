/* Items are found by number and sort, come zeroed, stay where they are, and keep the order in which
 * they came. */
#include "base/indexed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct item {
    uint64_t value, more;
};

static void what_was_put_is_found(void **state)
{
    (void)state;
    enum { NUMBERS = 5000, SORTS = 3 };
    struct fth_indexed indexed = {.size = sizeof(struct item)};
    struct item **stands = calloc(NUMBERS * SORTS, sizeof *stands);
    for (uint32_t i = 0; i < NUMBERS * SORTS; i++) {
        uint32_t number = i * 7919 % NUMBERS; /* each comes once in NUMBERS */
        uint64_t sort = (uint64_t)(i / NUMBERS) << 40;
        struct item *item = fth_indexed_get(&indexed, number, sort);
        assert_int_equal(item->value, 0);
        assert_int_equal(item->more, 0);
        item->value = number + sort;
        item->more = ~item->value;
        stands[i] = item;
    }
    assert_int_equal(indexed.count, NUMBERS * SORTS);
    for (uint32_t i = 0; i < NUMBERS * SORTS; i++) {
        uint32_t number = i * 7919 % NUMBERS;
        uint64_t sort = (uint64_t)(i / NUMBERS) << 40;
        assert_int_equal(fth_indexed_place(&indexed, number, sort), i);
        assert_ptr_equal(fth_indexed_item(&indexed, i), stands[i]);
        assert_int_equal(fth_indexed_at(&indexed, i)->number, number);
        assert_int_equal(fth_indexed_at(&indexed, i)->sort, sort);
        assert_int_equal(stands[i]->value, number + sort);
        assert_int_equal(stands[i]->more, ~(number + sort));
    }
    free(stands);
    fth_indexed_free(&indexed);
    assert_int_equal(indexed.count, 0);
}

static void items_may_be_of_any_size(void **state)
{
    (void)state;
    struct fth_indexed none = {0}, small = {.size = 1};
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(fth_indexed_place(&none, 99 - i, 0), i);
        uint8_t *item = fth_indexed_get(&small, i, i);
        assert_int_equal(*item, 0);
        *item = (uint8_t)i;
    }
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(fth_indexed_place(&none, 99 - i, 0), i);
        assert_int_equal(*(uint8_t *)fth_indexed_item(&small, i), i);
    }
    fth_indexed_free(&none);
    fth_indexed_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_is_found),
        cmocka_unit_test(items_may_be_of_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
