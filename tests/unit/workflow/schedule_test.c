/* The critical path through pipes: of two steps that run at the same time, it goes through the one
 * that the other waits for, whoever of them writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "workflow/graph/schedule.h"

enum { S = 1000 };

static uint32_t add_step(struct fth_workflow *workflow, int64_t start, int64_t end)
{
    struct fth_workflow_step *step = fth_workflow_add_step(workflow);
    step->program = fth_text_copy("program");
    step->command = fth_text_copy("program");
    step->directory = fth_text_copy("/");
    step->host = fth_text_copy("node");
    step->ended = fth_text_copy("exit 0");
    step->trace = fth_text_copy("trace");
    step->start = start * S;
    step->end = end * S;
    step->own = step->end - step->start;
    return workflow->step_count - 1;
}

/* They share a pipe from `first` to `last`, and wait so long in it. */
static void join(struct fth_workflow *workflow, uint32_t from, uint32_t to, const char *pipe,
                 int64_t first, int64_t last, int64_t writing, int64_t reading)
{
    struct fth_workflow_use use = {.step = from,
                                   .process = FTH_NO_STEP,
                                   .file = fth_workflow_file_number(workflow, pipe),
                                   .first_read = FTH_NEVER,
                                   .last_read = FTH_NEVER,
                                   .first_write = first * S,
                                   .last_write = last * S,
                                   .written = 10,
                                   .written_to = UINT64_MAX,
                                   .read_to = UINT64_MAX,
                                   .opened = FTH_NEVER,
                                   .closed = FTH_NEVER,
                                   .writing = writing * S};
    fth_workflow_add_use(workflow, &use);
    use.step = to;
    use.first_read = (first + 1) * S;
    use.last_read = (last + 1) * S;
    use.first_write = use.last_write = FTH_NEVER;
    use.read = 10;
    use.written = 0;
    use.writing = 0;
    use.reading = reading * S;
    fth_workflow_add_use(workflow, &use);
}

/* The path is of these steps, and no more. */
static void check_path(struct fth_workflow *workflow, struct fth_workflow_schedule *schedule,
                       const uint32_t *steps, uint32_t count)
{
    struct fth_workflow_graph graph;
    fth_workflow_graph_make(&graph, workflow);
    fth_workflow_schedule_make(schedule, &graph);
    assert_int_equal(schedule->held_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(schedule->held[i].step, steps[i]);
    fth_workflow_graph_free(&graph);
}

static void drop(struct fth_workflow *workflow, struct fth_workflow_schedule *schedule)
{
    fth_workflow_schedule_free(schedule);
    fth_workflow_free(workflow);
}

static void writer_waits_for_reader(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_schedule schedule;
    uint32_t writer = add_step(&workflow, 0, 95), reader = add_step(&workflow, 1, 100);
    join(&workflow, writer, reader, "pipe:[1]@node", 2, 94, 90, 3);
    check_path(&workflow, &schedule, &reader, 1);
    assert_int_equal(schedule.held[0].from, 1 * S);
    assert_int_equal(schedule.held[0].to, 100 * S);
    assert_int_equal(schedule.held[0].waiter, writer);
    assert_true(schedule.held[0].waiter_time == 90 * S);
    drop(&workflow, &schedule);
}

static void reader_waits_for_writer(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_schedule schedule;
    uint32_t writer = add_step(&workflow, 0, 60), reader = add_step(&workflow, 1, 100);
    join(&workflow, writer, reader, "pipe:[1]@node", 2, 59, 1, 55);
    check_path(&workflow, &schedule, (const uint32_t[]){writer, reader}, 2);
    assert_int_equal(schedule.held[1].from, 60 * S);
    assert_int_equal(schedule.held[1].waiter, FTH_NO_STEP);
    assert_false(schedule.held[1].full_pipe);
    drop(&workflow, &schedule);
}

/* The writer is the last to end; what it does behind its pipe is its own. */
static void writer_goes_on(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_schedule schedule;
    uint32_t writer = add_step(&workflow, 0, 100), reader = add_step(&workflow, 1, 80);
    join(&workflow, writer, reader, "pipe:[1]@node", 2, 78, 70, 2);
    check_path(&workflow, &schedule, (const uint32_t[]){reader, writer}, 2);
    assert_int_equal(schedule.held[1].from, 80 * S);
    assert_true(schedule.held[1].full_pipe);
    drop(&workflow, &schedule);
}

/* A pipeline waits for the one in its middle, which is seen to end behind who reads from it. */
static void both_wait_for_the_middle(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_schedule schedule;
    uint32_t first = add_step(&workflow, 0, 95), middle = add_step(&workflow, 1, 101),
             last = add_step(&workflow, 2, 100), behind = add_step(&workflow, 3, 120);
    join(&workflow, first, middle, "pipe:[1]@node", 2, 94, 90, 3);
    join(&workflow, middle, last, "pipe:[2]@node", 5, 98, 1, 90);
    join(&workflow, last, behind, "pipe:[3]@node", 6, 99, 2, 91);
    check_path(&workflow, &schedule, (const uint32_t[]){middle, last, behind}, 3);
    assert_int_equal(schedule.held[0].waiter, first);
    assert_int_equal(schedule.held[1].from, schedule.held[1].to);
    drop(&workflow, &schedule);
}

/* Without times the reader comes behind its writer. */
static void waits_are_not_known(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_schedule schedule;
    uint32_t writer = add_step(&workflow, 0, 95), reader = add_step(&workflow, 1, 100);
    join(&workflow, writer, reader, "pipe:[1]@node", 2, 94, 0, 0);
    check_path(&workflow, &schedule, (const uint32_t[]){writer, reader}, 2);
    drop(&workflow, &schedule);
}

/* ---- other orders, and queues ---- */

static struct fth_workflow_schedule schedule_of(struct fth_workflow *workflow)
{
    struct fth_workflow_schedule schedule;
    struct fth_workflow_graph graph;
    fth_workflow_graph_make(&graph, workflow);
    fth_workflow_schedule_make(&schedule, &graph);
    fth_workflow_graph_free(&graph);
    return schedule;
}

/* Who reads from a pipe may begin with its writer, and behind a file when that is written. */
static void what_streams_runs_together(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    uint32_t writer = add_step(&workflow, 0, 60), reader = add_step(&workflow, 1, 100);
    join(&workflow, writer, reader, "pipe:[1]@node", 2, 59, 1, 55);
    struct fth_workflow_schedule schedule = schedule_of(&workflow);
    assert_true(schedule.unlimited == 99 * S);
    drop(&workflow, &schedule);
    writer = add_step(&workflow, 0, 40);
    reader = add_step(&workflow, 60, 100);
    join(&workflow, writer, reader, "/file", 20, 70, 1, 1);
    schedule = schedule_of(&workflow);
    assert_true(schedule.unlimited == 80 * S);
    drop(&workflow, &schedule);
}

/* Two steps at a time on two processors, or one that has two ranks. */
static void processors_are_shared(void **state)
{
    (void)state;
    for (uint32_t ranks = 1; ranks <= 2; ranks++) {
        struct fth_workflow workflow = {.processors = 2};
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t step = add_step(&workflow, 10 * i, 10 * i + 10);
            workflow.steps[step].ranks = ranks;
        }
        struct fth_workflow_schedule schedule = schedule_of(&workflow);
        assert_true(schedule.unlimited == 10 * S);
        assert_true(schedule.possible == (ranks == 1 ? 20 : 30) * S);
        drop(&workflow, &schedule);
    }
}

/* From the end of what it needs to the start of its job; not what the job does first. */
static void a_job_was_in_the_queue(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    uint32_t writer = add_step(&workflow, 0, 10), reader = add_step(&workflow, 30, 40);
    join(&workflow, writer, reader, "/file", 5, 35, 1, 1);
    workflow.steps[reader].job = fth_text_copy("Slurm job 7");
    struct fth_workflow_job *job = fth_workflow_job(&workflow, "7", NULL);
    job->submit = 5 * S;
    job->start = 25 * S;
    struct fth_workflow_schedule schedule = schedule_of(&workflow);
    assert_int_equal(schedule.held_count, 2);
    assert_true(schedule.held[1].waited == 20 * S);
    assert_true(schedule.held[1].queued == 15 * S);
    drop(&workflow, &schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer_waits_for_reader), cmocka_unit_test(reader_waits_for_writer),
        cmocka_unit_test(writer_goes_on),          cmocka_unit_test(both_wait_for_the_middle),
        cmocka_unit_test(waits_are_not_known),     cmocka_unit_test(what_streams_runs_together),
        cmocka_unit_test(processors_are_shared),   cmocka_unit_test(a_job_was_in_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
