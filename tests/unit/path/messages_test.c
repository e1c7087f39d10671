/* Sums of messages: who is distinguished when pairs are too many, what is not known, and when
 * clocks show no rate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "path/run_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES = 200 };
static struct fth_process processes[PROCESSES];
static uint32_t hosts[PROCESSES];
static bool selected[PROCESSES];

size_t fth_trace_process_count(const struct fth_trace *trace)
{
    (void)trace;
    return PROCESSES;
}
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    (void)trace;
    return &processes[proc];
}
const struct fth_trace_info *fth_trace_info(const struct fth_trace *trace)
{
    static const struct fth_trace_info info = {.resolution = 10};
    (void)trace;
    return &info;
}

/* What stands beside the code under test asks for these, and is not run. */
size_t fth_trace_function_count(const struct fth_trace *trace)
{
    (void)trace;
    return 0;
}
const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index)
{
    (void)trace, (void)index;
    return NULL;
}
const struct fth_rows *fth_order_edges(const struct fth_order *order, uint32_t timeline)
{
    (void)order, (void)timeline;
    return NULL;
}
size_t fth_order_hubs(const struct fth_order *order)
{
    (void)order;
    return 0;
}
size_t fth_order_hub_size(const struct fth_order *order, size_t hub, bool *chained)
{
    (void)order, (void)hub, (void)chained;
    return 0;
}
struct fth_event fth_order_hub_input(const struct fth_order *order, struct fth_rows_place *place,
                                     size_t hub, size_t i)
{
    (void)order, (void)place, (void)hub, (void)i;
    return (struct fth_event){FTH_NO_TIMELINE, 0};
}

/* Each node has so many processes. */
static struct fth_path path_with(uint32_t by_node)
{
    static char names[PROCESSES][16];
    for (uint32_t i = 0; i < PROCESSES; i++) {
        hosts[i] = i / by_node * by_node;
        snprintf(names[i], sizeof names[i], "node%u", hosts[i]);
        processes[i] = (struct fth_process){.rank = i, .host = names[i]};
        selected[i] = true;
    }
    return (struct fth_path){.hosts = hosts, .selected = selected};
}

/* Each sends each other one, and itself, `bytes`. */
static struct fth_table *all_to_all(struct fth_path *path, int64_t bytes)
{
    for (uint32_t from = 0; from < PROCESSES; from++)
        for (uint32_t to = 0; to < PROCESSES; to++)
            fth_path_sent(path, &(struct fth_order_sent){.from = from, .to = to, .bytes = bytes});
    return fth_path_messages_table(path);
}

static const struct fth_cell *cell(const struct fth_table *table, size_t row, const char *column)
{
    return &fth_table_row(table, row)[fth_table_column(table, column)];
}

static int64_t sum(const struct fth_table *table, const char *column)
{
    int64_t all = 0;
    for (size_t row = 0; row < fth_table_rows(table); row++)
        all += cell(table, row, column)->integer;
    return all;
}

static void done(struct fth_path *path, struct fth_table *table)
{
    fth_table_free(table);
    fth_path_free_messages(&path->matches.sums);
}

static void processes_are_distinguished(void **state)
{
    (void)state;
    struct fth_path path = path_with(10);
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = 4, .bytes = 10});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = 4, .bytes = 20});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 4, .to = 3, .bytes = 1});
    struct fth_table *table = fth_path_messages_table(&path);
    assert_int_equal(fth_table_rows(table), 2);
    assert_string_equal(fth_table_shape(table)->title, "Messages");
    assert_int_equal(cell(table, 0, "from_proc")->integer, 3);
    assert_int_equal(cell(table, 0, "to_rank")->integer, 4);
    assert_int_equal(cell(table, 0, "count")->integer, 2);
    assert_int_equal(cell(table, 0, "bytes")->integer, 30);
    assert_int_equal(cell(table, 0, "timed")->integer, 0);
    assert_int_equal(cell(table, 0, "rate")->type, FTH_CELL_NULL);
    assert_int_equal(cell(table, 1, "bytes")->integer, 1);
    done(&path, table);
}

static void what_is_not_known_is_counted_apart(void **state)
{
    (void)state;
    struct fth_path path = path_with(10);
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = 4, .bytes = -1});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = FTH_NOT_KNOWN, .bytes = 5});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = FTH_NOT_RECORDED, .bytes = 7});
    struct fth_table *table = fth_path_messages_table(&path);
    assert_int_equal(fth_table_rows(table), 3);
    assert_string_equal(cell(table, 0, "unknown")->text, "not recorded");
    assert_int_equal(cell(table, 0, "to_proc")->type, FTH_CELL_NULL);
    assert_string_equal(cell(table, 1, "unknown")->text, "communicator");
    assert_int_equal(cell(table, 1, "bytes")->integer, 5);
    assert_int_equal(cell(table, 2, "unsized")->integer, 1);
    assert_int_equal(cell(table, 2, "bytes")->integer, 0);
    done(&path, table);
}

static void others_are_not_reported(void **state)
{
    (void)state;
    struct fth_path path = path_with(10);
    memset(selected, 0, sizeof selected);
    selected[3] = true;
    fth_path_sent(&path, &(struct fth_order_sent){.from = 3, .to = 4, .bytes = 10});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 5, .to = 3, .bytes = 10});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 5, .to = 4, .bytes = 10});
    fth_path_sent(&path, &(struct fth_order_sent){.from = 5, .to = FTH_NOT_KNOWN, .bytes = 10});
    struct fth_table *table = fth_path_messages_table(&path);
    assert_int_equal(fth_table_rows(table), 2);
    done(&path, table);
}

static void too_many_pairs_become_nodes(void **state)
{
    (void)state;
    struct fth_path path = path_with(10);
    struct fth_table *table = all_to_all(&path, 3);
    assert_int_equal(fth_table_rows(table), 20 * 20);
    assert_int_equal(sum(table, "count"), PROCESSES * PROCESSES);
    assert_int_equal(sum(table, "bytes"), 3 * PROCESSES * PROCESSES);
    for (size_t row = 0; row < fth_table_rows(table); row++) {
        assert_int_equal(cell(table, row, "count")->integer, 10 * 10);
        assert_int_equal(cell(table, row, "from_proc")->type, FTH_CELL_NULL);
        assert_int_equal(cell(table, row, "from_node")->type, FTH_CELL_TEXT);
    }
    done(&path, table);
}

/* Of one node, and where each process has its own. */
static void and_blocks_where_nodes_do_not_help(void **state)
{
    (void)state;
    for (int single = 0; single < 2; single++) {
        struct fth_path path = path_with(single ? PROCESSES : 1);
        struct fth_table *table = all_to_all(&path, 3);
        assert_int_equal(fth_table_rows(table), 100 * 100);
        assert_int_equal(sum(table, "count"), PROCESSES * PROCESSES);
        assert_int_equal(sum(table, "bytes"), 3 * PROCESSES * PROCESSES);
        assert_int_equal(cell(table, 0, "count")->integer, 2 * 2);
        assert_string_equal(cell(table, 1, "from_block")->text, "procs 0-1");
        assert_string_equal(cell(table, 1, "to_block")->text, "procs 2-3");
        assert_int_equal(cell(table, 0, "from_node")->type, FTH_CELL_NULL);
        done(&path, table);
    }
}

/* ---- times ---- */

/* A thread with two events. */
static void play(struct fth_thread_timeline *timeline, struct fth_flow_store *store, int64_t time)
{
    struct fth_flow_packer packer = {.timeline = timeline, .store = store};
    fth_flow_add_event(&packer, (struct fth_flow_event){0, UINT32_MAX, FTH_NO_FUNCTION, false});
    fth_flow_add_event(&packer, (struct fth_flow_event){time, UINT32_MAX, FTH_NO_FUNCTION, false});
    fth_flow_end_timeline(&packer);
    uint32_t *numbers = fth_new(1, sizeof *numbers);
    fth_flow_end_store(store, numbers, timeline, 1);
}

/* 50 bytes that are 500 ns on their way between nodes whose clocks may be wrong by so much, and as
 * many that are `back` ns if that is not 0; the rate that is reported, or -1. */
static int64_t rate_with(int64_t clock_error, int64_t back)
{
    struct fth_path path = path_with(1);
    struct fth_thread_timeline timelines[3] = {{.proc = 0}, {.proc = 1}, {.proc = 1}};
    struct fth_flow_store stores[3] = {0};
    play(&timelines[0], &stores[0], 100);
    play(&timelines[1], &stores[1], 600);
    play(&timelines[2], &stores[2], 100 + back);
    path.timelines = timelines;
    path.timeline_count = 3;
    processes[0].clock_error = processes[1].clock_error = clock_error;
    for (uint32_t timeline = 1; timeline < (back ? 3 : 2); timeline++) {
        fth_path_sent(&path, &(struct fth_order_sent){.from = 0, .to = 1, .bytes = 50});
        fth_path_received(
            &path, &(struct fth_order_message){
                       .send = {0, 1}, .received = {timeline, 1}, .from = 0, .to = 1, .bytes = 50});
    }
    struct fth_table *table = fth_path_messages_table(&path);
    const struct fth_cell *rate = cell(table, 0, "rate");
    int64_t reported = rate->type == FTH_CELL_NULL ? -1 : rate->integer;
    assert_int_equal(cell(table, 0, "timed")->integer, reported < 0 ? 0 : back ? 2 : 1);
    if (reported >= 0)
        assert_int_equal(cell(table, 0, "time")->integer, 500 + back);
    done(&path, table);
    for (int i = 0; i < 3; i++) {
        fth_flow_free_timeline(&timelines[i]);
        fth_flow_free_store(&stores[i]);
    }
    return reported;
}

static void rates_are_reported_as_far_as_clocks_go(void **state)
{
    (void)state;
    assert_int_equal(rate_with(0, 0), 100000000);
    assert_int_equal(rate_with(249, 0), 100000000);
    assert_int_equal(rate_with(250, 0), -1);
    assert_int_equal(rate_with(-1, 0), -1);
    assert_int_equal(rate_with(0, 500), 100000000);
    /* received before it was sent */
    assert_int_equal(rate_with(0, -50), -1);
    assert_int_equal(rate_with(19, -50), -1);
    assert_int_equal(rate_with(20, -50), 222222222);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_distinguished),
        cmocka_unit_test(what_is_not_known_is_counted_apart),
        cmocka_unit_test(others_are_not_reported),
        cmocka_unit_test(too_many_pairs_become_nodes),
        cmocka_unit_test(and_blocks_where_nodes_do_not_help),
        cmocka_unit_test(rates_are_reported_as_far_as_clocks_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
