/* Runs side by side: when requests get smaller with more ranks, and when that is worth telling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/tables/scaling.h"

enum { MB = 1 << 20, MS = 1000000 };

/* A run that writes so many MB in so many requests, and needs so many ms for them. */
static struct fth_scaling_run writes(size_t ranks, uint64_t requests, uint64_t megabytes,
                                     int64_t ms)
{
    return (struct fth_scaling_run){
        .name = "a.fathom",
        .ranks = ranks,
        .duration = 1000 * MS,
        .working = (int64_t)ranks * 1000 * MS,
        .moved = {[1] = {.calls = requests, .bytes = megabytes * MB, .time = ms * MS}}};
}

static size_t findings_of(struct fth_scaling_run *runs, size_t count, int64_t *severity)
{
    struct fth_thresholds thresholds;
    struct fth_results results = {0};
    fth_thresholds_init(&thresholds);
    fth_scaling_results(runs, count, &thresholds, &results);
    size_t found = results.findings.count;
    if (found)
        *severity = results.findings.list[0].severity;
    assert_int_equal(fth_table_rows(results.tables[0]), count);
    fth_results_free(&results);
    return found;
}

static void smaller_requests_that_cost_more_are_reported(void **state)
{
    (void)state;
    int64_t severity = 0;
    struct fth_scaling_run runs[] = {writes(16, 1600, 64, 900), writes(4, 400, 64, 100),
                                     writes(8, 800, 64, 300)};
    assert_int_equal(findings_of(runs, 3, &severity), 1);
    assert_int_equal(severity, 800 * MS); /* the same bytes took 100 ms with 4 ranks */
    assert_int_equal(runs[0].ranks, 4);   /* by ranks */
    assert_int_equal(runs[2].ranks, 16);
}

static void others_are_not(void **state)
{
    (void)state;
    int64_t severity = 0;
    struct fth_scaling_run same_size[] = {writes(4, 400, 64, 100), writes(16, 400, 64, 900)};
    assert_int_equal(findings_of(same_size, 2, &severity), 0);
    struct fth_scaling_run more_work[] = {writes(4, 400, 64, 100), writes(16, 3200, 256, 900)};
    assert_int_equal(findings_of(more_work, 2, &severity), 0);
    struct fth_scaling_run as_fast[] = {writes(4, 400, 64, 100), writes(16, 1600, 64, 100)};
    assert_int_equal(findings_of(as_fast, 2, &severity), 0);
    struct fth_scaling_run same_ranks[] = {writes(4, 400, 64, 100), writes(4, 1600, 64, 900)};
    assert_int_equal(findings_of(same_ranks, 2, &severity), 0);
    struct fth_scaling_run none[] = {writes(4, 0, 0, 0), writes(16, 0, 0, 0)};
    assert_int_equal(findings_of(none, 2, &severity), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smaller_requests_that_cost_more_are_reported),
        cmocka_unit_test(others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
