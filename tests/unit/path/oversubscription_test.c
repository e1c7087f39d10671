/* More ranks than processors: of one world at a time, on the node whose processors are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "path/run_flow.h"

enum { PROCESSES = 6 };
static struct fth_process processes[PROCESSES];
static struct fth_trace_info info;
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
    (void)trace;
    return &info;
}

static struct fth_oversubscription oversubscription_of(const char *meta, int first_world,
                                                       const char *other_host)
{
    for (int i = 0; i < PROCESSES; i++) {
        processes[i] = (struct fth_process){.rank = i % 3 ? i : 2 * i,
                                            .world = i < first_world ? 0 : 1,
                                            .host = i == 4 ? other_host : "here"};
        selected[i] = i < 5;
    }
    processes[0].rank = FTH_NO_RANK; /* the launcher */
    processes[0].world = FTH_NO_WORLD;
    info.meta_json = meta;
    return fth_path_oversubscription(&(struct fth_path){.selected = selected});
}

static void ranks_are_counted_where_they_run(void **state)
{
    (void)state;
    struct fth_oversubscription node =
        oversubscription_of("{\"cpus\": 2, \"host\": \"here\"}", 6, "there");
    assert_int_equal(node.ranks, 3); /* 1, 2 and 3; 4 is elsewhere, 5 not selected */
    assert_int_equal(node.processors, 2);
    assert_string_equal(node.host, "here");
    assert_int_equal(oversubscription_of("{\"host\":\"here\",\"cpus\":3}", 6, "here").ranks, 4);
}

static void no_oversubscription_where_there_is_none(void **state)
{
    (void)state;
    assert_int_equal(oversubscription_of("{\"host\":\"here\",\"cpus\":4}", 6, "here").ranks, 0);
    assert_int_equal(oversubscription_of("{\"host\":\"here\",\"cpus\":2}", 3, "here").ranks,
                     0); /* in turn */
    assert_int_equal(oversubscription_of("{\"host\":\"elsewhere\",\"cpus\":2}", 6, "here").ranks,
                     0);
    assert_int_equal(oversubscription_of("{\"host\":\"here\"}", 6, "here").ranks, 0);
    assert_int_equal(oversubscription_of(NULL, 6, "here").ranks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_counted_where_they_run),
        cmocka_unit_test(no_oversubscription_where_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
