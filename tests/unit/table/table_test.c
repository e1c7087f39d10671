/* Tables: cells, grouping by key, sorting, and what people are shown. */
#include "table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { LAYER, RANK, CALLS, ERRORS };
static const struct fth_column columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"sums", "Sums", columns, 4, 2};

static struct fth_table *table;

static int make(void **state)
{
    (void)state;
    table = fth_table_new(&shape);
    return table ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    fth_table_free(table);
    return 0;
}

static size_t group(const char *layer, int64_t rank)
{
    struct fth_cell key[] = {fth_cell_text(layer),
                             rank < 0 ? fth_cell_null() : fth_cell_integer(rank)};
    return fth_table_group(table, key);
}

static void a_new_row_is_null(void **state)
{
    (void)state;
    size_t row = fth_table_add_row(table);
    assert_int_equal(fth_table_rows(table), 1);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(fth_table_row(table, row)[i].type, FTH_CELL_NULL);
    assert_int_equal(fth_table_column(table, "calls"), CALLS);
    assert_int_equal(fth_table_column(table, "nothing"), SIZE_MAX);
}

static void texts_are_copied(void **state)
{
    (void)state;
    char text[] = "posix";
    size_t row = group(text, 0);
    text[0] = 'X';
    assert_string_equal(fth_table_row(table, row)[LAYER].text, "posix");
}

static void equal_keys_share_a_row(void **state)
{
    (void)state;
    size_t first = group("posix", 0);
    assert_int_not_equal(group("posix", 1), first);
    assert_int_not_equal(group("posix", -1), first);
    assert_int_not_equal(group("stdio", 0), first);
    assert_int_not_equal(group(NULL, 0), first);
    assert_int_equal(group("posix", 0), first);
    assert_int_equal(fth_table_rows(table), 5);
}

static void added_rows_are_not_found(void **state)
{
    (void)state;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, LAYER, fth_cell_text("posix"));
    fth_table_set(table, row, RANK, fth_cell_integer(0));
    assert_int_not_equal(group("posix", 0), row);
}

static void many_keys_are_distinguished(void **state)
{
    (void)state;
    for (int64_t pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < 20000; i++) {
            char name[32];
            snprintf(name, sizeof name, "file.%d", (int)(i / 3));
            size_t row = group(name, i % 3);
            assert_int_equal(row, i);
            fth_table_increase(table, row, CALLS, (uint64_t)i);
        }
    assert_int_equal(fth_table_rows(table), 20000);
    assert_int_equal(fth_table_row(table, 777)[CALLS].integer, 2 * 777);
    assert_false(fth_table_failed(table));
}

static void sorting_is_stable_with_null_last(void **state)
{
    (void)state;
    static const struct {
        const char *layer;
        int64_t rank;
        uint64_t calls;
    } rows[] = {{"b", 2, 1}, {"a", -1, 5}, {"b", 1, 5}, {"a", 7, 9}, {NULL, 0, 5}};
    for (size_t i = 0; i < 5; i++)
        fth_table_increase(table, group(rows[i].layer, rows[i].rank), CALLS, rows[i].calls);

    fth_table_sort(table, (size_t[]){LAYER, RANK}, 2);
    static const int64_t by_key[] = {9, 5, 5, 1, 5};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(fth_table_row(table, i)[CALLS].integer, by_key[i]);
    assert_int_equal(fth_table_row(table, 1)[RANK].type, FTH_CELL_NULL);
    assert_int_equal(fth_table_row(table, 4)[LAYER].type, FTH_CELL_NULL);

    fth_table_sort_by_sum(table, (size_t[]){CALLS}, 1);
    static const char *const by_calls[] = {"a", "a", "b", NULL, "b"};
    for (size_t i = 0; i < 5; i++)
        if (by_calls[i])
            assert_string_equal(fth_table_row(table, i)[LAYER].text, by_calls[i]);
        else
            assert_int_equal(fth_table_row(table, i)[LAYER].type, FTH_CELL_NULL);
}

static void sums_of_several_columns_order_rows(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 3; i++)
        fth_table_increase(table, group("posix", i), CALLS, (uint64_t)i);
    fth_table_increase(table, 0, ERRORS, UINT64_C(1) << 62);
    fth_table_sort_by_sum(table, (size_t[]){CALLS, ERRORS}, 2);
    assert_int_equal(fth_table_row(table, 0)[RANK].integer, 0);
    assert_int_equal(fth_table_row(table, 1)[RANK].integer, 2);
    assert_int_equal(fth_table_row(table, 2)[RANK].integer, 1);
}

static void grouping_starts_afresh_after_a_sort(void **state)
{
    (void)state;
    group("b", 0);
    group("a", 0);
    fth_table_sort(table, (size_t[]){LAYER}, 1);
    assert_int_equal(group("b", 0), 2);
    assert_int_equal(group("b", 0), 2);
}

static void dull_columns_are_not_shown(void **state)
{
    (void)state;
    group("posix", 3);
    group("stdio", 3);
    fth_table_set(table, 0, ERRORS, fth_cell_integer(0));
    assert_true(fth_table_shows(table, LAYER));
    assert_false(fth_table_shows(table, RANK));
    group("posix", -1);
    assert_false(fth_table_shows(table, RANK));
    assert_false(fth_table_shows(table, ERRORS));
    group("posix", 4);
    fth_table_increase(table, 3, ERRORS, 1);
    assert_true(fth_table_shows(table, RANK));
    assert_true(fth_table_shows(table, ERRORS));
}

static void writing_to_no_row_does_nothing(void **state)
{
    (void)state;
    fth_table_set(table, FTH_NO_ROW, LAYER, fth_cell_text("x"));
    fth_table_increase(table, FTH_NO_ROW, CALLS, 1);
    assert_int_equal(fth_table_rows(table), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)
    const struct CMUnitTest tests[] = {
        TEST(a_new_row_is_null),
        TEST(texts_are_copied),
        TEST(equal_keys_share_a_row),
        TEST(added_rows_are_not_found),
        TEST(many_keys_are_distinguished),
        TEST(sorting_is_stable_with_null_last),
        TEST(sums_of_several_columns_order_rows),
        TEST(grouping_starts_afresh_after_a_sort),
        TEST(dull_columns_are_not_shown),
        TEST(writing_to_no_row_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
