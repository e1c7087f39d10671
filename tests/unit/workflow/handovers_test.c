/* Which model is enough between steps: by closes, ends of processes and opens, by who waited for
 * whom, by jobs and clocks; and where nothing of this is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "workflow/graph/handovers.h"

#include <string.h>

static uint32_t add_step(struct fth_workflow *workflow, const char *trace, const char *host,
                         int64_t start, int64_t end)
{
    struct fth_workflow_step *step = fth_workflow_add_step(workflow);
    step->program = fth_text_copy("program");
    step->command = fth_text_copy("program");
    step->directory = fth_text_copy("/");
    step->host = fth_text_copy(host);
    step->ended = fth_text_copy("exit 0");
    step->trace = fth_text_copy(trace);
    step->start = start;
    step->end = end;
    return workflow->step_count - 1;
}

static uint32_t add_process(struct fth_workflow *workflow, uint32_t parent, int64_t started,
                            int64_t gone)
{
    return fth_workflow_add_process(workflow,
                                    &(struct fth_workflow_process){parent, true, started, gone});
}

static struct fth_workflow_use *add_use(struct fth_workflow *workflow, uint32_t step,
                                        uint32_t process)
{
    const struct fth_workflow_use use = {.step = step,
                                         .process = process,
                                         .file = fth_workflow_file_number(workflow, "/f"),
                                         .first_read = FTH_NEVER,
                                         .last_read = FTH_NEVER,
                                         .first_write = FTH_NEVER,
                                         .last_write = FTH_NEVER,
                                         .opened = FTH_NEVER,
                                         .closed = FTH_NEVER};
    fth_workflow_add_use(workflow, &use);
    return &workflow->uses[workflow->use_count - 1];
}

static void write_at(struct fth_workflow_use *use, int64_t from, int64_t to, int64_t closed)
{
    use->first_write = from;
    use->last_write = to;
    use->written = use->written_to = 100;
    use->closed = closed;
}

static void read_at(struct fth_workflow_use *use, int64_t from, int64_t to, int64_t opened)
{
    use->first_read = from;
    use->last_read = to;
    use->read = use->read_to = 100;
    use->opened = opened;
}

/* The only one of the workflow, which is freed. `enough` NULL: not known. */
static void check(struct fth_workflow *workflow, enum fth_handover_order order, const char *enough)
{
    struct fth_workflow_graph graph;
    struct fth_handovers handovers;
    fth_workflow_graph_make(&graph, workflow);
    fth_handovers_find(&handovers, &graph);
    assert_int_equal(handovers.count, 1);
    assert_string_equal(fth_handover_order_word(handovers.list->order),
                        fth_handover_order_word(order));
    if (enough)
        assert_string_equal(handovers.list->enough ? handovers.list->enough : "none", enough);
    else
        assert_null(handovers.list->enough);
    fth_handovers_free(&handovers);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(workflow);
}

/* A script, process 0, that starts the writer and the reader, each as a process of its own. */
static void two_children(struct fth_workflow *workflow, int64_t gone, int64_t started)
{
    uint32_t from = add_step(workflow, "t", "n", 10, 20), to = add_step(workflow, "t", "n", 40, 50);
    add_process(workflow, FTH_NO_STEP, FTH_NEVER, FTH_NEVER);
    uint32_t writer = add_process(workflow, 0, 9, gone),
             reader = add_process(workflow, 0, started, 51);
    write_at(add_use(workflow, from, writer), 11, 12, FTH_NEVER);
    read_at(add_use(workflow, to, reader), 42, 43, 41);
}

static void who_waited_started_the_reader(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    two_children(&workflow, 21, 39);
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "session");
    /* It got the open file from the script. */
    two_children(&workflow, 21, 39);
    workflow.uses[1].opened = FTH_NEVER;
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "commit");
    /* The script waited behind the start of the reader, never, or in some other thread. */
    two_children(&workflow, 45, 39);
    check(&workflow, FTH_ORDER_UNSEEN, NULL);
    two_children(&workflow, FTH_NEVER, 39);
    check(&workflow, FTH_ORDER_UNSEEN, NULL);
    two_children(&workflow, 21, 39);
    workflow.processes[0].one_thread = false;
    check(&workflow, FTH_ORDER_UNSEEN, NULL);
    two_children(&workflow, 21, 39);
    write_at(&workflow.uses[0], 11, 44, FTH_NEVER);
    workflow.processes[1].gone = 60;
    check(&workflow, FTH_NOT_ORDERED, NULL);
    two_children(&workflow, 21, 39);
    workflow.uses[1].process = FTH_NO_STEP;
    check(&workflow, FTH_ORDER_OLD, NULL);
}

/* The writer's process started that of the reader. */
static void parent_and_child(struct fth_workflow *workflow, int64_t closed)
{
    uint32_t from = add_step(workflow, "t", "n", 10, 60), to = add_step(workflow, "t", "n", 40, 50);
    uint32_t writer = add_process(workflow, FTH_NO_STEP, FTH_NEVER, FTH_NEVER),
             reader = add_process(workflow, writer, 39, 51);
    write_at(add_use(workflow, from, writer), 11, 12, closed);
    read_at(add_use(workflow, to, reader), 42, 43, 41);
}

static void scripts_that_write(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    parent_and_child(&workflow, 13);
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "session");
    parent_and_child(&workflow, FTH_NEVER);
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "posix");
    parent_and_child(&workflow, 55);
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "posix");
    parent_and_child(&workflow, 13);
    write_at(&workflow.uses[0], 11, 41, 41);
    check(&workflow, FTH_ORDER_UNSEEN, NULL);
    /* The other way round: the script reads what its child wrote. */
    uint32_t to = add_step(&workflow, "t", "n", 1, 60),
             from = add_step(&workflow, "t", "n", 10, 20),
             script = add_process(&workflow, FTH_NO_STEP, FTH_NEVER, FTH_NEVER),
             child = add_process(&workflow, script, 9, 21);
    write_at(add_use(&workflow, from, child), 11, 12, 13);
    read_at(add_use(&workflow, to, script), 42, 43, 41);
    check(&workflow, FTH_ORDERED_BY_PROCESSES, "session");
}

static void two_traces(struct fth_workflow *workflow, const char *host, int64_t start)
{
    uint32_t from = add_step(workflow, "t", "n", 10, 20),
             to = add_step(workflow, "other", host, start, 50);
    uint32_t writer = add_process(workflow, FTH_NO_STEP, FTH_NEVER, FTH_NEVER),
             reader = add_process(workflow, FTH_NO_STEP, FTH_NEVER, FTH_NEVER);
    write_at(add_use(workflow, from, writer), 11, 12, 13);
    read_at(add_use(workflow, to, reader), 42, 43, 41);
}

static void traces_and_jobs(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    two_traces(&workflow, "n", 40);
    check(&workflow, FTH_ORDERED_BY_CLOCK, "session");
    two_traces(&workflow, "n", 15);
    check(&workflow, FTH_ORDER_UNSEEN, NULL);
    two_traces(&workflow, "other", 40);
    check(&workflow, FTH_ORDER_CLOCKS, NULL);
    /* 3 needs 2, which needs 1. */
    two_traces(&workflow, "other", 40);
    workflow.steps[0].job = fth_text_copy("Slurm job 1");
    workflow.steps[1].job = fth_text_copy("Slurm job 3");
    fth_workflow_job(&workflow, "1", NULL);
    struct fth_workflow_job *job = fth_workflow_job(&workflow, "2", NULL);
    free(job->needs);
    job->needs = fth_text_copy("1");
    job = fth_workflow_job(&workflow, "3", NULL);
    free(job->needs);
    job->needs = fth_text_copy("2");
    check(&workflow, FTH_ORDERED_BY_JOBS, "session");
}

/* A third step changes what was read, before or after the script knew that the reader was over. */
static void changed_again(void **state)
{
    (void)state;
    for (int waited = 0; waited < 2; waited++) {
        struct fth_workflow workflow = {0};
        struct fth_workflow_graph graph;
        struct fth_handovers handovers;
        two_children(&workflow, 21, 39);
        uint32_t third = add_step(&workflow, "t", "n", 60, 70),
                 process = add_process(&workflow, 0, waited ? 59 : 45, 71);
        write_at(add_use(&workflow, third, process), 61, 62, 63);
        fth_workflow_graph_make(&graph, &workflow);
        fth_handovers_find(&handovers, &graph);
        assert_int_equal(handovers.count, 3);
        for (uint32_t i = 0; i < 3; i++) {
            const struct fth_handover *handover = &handovers.list[i];
            bool known = waited || handover->hazard != FTH_PASSING_CHANGE;
            assert_int_equal(handover->enough != NULL, known);
            if (known)
                assert_string_equal(handover->enough,
                                    handover->hazard == FTH_PASSING_READ     ? "session"
                                    : handover->hazard == FTH_PASSING_CHANGE ? "eventual"
                                                                             : "commit");
        }
        fth_handovers_free(&handovers);
        fth_workflow_graph_free(&graph);
        fth_workflow_free(&workflow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waited_started_the_reader),
        cmocka_unit_test(scripts_that_write),
        cmocka_unit_test(traces_and_jobs),
        cmocka_unit_test(changed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
