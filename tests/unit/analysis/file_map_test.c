/* Maps of files: cells against a count of every single access, and maps that grow. */
#include "analysis/extents/file_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t sum_of(const struct fth_file_map *map, bool writes)
{
    uint64_t sum = 0;
    for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
        for (size_t column = 0; map->rows[row] && column < FTH_FILE_MAP_COLUMNS; column++)
            sum += writes ? fth_file_map_at(map, row, column).written
                          : fth_file_map_at(map, row, column).read;
    return sum;
}

static uint64_t read_at(const struct fth_file_map *map, size_t row, size_t column)
{
    return fth_file_map_at(map, row, column).read;
}

/* 100 bytes from 500 on: 12 in row 0 (of 512 bytes), 88 in row 1; at 25 ns, of columns of 10 ns. */
static void an_access_over_two_rows(void **unused)
{
    (void)unused;
    struct fth_file_map map = {0};
    fth_file_map_put(
        &map, 0, 10,
        &(struct fth_file_map_run){
            .first = 500, .behind = 600, .bytes = 100, .calls = 1, .start = 25, .last = 25});
    assert_int_equal(map.row_size, 512);
    assert_int_equal(read_at(&map, 0, 2), 12);
    assert_int_equal(read_at(&map, 1, 2), 88);
    assert_int_equal(sum_of(&map, false), 100);
    fth_file_map_free(&map);
}

/* The last byte of 128 KiB needs rows of 1 KiB: what was in rows 0 and 1 is in row 0, of shares
 * too. */
static void a_map_that_grows(void **unused)
{
    (void)unused;
    struct fth_file_map map = {0};
    fth_file_map_put(
        &map, 0, 10,
        &(struct fth_file_map_run){.first = 0, .behind = 1024, .bytes = 1024, .calls = 1});
    map.shares = calloc(1, sizeof *map.shares);
    map.share_count = 1;
    map.shares[0].rows = calloc(FTH_FILE_MAP_ROWS, sizeof *map.shares[0].rows);
    map.shares[0].rows[0].read = 512;
    map.shares[0].rows[1].read = 512;
    fth_file_map_put(
        &map, 0, 10,
        &(struct fth_file_map_run){
            .first = 131071, .behind = 131072, .bytes = 1, .calls = 1, .writes = true});
    assert_int_equal(map.row_size, 1024);
    assert_int_equal(read_at(&map, 0, 0), 1024);
    assert_int_equal(read_at(&map, 1, 0), 0);
    assert_int_equal(fth_file_map_at(&map, 127, 0).written, 1);
    assert_int_equal(map.shares[0].rows[0].read, 1024);
    assert_int_equal(map.shares[0].rows[1].read, 0);
    fth_file_map_free(&map);
}

/* The same calls as one run and one by one. */
static void a_run_is_its_calls(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 200; seed++) {
        srand(seed);
        struct fth_file_map at_once = {0}, singly = {0};
        struct fth_file_map_run run = {.bytes = 1 + (uint64_t)rand() % 3000,
                                       .calls = 1 + (uint64_t)rand() % 2000,
                                       .step = rand() % 2 ? rand() % 5000 : -(rand() % 500),
                                       .start = rand() % 1000,
                                       .writes = rand() % 2};
        run.first = 1000000 + (uint64_t)rand() % 100000;
        run.behind = run.first + run.bytes;
        run.last = run.start + rand() % 2000;
        fth_file_map_put(&at_once, 0, 10, &run);
        for (uint64_t i = 0; i < run.calls; i++) {
            struct fth_file_map_run one = run;
            one.calls = 1;
            one.first += (uint64_t)run.step * i;
            one.behind += (uint64_t)run.step * i;
            one.start = one.last =
                run.start + (run.last - run.start) * (int64_t)i / (int64_t)run.calls;
            fth_file_map_put(&singly, 0, 10, &one);
        }
        assert_int_equal(at_once.row_size, singly.row_size);
        for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
            for (size_t column = 0; column < FTH_FILE_MAP_COLUMNS; column++)
                if (read_at(&at_once, row, column) != read_at(&singly, row, column))
                    fail_msg("seed %u: %lu calls of %lu bytes from %lu on, %ld apart: row %zu, "
                             "column %zu "
                             "has %lu bytes, not %lu",
                             seed, run.calls, run.bytes, run.first, run.step, row, column,
                             read_at(&at_once, row, column), read_at(&singly, row, column));
        assert_int_equal(sum_of(&at_once, run.writes), run.bytes * run.calls);
        fth_file_map_free(&at_once);
        fth_file_map_free(&singly);
    }
}

/* A million calls are not gone through one by one, and no byte is lost. */
static void a_long_run(void **unused)
{
    (void)unused;
    struct fth_file_map map = {0};
    fth_file_map_put(
        &map, 0, 10,
        &(struct fth_file_map_run){
            .behind = 4096, .bytes = 4096, .calls = 1000000, .step = 4096, .last = 2559});
    assert_int_equal(sum_of(&map, false), UINT64_C(4096000000));
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t column = 0; column < 255; column++) {
        uint64_t sum = 0;
        for (size_t row = 0; row < FTH_FILE_MAP_ROWS; row++)
            sum += read_at(&map, row, column);
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    assert_true(most - least <= most / 8); /* evenly over time, but for a step of 4,096 */
    fth_file_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_over_two_rows),
        cmocka_unit_test(a_map_that_grows),
        cmocka_unit_test(a_run_is_its_calls),
        cmocka_unit_test(a_long_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
