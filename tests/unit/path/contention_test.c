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

static struct fth_path path_on(uint64_t ranks, uint64_t processors)
{
    return (struct fth_path){.timelines = timelines,
                             .begin = 0,
                             .end = 200,
                             .contention.node = {ranks, processors, "here"}};
}

/* The third rank sleeps, or writes, until 110: the others have worked until 10. */
static void who_sleeps_is_not_waited_for_a_processor(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_waiting(&path, 0, 10, 110);
    fth_path_note_waiting(&path, 1, 10, 110);
    fth_path_add_up_contention(&path);
    assert_int_equal(fth_path_contended(&path, 0, 0, 110, 100), 10);
    assert_int_equal(fth_path_contended(&path, 1, 0, 110, 100), 10);
    free(path.contention.pieces);
}

/* Three of them worked for 100, and two of them for another 30. */
static void who_lacked_a_processor_is_late(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_waiting(&path, 0, 100, 130);
    fth_path_note_waiting(&path, 0, 135, 150);
    fth_path_add_up_contention(&path);
    assert_int_equal(fth_path_contended(&path, 0, 0, 130, 30), 30);
    assert_int_equal(fth_path_contended(&path, 0, 130, 150, 15), 5);
    free(path.contention.pieces);
}

static void other_nodes_have_their_own_processors(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    fth_path_note_waiting(&path, 2, 100, 130);
    assert_null(path.contention.pieces);
    path = path_on(0, 0);
    fth_path_note_waiting(&path, 0, 100, 130);
    assert_null(path.contention.pieces);
}

/* A run that is longer than its pieces: too many work in a piece if they do on average. */
static void long_runs_are_looked_at_in_pieces(void **state)
{
    (void)state;
    struct fth_path path = path_on(3, 2);
    int64_t second = 1000000000;
    path.end = 1000 * second;
    fth_path_note_waiting(&path, 0, 100 * second, 300 * second);
    fth_path_add_up_contention(&path);
    int64_t contended = fth_path_contended(&path, 0, 0, 300 * second, 200 * second),
            piece = path.end / (1 << 16);
    assert_in_range(contended, 100 * second - piece, 100 * second + piece);
    assert_int_equal(fth_path_contended(&path, 0, 150 * second, 250 * second, 100 * second), 0);
    free(path.contention.pieces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sleeps_is_not_waited_for_a_processor),
        cmocka_unit_test(who_lacked_a_processor_is_late),
        cmocka_unit_test(other_nodes_have_their_own_processors),
        cmocka_unit_test(long_runs_are_looked_at_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
