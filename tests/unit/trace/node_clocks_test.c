/* Clocks that are wrong in known ways become times that are right: what really happened at an
 * instant is at that instant in the trace. */
#include "trace/spill/node_clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SECOND = 1000000000 };
static const int64_t epoch = 1700000000ll * SECOND;

/* A node whose clocks are off. `instant`: real ns since the run began. */
struct truth {
    const char *host;
    uint64_t first_tick;
    double ticks_per_ns, drift;  /* of CLOCK_MONOTONIC */
    int64_t monotonic, realtime; /* off at instant 0 */
};

static const struct truth one = {"one", 1000, 2.5, 0, 7ll * SECOND, 0},
                          two = {"two", 1ull << 40, 3.1, 50e-6, 900000ll * SECOND, 90ll * SECOND},
                          three = {"three", 5, 1.0, -30e-6, 3ll * SECOND, -2ll * SECOND};

static int64_t monotonic_of(const struct truth *truth, int64_t instant)
{
    return truth->monotonic + instant + (int64_t)((double)instant * truth->drift);
}

static struct fth_spill_anchor anchor_of(const struct truth *truth, int64_t instant)
{
    return (struct fth_spill_anchor){
        truth->first_tick + (uint64_t)((double)instant * truth->ticks_per_ns),
        monotonic_of(truth, instant), epoch + truth->realtime + instant};
}

/* ---- processes ---- */

enum { MOST = 8 };
static struct {
    struct fth_spill_image images[MOST];
    int64_t starts[MOST];
    size_t count;
} run;

static struct fth_spill_process *add(const struct truth *truth, int64_t start, int64_t end)
{
    struct fth_spill_process *process = calloc(1, sizeof *process + 32);
    process->start = anchor_of(truth, start);
    process->last = anchor_of(truth, end);
    process->rank = -1;
    process->text_bytes =
        (uint32_t)(stpcpy(stpcpy(process->text, "host="), truth->host) - process->text) + 1;
    run.starts[run.count] = start;
    run.images[run.count++].process = process;
    return process;
}

static struct fth_spill_process *add_rank(const struct truth *truth, int64_t start, int64_t end,
                                          int rank)
{
    struct fth_spill_process *process = add(truth, start, end);
    process->world = 99;
    process->rank = rank;
    return process;
}

static void meets(struct fth_spill_process *process, const struct truth *truth, int64_t instant,
                  int64_t error)
{
    int64_t monotonic = monotonic_of(truth, instant),
            offset = monotonic_of(&one, instant) - monotonic;
    int64_t found = process->rank == 0 ? 0 : offset + (process->meetings_held ? -error : error) / 2;
    process->meetings[process->meetings_held++] =
        (struct fth_spill_meeting){monotonic, found, process->rank == 0 ? 0 : error};
}

static void forget(void)
{
    for (size_t i = 0; i < run.count; i++)
        free((void *)(uintptr_t)run.images[i].process);
    memset(&run, 0, sizeof run);
}

/* What the trace says about an instant of process i. */
static int64_t said(const struct fth_clock *clocks, const struct truth *truth, size_t i,
                    int64_t instant)
{
    const struct fth_spill_process *process = run.images[i].process;
    uint64_t ticks = process->ticks_are_ns ? (uint64_t)monotonic_of(truth, instant)
                                           : anchor_of(truth, instant).ticks;
    double passed = (double)(int64_t)(ticks - process->start.ticks) * (double)clocks[i].rate_ns /
                    (double)clocks[i].rate_ticks;
    return clocks[i].start_realtime - epoch + (int64_t)passed;
}

static void expect(const struct fth_clock *clocks, const struct truth *truth, size_t i,
                   int64_t instant, int64_t error)
{
    int64_t off = said(clocks, truth, i, instant) - instant;
    if (off > error || off < -error)
        fail_msg("process %zu is %lld ns off at %lld", i, (long long)off, (long long)instant);
}

/* ---- tests ---- */

/* The time of day is set back between two processes: they stay in order. */
static void test_one_clock_per_node(void **unused)
{
    (void)unused;
    add(&one, 0, 4ll * SECOND);
    struct fth_spill_process *later = add(&one, SECOND, 2ll * SECOND);
    later->start.realtime -= 3600ll * SECOND;
    later->last.realtime -= 3600ll * SECOND;
    add(&one, 1500000000, 1500000100)->ticks_are_ns = 1;
    struct fth_spill_process *monotonic =
        (struct fth_spill_process *)(uintptr_t)run.images[2].process;
    monotonic->start.ticks = (uint64_t)monotonic->start.monotonic;
    struct fth_clock *clocks = fth_clocks_of(run.images, run.count);
    for (size_t i = 0; i < run.count; i++) {
        expect(clocks, &one, i, run.starts[i], 10);
        expect(clocks, &one, i, run.starts[i] + SECOND, 10);
        assert_int_equal(clocks[i].error, 0);
    }
    free(clocks);
    forget();
}

/* Both meetings tell how fast the others' clocks are. */
static void test_nodes_that_met(void **unused)
{
    (void)unused;
    const int64_t end = 100ll * SECOND, error = 20000;
    const struct truth *truths[] = {&one, &two, &three};
    for (int rank = 0; rank < 3; rank++) {
        struct fth_spill_process *process = add_rank(truths[rank], 0, end, rank);
        meets(process, truths[rank], SECOND, error);
        meets(process, truths[rank], end - SECOND, error);
    }
    add(&two, 5ll * SECOND, 6ll * SECOND); /* no rank, the same node */
    struct fth_clock *clocks = fth_clocks_of(run.images, run.count);
    for (int rank = 0; rank < 3; rank++)
        for (int64_t at = 0; at <= end; at += 10ll * SECOND)
            expect(clocks, truths[rank], (size_t)rank, at, error);
    expect(clocks, &two, 3, 6ll * SECOND, error);
    assert_int_equal(clocks[0].error, 0);
    assert_in_range(clocks[1].error, error, error + error / 20);
    assert_int_equal(clocks[3].error, clocks[1].error);
    free(clocks);
    forget();
}

/* Killed before MPI_Finalize: one meeting, and drift that nobody measured is in the error. */
static void test_one_meeting(void **unused)
{
    (void)unused;
    const int64_t end = 10ll * SECOND, error = 20000;
    meets(add_rank(&one, 0, end, 0), &one, 0, error);
    meets(add_rank(&two, 0, end, 1), &two, 0, error);
    struct fth_clock *clocks = fth_clocks_of(run.images, run.count);
    expect(clocks, &two, 1, 0, error);
    expect(clocks, &two, 1, end, clocks[1].error);
    assert_in_range(clocks[1].error, error, error + end / 9000);
    free(clocks);
    forget();
}

static void test_nodes_that_never_met(void **unused)
{
    (void)unused;
    add(&one, 0, SECOND);
    add(&two, 0, SECOND);
    struct fth_clock *clocks = fth_clocks_of(run.images, run.count);
    assert_int_equal(clocks[0].error, FTH_CLOCK_UNRELATED);
    assert_int_equal(clocks[1].error, FTH_CLOCK_UNRELATED);
    expect(clocks, &one, 0, SECOND, 100);
    assert_true(said(clocks, &two, 1, 0) - two.realtime < 100000);
    free(clocks);
    forget();
}

/* Another machine of the same name, a process killed while it started, one that says that it met
 * more often than it can have. */
static void test_odd_ones(void **unused)
{
    (void)unused;
    add(&one, SECOND, 10ll * SECOND);
    struct truth same_name = two;
    same_name.host = "one";
    add(&same_name, 0, 11ll * SECOND);
    add(&three, SECOND, SECOND)->meetings_held = 1000;
    add(&one, 3ll * SECOND, 4ll * SECOND)->start.realtime = 0;
    struct fth_clock *clocks = fth_clocks_of(run.images, run.count);
    for (size_t i = 0; i < run.count; i++)
        assert_true(clocks[i].rate_ticks && clocks[i].rate_ns);
    assert_int_equal(clocks[1].start_realtime, run.images[1].process->start.realtime);
    assert_int_equal(clocks[1].error, FTH_CLOCK_UNRELATED);
    expect(clocks, &one, 0, 5ll * SECOND, 100);
    expect(clocks, &one, 3, 5ll * SECOND, 100);
    free(clocks);
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_clock_per_node), cmocka_unit_test(test_nodes_that_met),
        cmocka_unit_test(test_one_meeting),        cmocka_unit_test(test_nodes_that_never_met),
        cmocka_unit_test(test_odd_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
