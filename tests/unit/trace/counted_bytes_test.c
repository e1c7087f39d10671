/* What the system counted against what was seen: of processes that fork, exec, wait, and are
 * killed. */
#include "trace/merge/counted_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8, TEXTS = 64, MUCH = 1 << 20 };

static struct fth_counted_image images[MOST];
static size_t count;

/* A process image: `written` is what the system counted in the end, `seen` what of it was
 * recorded. */
static struct fth_spill_process *add(uint64_t image, uint64_t previous, int64_t pid,
                                     uint64_t written, uint64_t seen)
{
    struct fth_spill_process *process = calloc(1, sizeof *process + TEXTS);
    process->image = image;
    process->previous = previous;
    process->pid = pid;
    process->start.realtime = (int64_t)image * 10;
    process->last.realtime = 1000 - (int64_t)image; /* who starts first ends last */
    process->ended = FTH_END_EXIT;
    process->counted = FTH_COUNTED_FIRST | FTH_COUNTED_LAST;
    process->counted_last.written = written;
    process->text_bytes = (uint32_t)sprintf(process->text, "exe=/bin/p%d", (int)image) + 1;
    images[count++] =
        (struct fth_counted_image){.process = process, .seen = {.written = seen}, .complete = true};
    return process;
}

/* What is said, one after another: "p1:100 ". */
static const char *said(void)
{
    static char text[256];
    struct fth_blind_spots spots = {0};
    *text = 0;
    fth_counted_compare(images, count, &spots);
    for (size_t i = 0; i < spots.count; i++) {
        assert_int_equal(spots.list[i].kind, FTH_UNSEEN_BYTES);
        sprintf(text + strlen(text), "%s:%lld ", spots.list[i].program,
                (long long)spots.list[i].bytes_written);
    }
    fth_blind_spots_free(&spots);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)images[i].process);
    count = 0;
    return text;
}

static void a_difference_is_said(void **state)
{
    (void)state;
    add(1, 0, 10, 5 * MUCH, 4 * MUCH);
    assert_string_equal(said(), "p1:1048576 ");
    add(1, 0, 10, 5 * MUCH, 5 * MUCH);
    assert_string_equal(said(), "");
    add(1, 0, 10, 5 * MUCH + 8000, 5 * MUCH); /* so little is nothing */
    assert_string_equal(said(), "");
}

static void what_it_had_before_and_the_recorder_are_left_out(void **state)
{
    (void)state;
    struct fth_spill_process *process = add(1, 0, 10, 5 * MUCH, MUCH);
    process->counted_first.written = 3 * MUCH;
    process->counted_own.written = MUCH;
    assert_string_equal(said(), "");
}

static void children_are_those_of_who_waited(void **state)
{
    (void)state;
    add(1, 0, 10, 3 * MUCH, 0);
    add(2, 1, 11, 3 * MUCH, MUCH); /* has that of its child, too */
    add(3, 2, 12, 2 * MUCH, 0);
    assert_string_equal(said(), "p3:2097152 ");
}

static void a_child_that_outlives_was_not_waited_for(void **state)
{
    (void)state;
    add(1, 0, 10, MUCH, 0);
    add(2, 1, 11, MUCH, MUCH)->last.realtime = 5000;
    assert_string_equal(said(), "p1:1048576 ");
}

static void an_exec_goes_on(void **state)
{
    (void)state;
    struct fth_spill_process *process = add(1, 0, 10, MUCH, MUCH);
    process->ended = FTH_END_EXEC;
    process->last.realtime = 20;
    add(2, 1, 10, 4 * MUCH, MUCH)->counted_first.written = 2 * MUCH;
    assert_string_equal(said(), "p1:1048576 ");
}

static void who_was_killed_is_not_known(void **state)
{
    (void)state;
    add(1, 0, 10, 9 * MUCH, 0); /* may have waited for the next one */
    add(2, 1, 11, 0, MUCH)->counted = FTH_COUNTED_FIRST;
    assert_string_equal(said(), "");
}

static void what_is_not_complete_is_not_compared(void **state)
{
    (void)state;
    add(1, 0, 10, 9 * MUCH, 0);
    images[0].complete = false;
    assert_string_equal(said(), "");
}

static void the_linker_reads_little_at_a_time(void **state)
{
    (void)state;
    struct fth_spill_process *process = add(1, 0, 10, 0, 0);
    process->counted_last.read = 832 * 100;
    process->counted_last.reads = 100;
    assert_string_equal(said(), "");
    process = add(1, 0, 10, 0, 0);
    process->counted_last.read = 4096 * 100;
    process->counted_last.reads = 100;
    assert_string_equal(said(), "p1:0 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_is_said),
        cmocka_unit_test(what_it_had_before_and_the_recorder_are_left_out),
        cmocka_unit_test(children_are_those_of_who_waited),
        cmocka_unit_test(a_child_that_outlives_was_not_waited_for),
        cmocka_unit_test(an_exec_goes_on),
        cmocka_unit_test(who_was_killed_is_not_known),
        cmocka_unit_test(what_is_not_complete_is_not_compared),
        cmocka_unit_test(the_linker_reads_little_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
