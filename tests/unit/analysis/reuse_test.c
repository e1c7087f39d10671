/* What is read again and read back, and what time the calls took that did so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/passes/reuse.h"

static int64_t room;
static struct fth_reuse reuse;
static struct fth_reuse_of_all all;

static int begin(void **state)
{
    (void)state;
    room = 1000;
    reuse = (struct fth_reuse){.extents.room = &room};
    all = (struct fth_reuse_of_all){.extents.room = &room};
    return 0;
}

static int end(void **state)
{
    (void)state;
    fth_extents_empty(&all.extents);
    return 0;
}

/* Calls of one direction, `step` behind one another, that took so long together. */
static void calls(bool writes, uint64_t first, uint64_t length, uint64_t count, int64_t step,
                  int64_t time)
{
    struct fth_again_time behind[100];
    assert_true(count <= sizeof behind / sizeof *behind);
    for (uint64_t i = 1; i < count; i++)
        behind[i - 1] = (struct fth_again_time){0, time / (int64_t)count};
    const struct fth_frame frame = {.writes = writes,
                                    .reads = !writes,
                                    .data.ranges = 1,
                                    .data.first = first,
                                    .data.behind = first + length,
                                    .data.length = length,
                                    .calls = count,
                                    .data.step = step,
                                    .times.all = time,
                                    .times.first = time / (int64_t)count,
                                    .times.behind = behind,
                                    .times.apart = 1};
    fth_reuse_see(&reuse, &frame);
}

static void slow_first_reads(void **state)
{
    (void)state;
    calls(false, 0, 100, 10, 100, 10000);
    calls(false, 0, 100, 10, 100, 200);
    calls(false, 0, 100, 10, 100, 300);
    fth_reuse_add(&all, &reuse, 0);
    assert_int_equal(all.counts.read_again, 2000);
    assert_int_equal(all.counts.again_time, 500);
}

static void each_piece_twice(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10; i++) {
        calls(false, 1000 * i, 10, 1, 0, 900);
        calls(false, 1000 * i, 10, 1, 0, 10);
        calls(false, 1000 * i, 10, 1, 0, 20);
    }
    fth_reuse_add(&all, &reuse, 0);
    assert_int_equal(all.counts.read_again, 200);
    assert_int_equal(all.counts.again_time, 300);
}

static void the_same_piece_always(void **state)
{
    (void)state;
    calls(false, 0, 10, 1, 0, 900);
    for (int i = 0; i < 100; i++)
        calls(false, 0, 10, 1, 0, 3);
    fth_reuse_add(&all, &reuse, 0);
    assert_int_equal(all.counts.read_again, 1000);
    assert_int_equal(all.counts.again_time, 300);
}

static void strided(void **state)
{
    (void)state;
    calls(false, 0, 10, 100, 50, 40000);
    calls(false, 0, 10, 100, 50, 700);
    fth_reuse_add(&all, &reuse, 0);
    assert_int_equal(all.counts.read_again, 1000);
    assert_int_equal(all.counts.again_time, 700);
}

static void read_back_once_and_again(void **state)
{
    (void)state;
    calls(true, 0, 100, 10, 100, 50000);
    calls(false, 0, 100, 10, 100, 600);
    calls(false, 0, 100, 10, 100, 70);
    calls(false, 5000, 100, 10, 100, 8000); /* of nobody */
    fth_reuse_add(&all, &reuse, 0);
    assert_int_equal(all.counts.read_back, 1000);
    assert_int_equal(all.counts.back_time, 600);
    assert_int_equal(all.counts.read_again, 1000);
    assert_int_equal(all.counts.again_time, 70);
}

/* One process writes all at a time, and another one has read it until then. */
static uint64_t passed_on(int64_t written, int64_t read, int64_t error)
{
    begin(NULL);
    for (int writes = 1; writes >= 0; writes--) {
        int64_t time = writes ? written : read;
        const struct fth_frame frame = {.writes = writes,
                                        .reads = !writes,
                                        .data.ranges = 1,
                                        .data.behind = 100,
                                        .data.length = 100,
                                        .calls = 1,
                                        .times.began = time,
                                        .times.last = time,
                                        .times.start = time,
                                        .times.end = time + 10,
                                        .times.first = 10};
        reuse = (struct fth_reuse){.extents.room = &room};
        fth_reuse_see(&reuse, &frame);
        fth_reuse_add(&all, &reuse, error);
    }
    uint64_t bytes = fth_reuse_coverage(&all).passed_on;
    end(NULL);
    return bytes;
}

static void what_is_read_before_it_is_written_is_not_passed_on(void **state)
{
    (void)state;
    assert_int_equal(passed_on(1000, 2000, 0), 100);
    assert_int_equal(passed_on(2000, 1000, 0), 0);
    assert_int_equal(passed_on(2000, 1995, 0), 100); /* at the same time */
    assert_int_equal(passed_on(2000, 1000, 600), 100);
    assert_int_equal(passed_on(2000, 1000, -1), 100);
}

/* The longest of several calls is not the last one: the file was emptied when that was over. */
static void emptied_after_short_read(void **state)
{
    (void)state;
    const struct fth_again_time behind[] = {{2000, 2001}};
    struct fth_frame frame = {
        .writes = true,
        .data = {.ranges = 1, .behind = 100, .length = 100, .step = 100},
        .calls = 2,
        .times = {
            .end = 1000, .began = 0, .last = 2000, .first = 1000, .behind = behind, .apart = 1}};
    fth_reuse_see(&reuse, &frame);
    fth_reuse_empty(&reuse, 2001, 2002);
    assert_false(reuse.may_be_cut);
    frame.times.last = 2002;
    fth_reuse_see(&reuse, &frame);
    fth_reuse_empty(&reuse, 2001, 2002);
    assert_true(reuse.may_be_cut);
    fth_reuse_add(&all, &reuse, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(slow_first_reads, begin, end),
        cmocka_unit_test_setup_teardown(emptied_after_short_read, begin, end),
        cmocka_unit_test_setup_teardown(each_piece_twice, begin, end),
        cmocka_unit_test_setup_teardown(the_same_piece_always, begin, end),
        cmocka_unit_test_setup_teardown(strided, begin, end),
        cmocka_unit_test_setup_teardown(read_back_once_and_again, begin, end),
        cmocka_unit_test(what_is_read_before_it_is_written_is_not_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
