/* Pipes against runs that are played through: some processes write into one and some read from it,
 * and it is known which bytes each call took or left. What the matcher says came before something
 * did, and of one writer and one reader it says all. */
#include "base/memory.h"
#include "model/reading/model.h"
#include "order/match/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PROCESSES = 5, MOST_CALLS = 30, PROGRAMS = 5000 };

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

struct call {
    uint32_t proc, step; /* of its entry; its exit is the next one */
    bool writes;
    uint64_t from, to; /* bytes of the stream */
};

struct run {
    uint32_t processes, writers, readers, calls;
    uint32_t steps[MOST_PROCESSES];
    int64_t free_at[MOST_PROCESSES]; /* its last call was over by then */
    uint64_t written, read;
    struct call all[MOST_CALLS + 1]; /* the last one reads what is left */
    struct fth_order_operations operations[MOST_PROCESSES];
};
static struct run run;

/* Calls take effect one after the other, at multiples of 10; when they began and ended is within
 * their process's time before, and some time after. */
static void add_call(uint32_t proc, int64_t now, uint64_t bytes)
{
    bool writes = proc < run.writers;
    uint64_t there = run.written - run.read;
    if (!writes && there == 0)
        return;
    bytes = !writes && bytes > there ? there : bytes;
    int64_t start = now - (int64_t)draw(25), end = now + (int64_t)draw(25);
    if (start <= run.free_at[proc])
        start = run.free_at[proc] + 1;
    if (start > now)
        return; /* its last call is not over yet */
    run.free_at[proc] = end;
    uint64_t *place = writes ? &run.written : &run.read;
    struct fth_order_operations *operations = &run.operations[proc];
    run.all[run.calls++] = (struct call){proc, run.steps[proc], writes, *place, *place + bytes};
    *place += bytes;
    uint32_t operation = fth_order_operations_add(
        operations, (struct fth_order_operation){.begin = {proc, run.steps[proc]},
                                                 .end = {proc, run.steps[proc] + 1},
                                                 .member = FTH_NO_MEMBER,
                                                 .kind = FTH_SYNC_PIPE});
    run.steps[proc] += 2;
    FTH_GROW(operations->pipes.transfers, operations->pipes.transfer_count);
    operations->pipes.transfers[operations->pipes.transfer_count++] =
        (struct fth_order_transfer){.bytes = bytes,
                                    .start = start,
                                    .end = end,
                                    .operation = operation,
                                    .kind = writes ? FTH_TRANSFER_WRITE : FTH_TRANSFER_READ};
}

static void play(void)
{
    memset(&run, 0, sizeof run);
    run.writers = 1 + draw(2);
    run.readers = 1 + draw(3);
    run.processes = run.writers + run.readers;
    for (uint32_t i = 0; i < run.processes; i++) {
        run.operations[i] = (struct fth_order_operations){.first_timeline = i, .timeline_count = 1};
        run.operations[i].pipes.all = fth_new(1, sizeof *run.operations[i].pipes.all);
        run.operations[i].pipes.all[0] =
            (struct fth_order_pipe){.name = strdup("/fifo"), .value = -1};
        run.operations[i].pipes.count = 1;
        run.steps[i] = 1;
    }
    for (int64_t now = 100; run.calls < MOST_CALLS && now < 1000; now += 10)
        add_call(draw(run.processes), now, 1 + draw(3));
    add_call(run.processes - 1, 2000, UINT64_MAX);
}

/* Entries and exits of calls: is the entry of a write before the exit of a call, by bytes and by
 * program order? */
static bool came_before(const struct call *write, const struct call *call)
{
    for (uint32_t i = 0; i < run.calls; i++) {
        const struct call *read = &run.all[i];
        bool later = call->proc == read->proc && call->step >= read->step;
        for (uint32_t k = 0; later && !read->writes && k < run.calls; k++) {
            const struct call *next = &run.all[k];
            if (next->writes && next->proc == write->proc && next->step >= write->step &&
                next->from < read->to && read->from < next->to)
                return true;
        }
    }
    return false;
}

static void nothing_is_bad(void *context, enum fth_order_finding_kind kind, size_t proc,
                           const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)proc, (void)operation, (void)why;
    assert_int_equal(kind, FTH_ORDER_UNORDERED);
    assert_true(run.readers > 1);
}

static void agrees_with_runs(void **unused)
{
    (void)unused;
    static struct fth_trace trace;
    unsigned ordered = 0, alone = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        state = seed * 2654435761u;
        play();
        struct fth_clocks *clocks = fth_clocks_new(run.processes);
        for (uint32_t i = 0; i < run.calls; i++)
            fth_clocks_mark(clocks, (struct fth_moment){run.all[i].proc, run.all[i].step + 2});
        struct fth_matching matching = {.processes = run.operations,
                                        .process_count = run.processes,
                                        .clocks = clocks,
                                        .find = nothing_is_bad};
        fth_match_pipes(&matching, &trace);
        fth_clocks_compute(clocks, NULL, NULL);
        for (uint32_t i = 0; i < run.calls; i++) {
            for (uint32_t k = 0; k < run.calls; k++) {
                const struct call *write = &run.all[i], *call = &run.all[k];
                if (!write->writes || call->writes)
                    continue;
                bool said = fth_clocks_before(clocks, (struct fth_moment){write->proc, write->step},
                                              (struct fth_moment){call->proc, call->step + 2});
                bool is_so = came_before(write, call);
                if ((said && !is_so) || (is_so && !said && run.writers == 1 && run.readers == 1))
                    fail_msg("program %u: call %u and call %u", seed, i, k);
                ordered += said;
                alone += is_so && run.writers == 1 && run.readers == 1;
            }
        }
        fth_clocks_free(clocks);
        for (uint32_t i = 0; i < run.processes; i++)
            fth_order_operations_free(&run.operations[i]);
    }
    assert_true(ordered > 2 * alone && alone > PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
