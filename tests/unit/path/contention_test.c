/* Waits that may be for a processor: where more ranks worked than there are processors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "path/run_flow.h"

#include <stdlib.h>

enum { RANKS = 3 };
static struct fth_process processes[RANKS] = {
    {.host = "here"}, {.host = "here"}, {.host = "there"}};
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    (void)trace;
    return &processes[proc];
}

static struct fth_thread_timeline timelines[RANKS] = {{.proc = 0}, {.proc = 1}, {.proc = 2}};
static struct fth_wait_sum sums[RANKS];

static struct fth_path path_on(uint64_t ranks, uint64_t processors)
{
    for (int i = 0; i < RANKS; i++)
        sums[i] = (struct fth_wait_sum){0};
    return (struct fth_path){.timelines = timelines,
                             .contention.node = {ranks, processors, "here"},
                             .results.waits = sums};
}

/* The third rank sleeps, or writes, until 110: the others have worked until 10. */
static void who_sleeps_is_not_waited_for_a_processor(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_contention(&path, 0, 0, 0, 110, 100);
    fth_path_note_contention(&path, 1, 1, 0, 110, 100);
    fth_path_weigh_contention(&path);
    assert_int_equal(sums[0].contended, 10);
    assert_int_equal(sums[1].contended, 10);
}

/* Three of them worked for 100, and two of them for another 30. */
static void who_lacked_a_processor_is_late(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_contention(&path, 0, 0, 0, 130, 30);
    fth_path_note_contention(&path, 0, 0, 130, 150, 15);
    fth_path_weigh_contention(&path);
    assert_int_equal(sums[0].contended, 30 + 5);
}

static void other_nodes_have_their_own_processors(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_contention(&path, 2, 2, 0, 130, 30);
    assert_int_equal(path.contention.wait_count, 0);
    path = path_on(0, 0);
    fth_path_note_contention(&path, 0, 0, 0, 130, 30);
    assert_int_equal(path.contention.wait_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sleeps_is_not_waited_for_a_processor),
        cmocka_unit_test(who_lacked_a_processor_is_late),
        cmocka_unit_test(other_nodes_have_their_own_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
