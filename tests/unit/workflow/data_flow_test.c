/* Who needs whom: by the last writers of the bytes that are read, through new names, where a file
 * is made anew, deleted or appended to, and where data goes in a circle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "workflow/graph/data_flow.h"
#include "workflow/graph/schedule.h"

#include <string.h>

static uint32_t add_step(struct fth_workflow *workflow, int64_t start, int64_t end)
{
    struct fth_workflow_step *step = fth_workflow_add_step(workflow);
    step->program = fth_text_copy("program");
    step->command = fth_text_copy("program");
    step->directory = fth_text_copy("/");
    step->host = fth_text_copy("node");
    step->ended = fth_text_copy("exit 0");
    step->trace = fth_text_copy("trace");
    step->start = start;
    step->end = end;
    return workflow->step_count - 1;
}

static void reads(struct fth_workflow *workflow, uint32_t step, const char *file, int64_t time,
                  uint64_t from, uint64_t to)
{
    fth_workflow_add_use(workflow, &(struct fth_workflow_use){
                                       .step = step,
                                       .file = fth_workflow_file_number(workflow, file),
                                       .first_read = time,
                                       .last_read = time + 1,
                                       .read = to - from,
                                       .read_from = from,
                                       .read_to = to,
                                       .first_write = FTH_NEVER,
                                       .last_write = FTH_NEVER,
                                   });
}

static void writes(struct fth_workflow *workflow, uint32_t step, const char *file, int64_t time,
                   uint64_t from, uint64_t to, bool fresh)
{
    fth_workflow_add_use(workflow, &(struct fth_workflow_use){
                                       .step = step,
                                       .file = fth_workflow_file_number(workflow, file),
                                       .first_read = FTH_NEVER,
                                       .last_read = FTH_NEVER,
                                       .first_write = time,
                                       .last_write = time + 1,
                                       .written = to - from,
                                       .written_from = from,
                                       .written_to = to,
                                       .fresh = fresh,
                                   });
}

static void changes(struct fth_workflow *workflow, enum fth_workflow_change_kind kind,
                    uint32_t step, const char *file, const char *other, int64_t time)
{
    const struct fth_workflow_change change = {
        .kind = kind,
        .step = step,
        .file = fth_workflow_file_number(workflow, file),
        .other = other ? fth_workflow_file_number(workflow, other) : 0,
        .time = time,
    };
    fth_workflow_add_change(workflow, &change);
}

/* Bytes that `to` has from `from`; -1: no data joins them. */
static int64_t bytes_between(const struct fth_workflow_graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = graph->first_edge[to]; i < graph->first_edge[to + 1]; i++)
        if (graph->edges[i].from == from && graph->edges[i].kind == FTH_EDGE_DATA)
            return (int64_t)graph->edges[i].bytes;
    return -1;
}

static bool is_ordered(const struct fth_workflow_graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t i = graph->first_edge[to]; i < graph->first_edge[to + 1]; i++)
        if (graph->edges[i].from == from && graph->edges[i].kind == FTH_EDGE_ORDER)
            return true;
    return false;
}

static void last_writers_of_what_is_read(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t first = add_step(&workflow, 0, 10), second = add_step(&workflow, 20, 30),
             all = add_step(&workflow, 40, 50), end = add_step(&workflow, 60, 70),
             outside = add_step(&workflow, 80, 90);
    writes(&workflow, first, "/f", 1, 0, 100, true);
    writes(&workflow, second, "/f", 21, 50, 100, false);
    reads(&workflow, all, "/f", 41, 0, 100);
    reads(&workflow, end, "/f", 61, 60, 80);
    reads(&workflow, outside, "/f", 81, 200, 300);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, first, all), 50);
    assert_int_equal(bytes_between(&graph, second, all), 50);
    assert_int_equal(bytes_between(&graph, first, end), -1);
    assert_int_equal(bytes_between(&graph, second, end), 20);
    assert_int_equal(bytes_between(&graph, first, outside), -1);
    /* The second one replaced bytes of the first. */
    assert_int_equal(bytes_between(&graph, first, second), 0);
    assert_int_equal(graph.level[all], 2);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* Who changes a file in place comes behind those who read or wrote these bytes; those who append to
 * it are in no order. */
static void changes_in_place(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t maker = add_step(&workflow, 0, 10), reader = add_step(&workflow, 20, 30),
             beside = add_step(&workflow, 40, 50), inside = add_step(&workflow, 60, 70),
             one = add_step(&workflow, 0, 10), other = add_step(&workflow, 20, 30);
    writes(&workflow, maker, "/f", 1, 0, 100, true);
    reads(&workflow, reader, "/f", 21, 0, 50);
    writes(&workflow, beside, "/f", 41, 200, 300, false);
    writes(&workflow, inside, "/f", 61, 10, 20, false);
    writes(&workflow, one, "/log", 1, 0, UINT64_MAX, false);
    writes(&workflow, other, "/log", 21, 0, UINT64_MAX, false);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, maker, beside), -1);
    assert_int_equal(bytes_between(&graph, reader, beside), -1);
    assert_int_equal(bytes_between(&graph, maker, inside), 0);
    assert_int_equal(bytes_between(&graph, reader, inside), 0);
    assert_int_equal(bytes_between(&graph, beside, inside), -1);
    assert_int_equal(bytes_between(&graph, one, other), -1);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* A file is there as long as it has a name, and a symbolic link is no file. */
static void several_names(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t maker = add_step(&workflow, 0, 10), linker = add_step(&workflow, 20, 30),
             remover = add_step(&workflow, 40, 50), reader = add_step(&workflow, 60, 70),
             replacer = add_step(&workflow, 80, 90);
    writes(&workflow, maker, "/a", 1, 0, 100, true);
    changes(&workflow, FTH_CHANGE_LINK, linker, "/a", "/b", 21);
    changes(&workflow, FTH_CHANGE_POINT, linker, "/s", NULL, 22);
    changes(&workflow, FTH_CHANGE_DELETE, remover, "/a", NULL, 41);
    reads(&workflow, reader, "/b", 61, 0, 100);
    writes(&workflow, reader, "/s", 62, 0, 0, true);
    writes(&workflow, replacer, "/new", 81, 0, 10, true);
    changes(&workflow, FTH_CHANGE_RENAME, replacer, "/new", "/b", 83);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, maker, reader), 100);
    assert_int_equal(bytes_between(&graph, reader, replacer), 0);
    assert_int_equal(graph.content_count, 2);
    assert_string_equal(fth_workflow_file(&workflow, graph.contents[0].file), "/b");
    assert_true(graph.contents[0].deleted && !graph.contents[1].deleted);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* The number of a pipe comes again, so two traces share one only if their steps ran at once. */
static void pipes_of_two_traces(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t writer = add_step(&workflow, 0, 10), beside = add_step(&workflow, 5, 30),
             later = add_step(&workflow, 40, 50);
    workflow.steps[beside].trace[0] = 'T';
    workflow.steps[later].trace[0] = 'L';
    writes(&workflow, writer, "pipe:[1]@node", 1, 0, UINT64_MAX, false);
    reads(&workflow, beside, "pipe:[1]@node", 11, 0, UINT64_MAX);
    reads(&workflow, later, "pipe:[1]@node", 41, 0, UINT64_MAX);
    for (uint32_t i = 0; i < workflow.use_count; i++)
        workflow.uses[i].read = workflow.uses[i].written = 5;
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, writer, beside), 5);
    assert_int_equal(bytes_between(&graph, writer, later), -1);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* A reader of a pipe waits for all that hold it, whatever they write; and what comes next waits for
 * the whole pipeline, but not again for what its commands have waited for. */
static void ends_of_pipes(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t first = add_step(&workflow, 0, 10), silent = add_step(&workflow, 11, 100),
             reader = add_step(&workflow, 1, 99), behind = add_step(&workflow, 1, 120),
             beside = add_step(&workflow, 1, 110), next = add_step(&workflow, 130, 140),
             last = add_step(&workflow, 150, 160), gone_on = add_step(&workflow, 1, 200);
    uint32_t one = fth_workflow_file_number(&workflow, "pipe:[1]@node"),
             other = fth_workflow_file_number(&workflow, "pipe:[2]@node");
    fth_workflow_add_hold(&workflow, (struct fth_workflow_hold){first, reader, one});
    fth_workflow_add_hold(&workflow, (struct fth_workflow_hold){silent, reader, one});
    fth_workflow_add_hold(&workflow, (struct fth_workflow_hold){reader, behind, other});
    fth_workflow_add_hold(&workflow, (struct fth_workflow_hold){gone_on, reader, one});
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, first, reader), 0);
    assert_int_equal(bytes_between(&graph, silent, reader), 0);
    assert_int_equal(bytes_between(&graph, reader, behind), 0);
    assert_int_equal(bytes_between(&graph, gone_on, reader), -1);
    assert_true(is_ordered(&graph, behind, next));
    assert_true(is_ordered(&graph, reader, next));
    assert_true(is_ordered(&graph, silent, next));
    assert_false(is_ordered(&graph, first, next));
    assert_false(is_ordered(&graph, beside, next));
    assert_true(is_ordered(&graph, next, last));
    assert_false(is_ordered(&graph, reader, last));
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* What was read before it was written is not needed, and who makes a file anew comes behind its
 * readers. */
static void versions_of_a_file(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t before = add_step(&workflow, 0, 10), old = add_step(&workflow, 20, 30),
             reader = add_step(&workflow, 40, 50), anew = add_step(&workflow, 60, 70),
             again = add_step(&workflow, 80, 90);
    reads(&workflow, before, "/f", 1, 0, 100);
    writes(&workflow, old, "/f", 21, 0, 100, false);
    reads(&workflow, reader, "/f", 41, 0, 100);
    writes(&workflow, anew, "/f", 61, 0, 10, true);
    reads(&workflow, again, "/f", 81, 0, 10);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, old, before), -1);
    assert_int_equal(bytes_between(&graph, old, reader), 100);
    assert_int_equal(bytes_between(&graph, reader, anew), 0);
    assert_int_equal(bytes_between(&graph, anew, again), 10);
    assert_int_equal(bytes_between(&graph, old, again), -1);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

static void names_that_change(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t writer = add_step(&workflow, 0, 10), mover = add_step(&workflow, 20, 30),
             reader = add_step(&workflow, 40, 50), other = add_step(&workflow, 60, 70),
             remover = add_step(&workflow, 80, 90);
    writes(&workflow, writer, "/part", 1, 0, 100, true);
    changes(&workflow, FTH_CHANGE_RENAME, mover, "/part", "/whole", 21);
    reads(&workflow, reader, "/whole", 41, 0, 100);
    reads(&workflow, other, "/part", 61, 0, 100);
    changes(&workflow, FTH_CHANGE_DELETE, remover, "/whole", NULL, 81);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, writer, mover), 0);
    assert_int_equal(bytes_between(&graph, writer, reader), 100);
    assert_int_equal(bytes_between(&graph, mover, reader), 0);
    assert_int_equal(bytes_between(&graph, writer, other), -1);
    assert_int_equal(bytes_between(&graph, reader, remover), 0);
    assert_int_equal(graph.level[remover], 3);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* Two programs that talk through two pipes: each needs the other, and there is an end. */
/* What nobody was seen to write has come with a folder above it, or was there. */
static void folders_that_get_a_name(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    uint32_t mover = add_step(&workflow, 0, 10), reader = add_step(&workflow, 20, 30),
             other = add_step(&workflow, 40, 50);
    changes(&workflow, FTH_CHANGE_RENAME, mover, "/part", "/whole", 5);
    reads(&workflow, reader, "/whole/inside/file", 21, 0, 100);
    reads(&workflow, other, "/elsewhere/file", 41, 0, 100);
    fth_workflow_graph_make(&graph, &workflow);
    assert_int_equal(bytes_between(&graph, mover, reader), 0);
    assert_int_equal(bytes_between(&graph, mover, other), -1);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

static void data_in_a_circle(void **state)
{
    (void)state;
    struct fth_workflow workflow = {0};
    struct fth_workflow_graph graph;
    struct fth_workflow_schedule schedule;
    uint32_t one = add_step(&workflow, 0, 100), two = add_step(&workflow, 1, 90);
    writes(&workflow, one, "pipe:[1]@node", 2, 0, UINT64_MAX, false);
    writes(&workflow, two, "pipe:[2]@node", 4, 0, UINT64_MAX, false);
    reads(&workflow, two, "pipe:[1]@node", 3, 0, 10);
    reads(&workflow, one, "pipe:[2]@node", 5, 0, 10);
    fth_workflow_graph_make(&graph, &workflow);
    fth_workflow_schedule_make(&schedule, &graph);
    assert_true(bytes_between(&graph, one, two) >= 0 && bytes_between(&graph, two, one) >= 0);
    assert_int_equal(schedule.held_count, 2);
    assert_int_equal(schedule.held[0].step, two);
    assert_int_equal(schedule.held[1].step, one);
    assert_int_equal(schedule.held[1].to - schedule.held[1].from, 10);
    fth_workflow_schedule_free(&schedule);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

/* Four steps of one script in a row, of which the middle two could run at the same time. */
static void another_order(void **state)
{
    (void)state;
    struct fth_workflow workflow = {.processors = 2};
    struct fth_workflow_graph graph;
    struct fth_workflow_schedule schedule;
    uint32_t first = add_step(&workflow, 0, 10), left = add_step(&workflow, 12, 32),
             right = add_step(&workflow, 34, 64), last = add_step(&workflow, 64, 70);
    writes(&workflow, first, "/in", 1, 0, 10, true);
    reads(&workflow, left, "/in", 13, 0, 10);
    reads(&workflow, right, "/in", 35, 0, 10);
    writes(&workflow, left, "/left", 14, 0, 10, true);
    writes(&workflow, right, "/right", 36, 0, 10, true);
    reads(&workflow, last, "/left", 65, 0, 10);
    reads(&workflow, last, "/right", 66, 0, 10);
    fth_workflow_graph_make(&graph, &workflow);
    fth_workflow_schedule_make(&schedule, &graph);
    assert_int_equal(schedule.unlimited, 10 + 30 + 6);
    assert_int_equal(schedule.possible, 10 + 30 + 6);
    assert_int_equal(schedule.held_count, 4);
    assert_int_equal(schedule.held[2].before, left);
    assert_int_equal(schedule.held[2].kind, FTH_EDGE_ORDER);
    assert_int_equal(schedule.held[2].waited, 2);
    assert_int_equal(schedule.held[3].kind, FTH_EDGE_DATA);
    fth_workflow_schedule_free(&schedule);
    workflow.processors = 1;
    fth_workflow_schedule_make(&schedule, &graph);
    assert_int_equal(schedule.possible, 10 + 20 + 30 + 6);
    fth_workflow_schedule_free(&schedule);
    fth_workflow_graph_free(&graph);
    fth_workflow_free(&workflow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_writers_of_what_is_read),
        cmocka_unit_test(changes_in_place),
        cmocka_unit_test(several_names),
        cmocka_unit_test(pipes_of_two_traces),
        cmocka_unit_test(ends_of_pipes),
        cmocka_unit_test(versions_of_a_file),
        cmocka_unit_test(names_that_change),
        cmocka_unit_test(folders_that_get_a_name),
        cmocka_unit_test(data_in_a_circle),
        cmocka_unit_test(another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
