/* What a workflow would take with faster I/O: as recorded if nothing is faster; less along the path
 * alone; and who reads what another one writes meanwhile ends behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "workflow/graph/what_if.h"

#include <string.h>

enum { S = 1000 };

static uint32_t add_step(struct fth_workflow *workflow, int64_t start, int64_t end, int64_t io,
                         int64_t waiting)
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
    step->io = io * S;
    step->waiting = waiting * S;
    step->own = step->end - step->start - step->io - step->waiting;
    return workflow->step_count - 1;
}

static void hand_on(struct fth_workflow *workflow, uint32_t from, uint32_t to, const char *file,
                    int64_t written, int64_t read)
{
    struct fth_workflow_use use = {.step = from,
                                   .process = FTH_NO_STEP,
                                   .file = fth_workflow_file_number(workflow, file),
                                   .first_read = FTH_NEVER,
                                   .last_read = FTH_NEVER,
                                   .first_write = written * S,
                                   .last_write = written * S,
                                   .written = 10,
                                   .written_to = 10,
                                   .opened = FTH_NEVER,
                                   .closed = FTH_NEVER};
    fth_workflow_add_use(workflow, &use);
    use.step = to;
    use.first_read = use.last_read = read * S;
    use.first_write = use.last_write = FTH_NEVER;
    use.read = use.read_to = 10;
    use.written = use.written_to = 0;
    fth_workflow_add_use(workflow, &use);
}

static void check(struct fth_workflow *workflow, double share, int64_t expected)
{
    struct fth_workflow_graph graph;
    fth_workflow_graph_make(&graph, workflow);
    assert_int_equal(fth_workflow_with_io(&graph, share), expected * S);
    fth_workflow_graph_free(&graph);
}

static void steps_in_a_row(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    uint32_t one = add_step(&workflow, 0, 10, 4, 0), other = add_step(&workflow, 0, 6, 6, 0),
             last = add_step(&workflow, 12, 20, 2, 0);
    hand_on(&workflow, one, last, "/a", 9, 13);
    hand_on(&workflow, other, last, "/b", 5, 14);
    check(&workflow, 1, 20);
    check(&workflow, 0.5, 17);
    check(&workflow, 0, 14);
    fth_workflow_free(&workflow);
}

static void steps_at_once(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    uint32_t from = add_step(&workflow, 0, 10, 4, 0), to = add_step(&workflow, 1, 11, 0, 7);
    hand_on(&workflow, from, to, "pipe:[1]@node", 1, 2);
    check(&workflow, 1, 11);
    check(&workflow, 0, 7);
    fth_workflow_free(&workflow);
}

/* What the script does behind its last step stays. */
static void script_goes_on(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    uint32_t script = add_step(&workflow, 0, 15, 0, 0);
    workflow.steps[script].is_script = true;
    add_step(&workflow, 1, 10, 4, 0);
    check(&workflow, 1, 15);
    check(&workflow, 0, 11);
    fth_workflow_free(&workflow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_in_a_row),
        cmocka_unit_test(steps_at_once),
        cmocka_unit_test(script_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
