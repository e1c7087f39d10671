/* What small runs would gain without a finding, reckoned by hand. */
#include "played.h"

/* What the run would be shorter, if so much of all I/O were gone. */
static int64_t gain_of(const struct fth_path *path, int64_t severity)
{
    struct fth_findings findings = {0};
    struct fth_finding *finding = fth_finding_add(&findings, "slow", "Slow");
    finding->severity = severity;
    fth_finding_list_add(&finding->functions, "pwrite");
    fth_path_bound(path, &findings);
    fth_path_weigh(path, &findings);
    int64_t gain = findings.list[0].gain;
    assert_true(findings.list[0].gain_share == 100.0 * (double)gain / (double)path->sums.length);
    fth_findings_free(&findings);
    return gain;
}

/* 0: computes 40, I/O 60.  1: begins at 50, computes 10, I/O 60. */
static void ranks_that_never_meet(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    program.begins[1] = 50;
    add(0, COMPUTE, 40);
    add(0, DO_IO, 60);
    add(1, COMPUTE, 10);
    add(1, DO_IO, 60);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.length, 120); /* from the first begin to the last end */
    assert_int_equal(path->results.critical_proc[0], 0);
    assert_int_equal(path->results.critical_proc[1], 120);
    assert_int_equal(path->results.critical_work[IO], 60);
    assert_int_equal(path->results.critical_work[COMPUTING], 60);
    assert_int_equal(gain_of(path, 120), 60); /* 1 ends at 60, 0 before */
    assert_int_equal(gain_of(path, 60), 30);  /* half of the I/O of both: 1 ends at 90, 0 at 70 */
    assert_int_equal(gain_of(path, 1000), 60);
    close_path(path);
}

/* 0: computes 100.  1: I/O 160.  Both meet, which takes 10; then 0 does I/O, 40. */
static void ranks_that_meet(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    add(0, COMPUTE, 100);
    add(0, MEET, 10);
    add(0, DO_IO, 40);
    add(1, DO_IO, 160);
    add(1, MEET, 10);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.length, 210);
    assert_int_equal(gain_of(path, 50), 50); /* 160 - 40 + 10 + 40 - 10: all of it is on the path */
    assert_int_equal(gain_of(path, 100), 80);  /* 0 is what is waited for: 100 + 10 + 20 */
    assert_int_equal(gain_of(path, 200), 100); /* 100 + 10 */
    close_path(path);
}

/* 0: computes 100, unlocks.  1: locks, which waits for that; computes 50. */
static void requests_for_locks_wait(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    add(0, COMPUTE, 100);
    add(0, SEND, 1);
    *add(1, RECEIVE, 1) = (struct operation){RECEIVE, 1, .peer = 0, .place = 1};
    add(1, COMPUTE, 50);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.length, 151);
    path->facts[3].awaited = FTH_WAIT_LOCK;
    struct fth_findings findings = {0};
    for (int i = 0; i < 2; i++) {
        struct fth_finding *finding =
            fth_finding_add(&findings, i ? "slow" : "lock_contention", "Locks");
        finding->severity = 101;
        fth_finding_list_add(&finding->functions, "MPI_Recv");
    }
    fth_path_bound(path, &findings);
    assert_int_equal(findings.list[0].gain, 51); /* 0 ends at 100, 1 before */
    assert_int_equal(findings.list[1].gain, 1);
    fth_findings_free(&findings);
    close_path(path);
}

/* Equal work may save more than the waits that a finding tells of. */
static void no_finding_gains_more_than_it_has(void **unused)
{
    (void)unused;
    struct fth_findings findings = {0};
    for (int i = 0; i < 2; i++) {
        struct fth_finding *finding = fth_finding_add(&findings, i ? "lost" : "slow", "Slow");
        finding->severity = i ? 0 : 30; /* 0: it is not about time */
        finding->gain = 300;
    }
    fth_path_weigh(&(struct fth_path){.sums.program = 1000}, &findings);
    assert_int_equal(findings.list[0].gain, 30);
    assert_true(findings.list[0].gain_share == 3.0);
    assert_int_equal(findings.list[1].gain, 300);
    fth_findings_free(&findings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_never_meet),
        cmocka_unit_test(ranks_that_meet),
        cmocka_unit_test(requests_for_locks_wait),
        cmocka_unit_test(no_finding_gains_more_than_it_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
