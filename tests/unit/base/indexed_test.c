/* Items are found by number and sort, come zeroed, stay where they are, and keep the order in which
 * they came. */
#include "base/indexed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

static void tables_share_where_numbers_begin(void **state)
{
    (void)state;
    enum { NUMBERS = 1000, TABLES = 3 };
    struct fth_indexed_firsts firsts = {.columns = TABLES};
    struct fth_indexed tables[TABLES];
    for (uint32_t k = 0; k < TABLES; k++) {
        tables[k] = (struct fth_indexed){.size = sizeof(uint32_t)};
        fth_indexed_share(&tables[k], &firsts, k);
    }
    for (uint32_t number = NUMBERS; number-- > 0;)
        for (uint32_t k = 0; k < number % (TABLES + 1); k++)
            *(uint32_t *)fth_indexed_get(&tables[k], number, k) = number * TABLES + k;
    for (uint32_t number = 0; number < 2 * NUMBERS; number++)
        for (uint32_t k = 0; k < TABLES; k++) {
            uint32_t place = fth_indexed_first(&tables[k], number);
            bool there = number < NUMBERS && k < number % (TABLES + 1);
            assert_int_equal(place != UINT32_MAX, there);
            if (there)
                assert_int_equal(*(uint32_t *)fth_indexed_item(&tables[k], place),
                                 number * TABLES + k);
            fth_indexed_expect(&tables[k], number);
        }
    for (uint32_t k = 0; k < TABLES; k++)
        fth_indexed_free(&tables[k]);
    fth_indexed_free_firsts(&firsts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_put_is_found),
        cmocka_unit_test(items_may_be_of_any_size),
        cmocka_unit_test(tables_share_where_numbers_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
