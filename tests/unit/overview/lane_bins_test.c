/* Which bins a call counts in, and how its time and bytes are divided among them. */
#include "overview/lane_bins.h"
#include "overview/longest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* From 1000 on, 128 bins of 10 ns. */
static const struct fth_overview_axis axis = {1000, 10, 128, false};

static struct fth_overview_lane collected(struct fth_overview_lane_bins *bins)
{
    struct fth_overview_lane lane = {0};
    fth_overview_collect(bins, &lane);
    return lane;
}

static void a_call_within_a_bin(void **unused)
{
    (void)unused;
    struct fth_overview_lane_bins bins = {&axis, NULL};
    fth_overview_count(&bins, 1021, 1024);
    fth_overview_put(&bins, 1021, 1024, (uint64_t[]){100, 0});
    fth_overview_count(&bins, 1025, 1026);
    fth_overview_put(&bins, 1025, 1026, (uint64_t[]){0, 7});
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 1);
    assert_int_equal(lane.places[0].number, 2);
    assert_int_equal(lane.places[0].bin.busy, 4);
    assert_int_equal(lane.places[0].bin.calls, 2);
    assert_int_equal(lane.places[0].bin.longest, 3);
    assert_int_equal(lane.places[0].bin.read, 100);
    assert_int_equal(lane.places[0].bin.written, 7);
    free(lane.places);
}

/* 5 ns in bin 0, 10 in bin 1, 5 in bin 2: bytes likewise, and none is lost. */
static void a_call_over_bins(void **unused)
{
    (void)unused;
    struct fth_overview_lane_bins bins = {&axis, NULL};
    fth_overview_count(&bins, 1005, 1025);
    fth_overview_put(&bins, 1005, 1025, (uint64_t[]){101, 0});
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 3);
    const int64_t busy[] = {5, 10, 5};
    const uint64_t read[] = {25, 50, 26}, calls[] = {1, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(lane.places[i].number, i);
        assert_int_equal(lane.places[i].bin.busy, busy[i]);
        assert_int_equal(lane.places[i].bin.read, read[i]);
        assert_int_equal(lane.places[i].bin.calls, calls[i]);
    }
    assert_int_equal(lane.places[0].bin.longest, 20);
    free(lane.places);
}

/* Clocks that are off put calls before the begin and behind the end: these count in the first bin
 * and in the last one. */
static void calls_outside(void **unused)
{
    (void)unused;
    struct fth_overview_lane_bins bins = {&axis, NULL};
    fth_overview_count(&bins, 900, 950);
    fth_overview_put(&bins, 900, 950, (uint64_t[]){1, 0});
    fth_overview_count(&bins, 9000, 9010);
    fth_overview_put(&bins, 9000, 9010, (uint64_t[]){2, 0});
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 2);
    assert_int_equal(lane.places[0].number, 0);
    assert_int_equal(lane.places[1].number, 127);
    assert_int_equal(lane.places[1].bin.read, 2);
    free(lane.places);
}

/* Of a part of the run, 1000 to 2280: what is outside does not count, and a call over an edge has
 * as much of its bytes as of its time inside. */
static void calls_over_the_edges_of_a_part(void **unused)
{
    (void)unused;
    static const struct fth_overview_axis part = {1000, 10, 128, true};
    static const int64_t calls[][2] = {
        {900, 950}, {980, 1000}, {2280, 2290}, {990, 1005}, {2275, 2295}};
    struct fth_overview_lane_bins bins = {&part, NULL};
    for (size_t i = 0; i < 5; i++) {
        fth_overview_count(&bins, calls[i][0], calls[i][1]);
        fth_overview_put(&bins, calls[i][0], calls[i][1], (uint64_t[]){300, 0});
    }
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 2);
    assert_int_equal(lane.places[0].number, 0);
    assert_int_equal(lane.places[0].bin.busy, 5);
    assert_int_equal(lane.places[0].bin.read, 100);
    assert_int_equal(lane.places[0].bin.calls, 0);
    assert_int_equal(lane.places[1].number, 127);
    assert_int_equal(lane.places[1].bin.busy, 5);
    assert_int_equal(lane.places[1].bin.read, 75);
    assert_int_equal(lane.places[1].bin.calls, 1);
    free(lane.places);
}

/* One that takes over the whole part, and one of no time at its begin. */
static void a_part_inside_of_a_call(void **unused)
{
    (void)unused;
    static const struct fth_overview_axis part = {1000, 10, 2, true};
    struct fth_overview_lane_bins bins = {&part, NULL};
    fth_overview_put(&bins, 0, 5000, (uint64_t[]){5000, 0});
    fth_overview_count(&bins, 1000, 1000);
    fth_overview_put(&bins, 1000, 1000, (uint64_t[]){0, 7});
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(lane.places[i].bin.busy, 10);
        assert_int_equal(lane.places[i].bin.read, 10);
    }
    assert_int_equal(lane.places[0].bin.calls, 1);
    assert_int_equal(lane.places[0].bin.written, 7);
    free(lane.places);
}

static void nothing_came(void **unused)
{
    (void)unused;
    struct fth_overview_lane_bins bins = {&axis, NULL};
    struct fth_overview_lane lane = collected(&bins);
    assert_int_equal(lane.count, 0);
}

/* Of 1000 calls of a function the 10 longest are kept, of equally long ones the first. */
static void the_longest_are_kept(void **unused)
{
    (void)unused;
    struct fth_overview_longest longest = {.room = 10};
    for (int64_t i = 0; i < 1000; i++) {
        int64_t length = i * 7919 % 1000 / 2;
        fth_overview_keep(&longest, &(struct fth_overview_call){.start = i, .end = i + length});
    }
    assert_true(longest.left_out);
    assert_int_equal(longest.count, 10);
    struct fth_overview_call *calls = NULL;
    size_t count = 0;
    fth_overview_hand_over(&longest, &calls, &count);
    assert_int_equal(count, 10);
    bool seen[10] = {false};
    for (size_t i = 0; i < 10; i++) {
        int64_t length = calls[i].end - calls[i].start;
        assert_true(length >= 495 && length < 500);
        size_t place = (size_t)(length - 495) * 2;
        place += seen[place];
        assert_false(seen[place]);
        seen[place] = true;
    }
    free(calls);
}

/* Functions share the room: of three, of which one has few and short calls, each keeps its longest
 * ones, as many as the others where it has as many. */
static void each_function_keeps_its_longest(void **unused)
{
    (void)unused;
    struct fth_overview_longest longest = {.room = 20};
    for (int64_t i = 0; i < 3000; i++) {
        uint32_t function = (uint32_t)(i % 3);
        int64_t length = function == 2 ? 1 + i % 2 : 1000 + i;
        if (function != 2 || i < 9)
            fth_overview_keep(&longest, &(struct fth_overview_call){
                                            .start = i, .end = i + length, .function = function});
    }
    struct fth_overview_call *calls = NULL;
    size_t count = 0, of[3] = {0};
    fth_overview_hand_over(&longest, &calls, &count);
    for (size_t i = 0; i < count; i++) {
        of[calls[i].function]++;
        assert_true(calls[i].function == 2 || calls[i].start >= 3000 - 3 * 5);
    }
    assert_int_equal(of[0], 5);
    assert_int_equal(of[1], 5);
    assert_int_equal(of[2], 3);
    free(calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_within_a_bin),
        cmocka_unit_test(a_call_over_bins),
        cmocka_unit_test(calls_outside),
        cmocka_unit_test(nothing_came),
        cmocka_unit_test(the_longest_are_kept),
        cmocka_unit_test(calls_over_the_edges_of_a_part),
        cmocka_unit_test(a_part_inside_of_a_call),
        cmocka_unit_test(each_function_keeps_its_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
