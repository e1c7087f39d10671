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

/* ---- a run ---- */

static void begin_run(uint32_t writers, uint32_t readers)
{
    memset(&run, 0, sizeof run);
    run.writers = writers;
    run.readers = readers;
    run.processes = writers + readers;
    for (uint32_t i = 0; i < run.processes; i++) {
        run.operations[i] = (struct fth_order_operations){.first_timeline = i, .timeline_count = 1};
        run.operations[i].pipes.all = fth_new(1, sizeof *run.operations[i].pipes.all);
        run.operations[i].pipes.all[0] =
            (struct fth_order_pipe){.name = strdup("/fifo"), .value = -1};
        run.operations[i].pipes.count = 1;
        run.steps[i] = 1;
    }
}

/* The next call that takes effect. Processes that write come first; a read gets the bytes that are
 * there, at most. Returns its number, or run.calls: there is nothing to read. */
static uint32_t add_call(uint32_t proc, int64_t start, int64_t end, uint64_t bytes)
{
    bool writes = proc < run.writers;
    uint64_t there = run.written - run.read;
    if (!writes && there == 0)
        return run.calls;
    bytes = !writes && bytes > there ? there : bytes;
    uint64_t *place = writes ? &run.written : &run.read;
    struct fth_order_operations *operations = &run.operations[proc];
    run.all[run.calls] = (struct call){proc, run.steps[proc], writes, *place, *place + bytes};
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
    return run.calls++;
}

static void nothing_is_bad(void *context, enum fth_order_finding_kind kind, size_t proc,
                           const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)proc, (void)operation, (void)why;
    assert_int_equal(kind, FTH_ORDER_UNORDERED);
    assert_true(run.readers > 1);
}

/* By step of the entry of a write to the first process: that of the read that may have made room
 * for it; 0: there is none. */
static uint32_t made_room[2 * MOST_CALLS + 2];

static void note_room(void *context, struct fth_event begin, struct fth_event end,
                      struct fth_event read)
{
    (void)context;
    assert_int_equal(end.step, begin.step + 1);
    made_room[begin.step] = read.step;
}

static struct fth_clocks *match_run(void)
{
    memset(made_room, 0, sizeof made_room);
    static struct fth_trace trace;
    struct fth_clocks *clocks = fth_clocks_new(run.processes);
    for (uint32_t i = 0; i < run.calls; i++)
        fth_clocks_mark(clocks, (struct fth_moment){run.all[i].proc, run.all[i].step + 2});
    struct fth_matching matching = {.processes = run.operations,
                                    .process_count = run.processes,
                                    .clocks = clocks,
                                    .births = fth_new(run.processes, sizeof *matching.births),
                                    .options = {.made_room = note_room},
                                    .find = nothing_is_bad};
    fth_match_pipes(&matching, &trace);
    free(matching.births);
    fth_clocks_compute(clocks, NULL, NULL);
    return clocks;
}

static void end_run(struct fth_clocks *clocks)
{
    fth_clocks_free(clocks);
    for (uint32_t i = 0; i < run.processes; i++)
        fth_order_operations_free(&run.operations[i]);
}

/* Did the one begin before the other one ended? */
static bool is_ordered(const struct fth_clocks *clocks, uint32_t write, uint32_t call)
{
    const struct call *one = &run.all[write], *other = &run.all[call];
    return fth_clocks_before(clocks, (struct fth_moment){one->proc, one->step},
                             (struct fth_moment){other->proc, other->step + 2});
}

/* ---- cases by hand ---- */

enum { WRITER, READER, SECOND_WRITER = 1, READER_OF_TWO, SECOND_READER = 2 };

static void a_read_is_behind_the_write_of_its_bytes(void **unused)
{
    (void)unused;
    begin_run(1, 1);
    uint32_t write = add_call(WRITER, 100, 110, 8), read = add_call(READER, 90, 120, 8);
    struct fth_clocks *clocks = match_run();
    assert_true(is_ordered(clocks, write, read));
    end_run(clocks);
}

static void a_read_is_not_behind_a_write_of_later_bytes(void **unused)
{
    (void)unused;
    begin_run(1, 1);
    uint32_t first = add_call(WRITER, 100, 110, 8), read = add_call(READER, 105, 130, 8),
             second = add_call(WRITER, 111, 125, 8);
    add_call(READER, 140, 150, 8); /* nothing stays in the pipe */
    struct fth_clocks *clocks = match_run();
    assert_true(is_ordered(clocks, first, read));
    assert_false(is_ordered(clocks, second, read));
    end_run(clocks);
}

static void a_read_of_all_is_behind_both_writers(void **unused)
{
    (void)unused;
    begin_run(2, 1);
    uint32_t one = add_call(WRITER, 100, 110, 8), other = add_call(SECOND_WRITER, 105, 115, 8),
             read = add_call(READER_OF_TWO, 120, 130, 16);
    struct fth_clocks *clocks = match_run();
    assert_true(is_ordered(clocks, one, read));
    assert_true(is_ordered(clocks, other, read));
    end_run(clocks);
}

static void half_of_what_two_wrote_may_be_of_either(void **unused)
{
    (void)unused;
    begin_run(2, 1);
    uint32_t one = add_call(WRITER, 100, 110, 8), other = add_call(SECOND_WRITER, 100, 110, 8),
             read = add_call(READER_OF_TWO, 120, 130, 8);
    add_call(READER_OF_TWO, 140, 150, 8);
    struct fth_clocks *clocks = match_run();
    assert_false(is_ordered(clocks, one, read) && is_ordered(clocks, other, read));
    end_run(clocks);
}

static void the_last_of_two_readers_is_behind_the_last_write(void **unused)
{
    (void)unused;
    begin_run(1, 2);
    add_call(WRITER, 100, 110, 8);
    add_call(READER, 120, 130, 8);
    uint32_t write = add_call(WRITER, 140, 150, 8), read = add_call(SECOND_READER, 160, 170, 8);
    struct fth_clocks *clocks = match_run();
    assert_true(is_ordered(clocks, write, read));
    end_run(clocks);
}

static void the_last_read_that_was_needed_made_room(void **unused)
{
    (void)unused;
    begin_run(1, 1);
    add_call(WRITER, 100, 110, 60000);
    uint32_t write = add_call(WRITER, 120, 200, 9000);
    add_call(READER, 150, 160, 32768);
    uint32_t needed = add_call(READER, 170, 180, 32768);
    add_call(READER, 195, 210, 3464); /* there was room for these */
    struct fth_clocks *clocks = match_run();
    assert_int_equal(made_room[run.all[write].step], run.all[needed].step);
    end_run(clocks);
}

static void a_read_that_had_begun_made_no_room_for_what_was_written_meanwhile(void **unused)
{
    (void)unused;
    begin_run(1, 1);
    uint32_t write = add_call(WRITER, 100, 200, 5000);
    add_call(READER, 50, 120, 2000);
    add_call(READER, 150, 210, 3000);
    struct fth_clocks *clocks = match_run();
    assert_int_equal(made_room[run.all[write].step], 0);
    end_run(clocks);
}

/* ---- programs that are drawn ---- */

/* Calls take effect one after the other, at multiples of 10; when they began and ended is within
 * their process's time before, and some time after. */
static void draw_call(uint32_t proc, int64_t now, uint64_t bytes)
{
    int64_t start = now - (int64_t)draw(25), end = now + (int64_t)draw(25);
    if (start <= run.free_at[proc])
        start = run.free_at[proc] + 1;
    if (start > now)
        return; /* its last call is not over yet */
    uint32_t calls = run.calls;
    if (add_call(proc, start, end, bytes) == calls && run.calls > calls)
        run.free_at[proc] = end;
}

static void play(void)
{
    uint32_t writers = 1 + draw(2), readers = 1 + draw(3);
    begin_run(writers, readers);
    for (int64_t now = 100; run.calls < MOST_CALLS && now < 1000; now += 10)
        draw_call(draw(run.processes), now, 1 + draw(3));
    draw_call(run.processes - 1, 2000, UINT64_MAX);
}

static void print_run(uint32_t seed)
{
    print_error("program %u: %u processes write, %u read\n", seed, run.writers, run.readers);
    for (uint32_t i = 0; i < run.calls; i++) {
        const struct call *call = &run.all[i];
        print_error("  call %u: process %u %s bytes %llu to %llu\n", i, call->proc,
                    call->writes ? "writes" : "reads", (unsigned long long)call->from,
                    (unsigned long long)call->to - 1);
    }
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

static void agrees_with_runs(void **unused)
{
    (void)unused;
    unsigned ordered = 0, alone = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        state = seed * 2654435761u;
        play();
        struct fth_clocks *clocks = match_run();
        for (uint32_t i = 0; i < run.calls; i++) {
            for (uint32_t k = 0; k < run.calls; k++) {
                if (!run.all[i].writes || run.all[k].writes)
                    continue;
                bool said = is_ordered(clocks, i, k), is_so = came_before(&run.all[i], &run.all[k]);
                bool single = run.writers == 1 && run.readers == 1;
                if ((said && !is_so) || (is_so && !said && single)) {
                    print_run(seed);
                    fail_msg("call %u is %sbefore call %u", i, is_so ? "" : "not ", k);
                }
                ordered += said;
                alone += is_so && single;
            }
        }
        end_run(clocks);
    }
    assert_true(ordered > 2 * alone && alone > PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_is_behind_the_write_of_its_bytes),
        cmocka_unit_test(a_read_is_not_behind_a_write_of_later_bytes),
        cmocka_unit_test(a_read_of_all_is_behind_both_writers),
        cmocka_unit_test(half_of_what_two_wrote_may_be_of_either),
        cmocka_unit_test(the_last_of_two_readers_is_behind_the_last_write),
        cmocka_unit_test(the_last_read_that_was_needed_made_room),
        cmocka_unit_test(a_read_that_had_begun_made_no_room_for_what_was_written_meanwhile),
        cmocka_unit_test(agrees_with_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
