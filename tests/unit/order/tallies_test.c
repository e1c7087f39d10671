/* Semaphores: cases by hand, then runs that are played through, in which some processes add to one
 * and take from it, at moments between the begin and the end of each call. What the matcher says
 * came before a call holds in every order in which the calls can have taken effect; of one that
 * adds and one that takes it says all. Some only look, which changes nothing of that. */
#include "base/memory.h"
#include "order/match/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PROCESSES = 3, MOST_CALLS = 7, PROGRAMS = 4000 };

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

struct call {
    uint32_t proc, step; /* of its entry; its exit is the next one */
    int64_t start, end, amount;
    bool takes;
};

struct run {
    uint32_t processes, calls, left, unsure;
    int64_t first;
    bool one_to_one, looked;
    uint32_t steps[MOST_PROCESSES];
    int64_t free_at[MOST_PROCESSES];
    struct call all[MOST_CALLS];
    struct fth_order_operations operations[MOST_PROCESSES];
};
static struct run run;

static void add_tick(struct fth_order_operations *operations, uint32_t proc, uint32_t step,
                     struct fth_order_tick tick)
{
    tick.operation =
        fth_order_operations_add(operations, (struct fth_order_operation){.begin = {proc, step},
                                                                          .end = {proc, step + 1},
                                                                          .member = FTH_NO_MEMBER,
                                                                          .kind = FTH_SYNC_TICK});
    FTH_GROW(operations->tallies.ticks, operations->tallies.tick_count);
    operations->tallies.ticks[operations->tallies.tick_count++] = tick;
}

static void begin_run(uint32_t processes, int64_t first)
{
    memset(&run, 0, sizeof run);
    run.processes = processes;
    run.first = first;
    for (uint32_t i = 0; i < run.processes; i++) {
        run.operations[i] = (struct fth_order_operations){.first_timeline = i, .timeline_count = 1};
        run.operations[i].tallies.all = fth_new(1, sizeof *run.operations[i].tallies.all);
        run.operations[i].tallies.all[0] =
            (struct fth_order_tally){.key = strdup("key"), .called = strdup("it")};
        run.operations[i].tallies.count = 1;
        run.steps[i] = 1;
    }
    add_tick(&run.operations[0], 0, run.steps[0],
             (struct fth_order_tick){.amount = run.first, .kind = FTH_TICK_MADE});
    run.steps[0] += 2;
}

/* Adds (amount > 0), takes (< 0) or looks (0). Returns its number; of one that looks the next
 * one's. */
static uint32_t add_call(uint32_t proc, int64_t start, int64_t end, int64_t amount)
{
    uint32_t number = run.calls;
    if (amount != 0)
        run.all[run.calls++] =
            (struct call){proc, run.steps[proc], start, end, labs(amount), amount < 0};
    else
        run.looked = true;
    add_tick(&run.operations[proc], proc, run.steps[proc],
             (struct fth_order_tick){.start = start,
                                     .end = end,
                                     .amount = amount ? labs(amount) : 1,
                                     .kind = amount < 0   ? FTH_TICK_DOWN
                                             : amount > 0 ? FTH_TICK_UP
                                                          : FTH_TICK_LOOK});
    run.steps[proc] += 2;
    run.free_at[proc] = end;
    return number;
}

/* ---- all orders in which it can have been ---- */

struct orders {
    bool done[MOST_CALLS];
    bool needed[MOST_CALLS][MOST_CALLS]; /* [adds][takes]: in all of them */
};

static bool is_next(const struct orders *orders, uint32_t i)
{
    for (uint32_t k = 0; k < run.calls; k++) {
        bool first = k < i && run.all[k].proc == run.all[i].proc;
        if (!orders->done[k] && k != i && (first || run.all[k].end < run.all[i].start))
            return false;
    }
    return !orders->done[i];
}

/* Without that call, and what its process adds later. */
static int64_t level_without(const struct orders *orders, uint32_t without)
{
    int64_t level = run.first;
    for (uint32_t i = 0; i < run.calls; i++) {
        const struct call *call = &run.all[i], *gone = &run.all[without];
        if (orders->done[i] && call->takes)
            level -= call->amount;
        else if (orders->done[i] && !(call->proc == gone->proc && i >= without))
            level += call->amount;
    }
    return level;
}

/* False: from here on there is no way to the end. */
static bool go_on(struct orders *orders, int64_t level)
{
    bool ends = true, any = false;
    for (uint32_t i = 0; i < run.calls; i++) {
        const struct call *call = &run.all[i];
        ends &= orders->done[i];
        if (!is_next(orders, i) || (call->takes && level < call->amount))
            continue;
        orders->done[i] = true;
        bool whole = go_on(orders, level + (call->takes ? -call->amount : call->amount));
        for (uint32_t k = 0; whole && call->takes && k < run.calls; k++)
            if (!run.all[k].takes && level_without(orders, k) >= 0)
                orders->needed[k][i] = false;
        orders->done[i] = false;
        any |= whole;
    }
    return ends || any;
}

/* ---- what the matcher says ---- */

static uint32_t call_of(struct fth_event event)
{
    uint32_t i = 0;
    while (run.all[i].proc != event.timeline || run.all[i].step != event.step)
        i++;
    return i;
}

static void say(bool said[MOST_CALLS][MOST_CALLS], struct fth_event from, uint32_t to)
{
    if (from.timeline != run.all[to].proc)
        said[call_of(from)][to] = true;
}

static void collect(struct fth_clocks *clocks, bool said[MOST_CALLS][MOST_CALLS])
{
    for (uint32_t i = 0; i < run.processes; i++) {
        const struct fth_rows *edges = fth_clocks_edges(clocks, i);
        struct fth_rows_place place = {0}, inputs = {0};
        for (uint32_t k = 0; k < edges->count; k++) {
            struct fth_order_edge edge = fth_order_edge_at(edges, &place, k);
            uint32_t to = call_of((struct fth_event){i, edge.to - 1});
            bool chained = edge.from == FTH_NO_TIMELINE;
            if (!chained)
                say(said, (struct fth_event){edge.from, edge.step}, to);
            for (size_t hub = edge.step; chained; hub--) {
                size_t count = fth_clocks_hub_size(clocks, hub, &chained);
                for (size_t n = 0; n < count; n++)
                    say(said, fth_clocks_hub_input(clocks, &inputs, hub, n), to);
            }
        }
        fth_rows_leave(&place);
        fth_rows_leave(&inputs);
    }
}

/* The process that adds has added so much before the call, of which what was there at first is
 * not. */
static bool waits_for(const struct call *adds, const struct call *takes)
{
    int64_t taken = -run.first, added = 0;
    for (uint32_t i = 0; i < run.calls; i++) {
        taken += run.all[i].takes && &run.all[i] <= takes;
        added += !run.all[i].takes && &run.all[i] < adds;
    }
    return added < taken;
}

static void match_run(bool said[MOST_CALLS][MOST_CALLS])
{
    struct fth_clocks *clocks = fth_clocks_new(run.processes);
    struct fth_matching matching = {
        .processes = run.operations, .process_count = run.processes, .clocks = clocks};
    memset(said, 0, sizeof(bool[MOST_CALLS][MOST_CALLS]));
    fth_match_tallies(&matching, NULL);
    collect(clocks, said);
    run.unsure = matching.unfollowed_count > 0;
    free(matching.unfollowed);
    fth_intern_free(&matching.unfollowed_means);
    fth_clocks_free(clocks);
    for (uint32_t i = 0; i < run.processes; i++)
        fth_order_operations_free(&run.operations[i]);
}

/* ---- cases by hand ---- */

enum { TAKER, ADDER, OTHER_ADDER };

static bool said[MOST_CALLS][MOST_CALLS]; /* [adds][takes] */

static void who_takes_waits_for_who_adds(void **unused)
{
    (void)unused;
    begin_run(2, 0);
    uint32_t adds = add_call(ADDER, 20, 25, 1), takes = add_call(TAKER, 10, 30, -1);
    match_run(said);
    assert_true(said[adds][takes]);
    assert_false(run.unsure);
}

static void what_was_there_at_first_is_waited_for_by_nobody(void **unused)
{
    (void)unused;
    begin_run(2, 1);
    uint32_t adds = add_call(ADDER, 20, 25, 1), first = add_call(TAKER, 10, 30, -1),
             second = add_call(TAKER, 31, 40, -1);
    match_run(said);
    assert_false(said[adds][first]);
    assert_true(said[adds][second]);
    assert_false(run.unsure);
}

static void one_that_takes_two_waits_for_the_second(void **unused)
{
    (void)unused;
    begin_run(2, 0);
    add_call(ADDER, 10, 15, 1);
    uint32_t second = add_call(ADDER, 20, 25, 1), takes = add_call(TAKER, 10, 30, -2);
    match_run(said);
    assert_true(said[second][takes]);
}

/* Two add, one takes one: either can have been the one that it waited for. */
static void either_of_two_that_add(void **unused)
{
    (void)unused;
    begin_run(3, 0);
    uint32_t one = add_call(ADDER, 20, 25, 1), other = add_call(OTHER_ADDER, 20, 25, 1),
             takes = add_call(TAKER, 10, 30, -1);
    match_run(said);
    assert_false(said[one][takes]);
    assert_false(said[other][takes]);
    assert_true(run.unsure);
}

/* Two add, one takes two: it waited for both. */
static void both_of_two_that_add(void **unused)
{
    (void)unused;
    begin_run(3, 0);
    uint32_t one = add_call(ADDER, 20, 25, 1), other = add_call(OTHER_ADDER, 20, 25, 1),
             takes = add_call(TAKER, 10, 30, -2);
    match_run(said);
    assert_true(said[one][takes]);
    assert_true(said[other][takes]);
}

/* A look at the value may be what a process goes by. */
static void who_looks_makes_it_unsure(void **unused)
{
    (void)unused;
    begin_run(2, 0);
    add_call(ADDER, 20, 25, 1);
    add_call(TAKER, 30, 35, 0);
    match_run(said);
    assert_true(run.unsure);
}

/* ---- random ones ---- */

/* A call that takes effect at `now`, if that is possible. */
static void call_somehow(uint32_t proc, int64_t now, int64_t *level)
{
    bool looks = !run.one_to_one && draw(16) == 0,
         takes = run.one_to_one ? proc == 0 : draw(2) != 0;
    int64_t amount = run.one_to_one || draw(4) ? 1 : 2;
    int64_t start = now - (int64_t)draw(35), end = now + (int64_t)draw(35);
    if (start <= run.free_at[proc])
        start = run.free_at[proc] + (draw(8) != 0);
    if (start > now || (takes && *level < amount))
        return;
    amount = looks ? 0 : takes ? -amount : amount;
    *level += amount;
    add_call(proc, start, end, amount);
}

static void play(void)
{
    uint32_t processes = 2 + draw(2);
    begin_run(processes, draw(3));
    run.one_to_one = run.processes == 2 && draw(2);
    int64_t level = run.first;
    for (int64_t now = 100; run.calls < MOST_CALLS && now < 400; now += 10)
        call_somehow(draw(run.processes), now, &level);
}

static void print_run(void)
{
    print_message("at first: %ld\n", run.first);
    for (uint32_t i = 0; i < run.calls; i++) {
        const struct call *call = &run.all[i];
        print_message("call %u: process %u, from %ld to %ld, %s %ld\n", i, call->proc, call->start,
                      call->end, call->takes ? "takes" : "adds", call->amount);
    }
}

static void compare(uint32_t seed, unsigned *ordered, unsigned *alone)
{
    struct orders orders = {{false}, {{false}}};
    memset(orders.needed, true, sizeof orders.needed);
    go_on(&orders, run.first);
    match_run(said);
    for (uint32_t i = 0; i < run.calls; i++) {
        for (uint32_t k = 0; k < run.calls; k++) {
            const struct call *adds = &run.all[i], *takes = &run.all[k];
            if (adds->takes || !takes->takes || adds->proc == takes->proc)
                continue;
            if (said[i][k] && !orders.needed[i][k]) {
                print_run();
                fail_msg("program %u: call %u need not be before call %u", seed, i, k);
            }
            *ordered += said[i][k];
            if (!run.one_to_one)
                continue;
            bool next = true; /* the last one of those that it waits for */
            for (uint32_t n = i + 1; n < run.calls; n++)
                next &= run.all[n].takes || !waits_for(&run.all[n], takes);
            if (next && waits_for(adds, takes) && !said[i][k]) {
                print_run();
                fail_msg("program %u: call %u has to wait for call %u", seed, k, i);
            }
            *alone += next && waits_for(adds, takes);
        }
    }
    if (run.one_to_one)
        assert_false(run.unsure);
    if (run.looked)
        assert_true(run.unsure);
}

static void agrees_with_runs(void **unused)
{
    (void)unused;
    unsigned ordered = 0, alone = 0, unsure = 0;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        state = seed * 2654435761u;
        play();
        compare(seed, &ordered, &alone);
        unsure += run.unsure;
    }
    print_message("%u ordered, %u of them of one to one; %u runs unsure\n", ordered, alone, unsure);
    assert_true(ordered > 2 * alone && alone > 1000 && unsure > 100 && unsure < PROGRAMS * 3 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_takes_waits_for_who_adds),
        cmocka_unit_test(what_was_there_at_first_is_waited_for_by_nobody),
        cmocka_unit_test(one_that_takes_two_waits_for_the_second),
        cmocka_unit_test(either_of_two_that_add),
        cmocka_unit_test(both_of_two_that_add),
        cmocka_unit_test(who_looks_makes_it_unsure),
        cmocka_unit_test(agrees_with_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
