/* What processors need at least for what the threads of a run compute. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "path/run_flow.h"

static const struct fth_process processes[] = {{.host = "here"}, {.host = "there"}};
static struct fth_trace_info info;
size_t fth_trace_process_count(const struct fth_trace *trace)
{
    (void)trace;
    return 2;
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

/* Of a run of 20 s in which as many threads compute as these numbers say, one for each second. */
static int64_t least_of(const int threads[FTH_INTERVALS], bool there, const char *meta)
{
    bool selected[] = {true, there};
    struct fth_path path = {.selected = selected, .end = 20000000000};
    for (size_t i = 0; i < FTH_INTERVALS; i++)
        path.results.intervals[i][FTH_INTERVAL_OWN] = threads[i] * INT64_C(1000000000);
    info.meta_json = meta;
    fth_path_weigh_processors(&path);
    return path.results.least;
}

static void processors_share_what_is_computed(void **state)
{
    (void)state;
    static const int one[FTH_INTERVALS] = {1, 1, 1, 1}, four[FTH_INTERVALS] = {4, 4, 4, 4};
    static const char much[] = "{\"host\":\"here\",\"cpus\":2,\"processor_seconds\":99.5}",
                      few[] = "{\"host\":\"here\",\"cpus\":2,\"processor_seconds\":0.5}",
                      old[] = "{\"host\":\"here\",\"cpus\":2}";
    assert_int_equal(least_of(one, false, much), 2000000000);
    assert_int_equal(least_of(four, false, much), 4000000000); /* two of four at a time */
    assert_int_equal(least_of(four, false, few), 250000000);   /* most of them slept */
    assert_int_equal(least_of(four, true, much), 0);           /* some are on another node */
    assert_int_equal(least_of(four, false, old), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_share_what_is_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
