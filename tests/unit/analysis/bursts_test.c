/* Bursts of openings, reckoned by hand: who opens when, and for how long. */
#include "analysis/passes/passes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { PROCESSES = 10, LONG = 1000000 };

static const struct fth_process ranks[PROCESSES];
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    (void)trace;
    return &ranks[proc];
}

const struct fth_frame *fth_frame_asked(const struct fth_frame *frame)
{
    return frame; /* they are in no other */
}

static struct fth_results results;
static struct fth_thresholds thresholds;
static const struct fth_survey_file file = {.path = "/data"};
static struct fth_survey survey = {.thresholds = &thresholds,
                                   .file_count = 1,
                                   .files = &file,
                                   .process_count = PROCESSES,
                                   .working = LONG};

static double storm = 0.5; /* share of processes that make a burst */

/* Process p opens the file `times` times, from p * apart on, each `step` behind the one before; it
 * takes 10, the last process `longest`. */
static const struct fth_finding *find(int64_t apart, int times, int64_t step, int64_t longest)
{
    static const struct fth_call_class opens = {.kind = FTH_CALLS_OPEN, .io = true};
    static const struct fth_function function = {.name = "open"};
    const uint32_t files[] = {0};
    fth_findings_free(&results.findings);
    fth_thresholds_init(&thresholds);
    thresholds.values[FTH_THRESHOLD_STORM] = storm;
    void *run = fth_pass_bursts.begin(&survey);
    for (size_t proc = 0; proc < PROCESSES; proc++) {
        void *process = fth_pass_bursts.open(run, proc);
        for (int i = 0; i < times; i++) {
            int64_t time = proc == PROCESSES - 1 ? longest : 10,
                    start = (int64_t)proc * apart + i * step;
            struct fth_frame frame = {.class = &opens,
                                      .function = &function,
                                      .proc = proc,
                                      .times.start = start,
                                      .times.end = start + time,
                                      .times.all = time,
                                      .calls = 1};
            fth_pass_bursts.call(process, &frame);
        }
        fth_pass_bursts.merge(run, process, files);
    }
    fth_pass_bursts.finish(run, &results);
    return fth_finding_of(&results.findings, "opening_burst");
}

static void bursts_are_found(void **unused)
{
    (void)unused;
    const struct fth_finding *finding = find(5, 1, 0, 20000);
    assert_non_null(finding);
    assert_int_equal(finding->severity, 20000 - 10);
    assert_string_equal(finding->files.items[0], "/data");
    assert_int_equal(finding->ranks.total, PROCESSES);
    finding = find(5, 3, 100000, 5000); /* each time */
    assert_non_null(finding);
    assert_int_equal(finding->severity, 3 * (5000 - 10));
}

static void others_are_none(void **unused)
{
    (void)unused;
    assert_null(find(5, 1, 0, 10));       /* all take as long */
    assert_null(find(101, 1, 0, 20000));  /* one after the other: a moment is 10 * 10 */
    assert_null(find(5, 1, 0, 1000));     /* not worth it: less than 0.5 % */
    assert_null(find(1000, 20, 1, 5000)); /* each opens it often, but alone */
    survey.process_count = 3 * PROCESSES; /* a third of all */
    assert_null(find(5, 1, 0, 20000));
    storm = 0.3;
    assert_non_null(find(5, 1, 0, 20000));
    storm = 0.5;
    survey.process_count = PROCESSES;
}

static void free_all(void)
{
    fth_findings_free(&results.findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bursts_are_found),
        cmocka_unit_test(others_are_none),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free_all();
    return failed;
}
