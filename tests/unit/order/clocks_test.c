/* Clocks: cases by hand, then random small programs, held against a transitive closure over all
 * their events. */
#include "order/clocks/clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_TIMELINES = 6,
    MOST_STEPS = 14,
    MOST_EVENTS = MOST_TIMELINES * MOST_STEPS,
    PROGRAMS = 4000
};

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* Events 0..count in an order in which they may have happened, each of a timeline. For the clocks
 * timelines have numbers at this distance. */
struct program {
    uint32_t timelines, count, distance;
    struct fth_event events[MOST_EVENTS];
    bool before[MOST_EVENTS][MOST_EVENTS];
};

static struct fth_event event_of(const struct program *program, uint32_t number)
{
    struct fth_event event = program->events[number];
    return (struct fth_event){event.timeline * program->distance, event.step};
}

static void close_transitively(struct program *program)
{
    for (uint32_t middle = 0; middle < program->count; middle++)
        for (uint32_t from = 0; from < program->count; from++)
            for (uint32_t to = 0; program->before[from][middle] && to < program->count; to++)
                program->before[from][to] |= program->before[middle][to];
}

static void make_events(struct program *program)
{
    uint32_t steps[MOST_TIMELINES] = {0};
    program->timelines = 1 + draw(MOST_TIMELINES);
    program->count = draw(program->timelines * MOST_STEPS);
    program->distance = draw(2) ? 1 : 37;
    memset(program->before, 0, sizeof program->before);
    for (uint32_t i = 0; i < program->count; i++) {
        uint32_t timeline = draw(program->timelines);
        program->events[i] = (struct fth_event){timeline, steps[timeline]++};
        for (uint32_t k = 0; k < i; k++)
            program->before[k][i] = program->events[k].timeline == timeline;
    }
}

static void make_edges(struct program *program, struct fth_clocks *clocks)
{
    for (uint32_t i = draw(program->count * 2); i > 0; i--) {
        uint32_t to = draw(program->count);
        uint32_t from = to ? draw(to) : 0;
        if (from == to)
            continue;
        fth_clocks_edge(clocks, event_of(program, from), event_of(program, to));
        program->before[from][to] = true;
    }
}

/* A chain of hubs, each of which has all that came into those before it. */
static void make_hubs(struct program *program, struct fth_clocks *clocks)
{
    uint32_t middle = draw(program->count), chained = 1 + draw(3);
    bool known[MOST_EVENTS] = {false};
    for (uint32_t h = 0; h < chained; h++) {
        uint32_t hub = fth_clocks_hub(clocks, h > 0);
        for (uint32_t from = 0; from < middle; from++) {
            if (draw(4))
                continue;
            fth_clocks_into(clocks, event_of(program, from));
            known[from] = true;
        }
        for (uint32_t to = middle; to < program->count; to++) {
            if (draw(4))
                continue;
            fth_clocks_out_of(clocks, hub, event_of(program, to));
            for (uint32_t from = 0; from < middle; from++)
                program->before[from][to] |= known[from];
        }
    }
}

/* Is event a.step of a's timeline, or one before which it came, at or before the last event of b's
 * timeline before b? */
static bool expected(const struct program *program, struct fth_moment a, struct fth_moment b)
{
    if (a.timeline == b.timeline)
        return a.step <= b.step;
    for (uint32_t from = 0; from < program->count; from++) {
        if (program->events[from].timeline != a.timeline || program->events[from].step != a.step)
            continue;
        for (uint32_t to = 0; to < program->count; to++)
            if (program->events[to].timeline == b.timeline &&
                program->events[to].step + 1 == b.step)
                return program->before[from][to];
    }
    return false;
}

static void print_program(const struct program *program)
{
    print_error("%u timelines; events, by timeline and step, and those that come before them:\n",
                program->timelines);
    for (uint32_t to = 0; to < program->count; to++) {
        print_error("  %u.%u:", program->events[to].timeline, program->events[to].step);
        for (uint32_t from = 0; from < program->count; from++)
            if (program->before[from][to] &&
                program->events[from].timeline != program->events[to].timeline)
                print_error(" %u.%u", program->events[from].timeline, program->events[from].step);
        print_error("\n");
    }
}

static void check_all(const struct program *program, const struct fth_clocks *clocks,
                      const bool marked[MOST_TIMELINES][MOST_STEPS * MOST_TIMELINES + 1])
{
    for (uint32_t timeline = 0; timeline < program->timelines; timeline++)
        for (uint32_t step = 0; step <= program->count; step++)
            for (uint32_t i = 0; marked[timeline][step] && i < program->count; i++) {
                struct fth_moment a = {program->events[i].timeline, program->events[i].step};
                struct fth_moment b = {timeline, step};
                bool found = expected(program, a, b);
                a.timeline *= program->distance;
                b.timeline *= program->distance;
                if (fth_clocks_before(clocks, a, b) == found)
                    continue;
                print_program(program);
                fail_msg("event %u.%u is %sbefore step %u of timeline %u",
                         program->events[i].timeline, a.step, found ? "" : "not ", step, timeline);
            }
}

/* Is step `a` of timeline 0 before step `b` of the last one? */
static bool is_before(const struct fth_clocks *clocks, uint32_t a, uint32_t last, uint32_t b)
{
    return fth_clocks_before(clocks, (struct fth_moment){0, a}, (struct fth_moment){last, b});
}

static void an_edge_orders_what_is_before_and_behind_it(void **unused)
{
    (void)unused;
    struct fth_clocks *clocks = fth_clocks_new(2);
    fth_clocks_edge(clocks, (struct fth_event){0, 3}, (struct fth_event){1, 5});
    for (uint32_t step = 5; step <= 7; step++)
        fth_clocks_mark(clocks, (struct fth_moment){1, step});
    fth_clocks_compute(clocks, NULL, NULL);
    assert_false(is_before(clocks, 3, 1, 5)); /* before the event of step 5, not behind it */
    assert_true(is_before(clocks, 3, 1, 6));
    assert_true(is_before(clocks, 2, 1, 7));
    assert_false(is_before(clocks, 4, 1, 7));
    fth_clocks_free(clocks);
}

static void order_is_handed_on(void **unused)
{
    (void)unused;
    struct fth_clocks *clocks = fth_clocks_new(3);
    fth_clocks_edge(clocks, (struct fth_event){0, 1}, (struct fth_event){1, 1});
    fth_clocks_edge(clocks, (struct fth_event){1, 2}, (struct fth_event){2, 0});
    fth_clocks_mark(clocks, (struct fth_moment){2, 1});
    fth_clocks_compute(clocks, NULL, NULL);
    assert_true(is_before(clocks, 1, 2, 1));
    assert_false(is_before(clocks, 2, 2, 1));
    fth_clocks_free(clocks);
}

static void all_come_into_a_hub_and_all_leave_it(void **unused)
{
    (void)unused;
    struct fth_clocks *clocks = fth_clocks_new(3);
    uint32_t hub = fth_clocks_hub(clocks, false);
    for (uint32_t timeline = 0; timeline < 3; timeline++) {
        fth_clocks_into(clocks, (struct fth_event){timeline, 4});
        fth_clocks_out_of(clocks, hub, (struct fth_event){timeline, 5});
    }
    fth_clocks_mark(clocks, (struct fth_moment){2, 5});
    fth_clocks_mark(clocks, (struct fth_moment){2, 6});
    fth_clocks_compute(clocks, NULL, NULL);
    assert_true(is_before(clocks, 4, 2, 6));
    assert_false(is_before(clocks, 5, 2, 6));
    assert_false(is_before(clocks, 4, 2, 5));
    fth_clocks_free(clocks);
}

/* ---- random ones ---- */

static void agrees_with_closure(void **unused)
{
    (void)unused;
    static struct program program;
    static bool marked[MOST_TIMELINES][MOST_STEPS * MOST_TIMELINES + 1];
    for (state = 1; state < PROGRAMS;) {
        uint32_t seed = state;
        make_events(&program);
        struct fth_clocks *clocks = fth_clocks_new((size_t)program.timelines * program.distance);
        memset(marked, 0, sizeof marked);
        uint32_t share = 1 + draw(4);
        for (uint32_t i = 0; i < program.count; i++) {
            struct fth_moment moment = {program.events[i].timeline,
                                        program.events[i].step + draw(2)};
            if (draw(share))
                continue;
            marked[moment.timeline][moment.step] = true;
            moment.timeline *= program.distance;
            fth_clocks_mark(clocks, moment);
        }
        for (uint32_t rounds = 1 + draw(2); rounds > 0 && program.count; rounds--) {
            struct fth_clocks *more = fth_clocks_new((size_t)program.timelines * program.distance);
            make_edges(&program, draw(2) ? clocks : more);
            if (draw(2))
                make_hubs(&program, draw(2) ? clocks : more);
            fth_clocks_add(clocks, more);
            fth_clocks_free(more);
            close_transitively(&program);
            fth_clocks_compute(clocks, NULL, NULL);
            check_all(&program, clocks, marked);
        }
        fth_clocks_free(clocks);
        state = seed + 1;
    }
}

static void count_circle(void *context, struct fth_event waiting)
{
    (void)waiting;
    ++*(unsigned *)context;
}

static void circles_are_broken(void **unused)
{
    (void)unused;
    struct fth_clocks *clocks = fth_clocks_new(3);
    unsigned circles = 0;
    fth_clocks_edge(clocks, (struct fth_event){0, 1}, (struct fth_event){1, 0});
    fth_clocks_edge(clocks, (struct fth_event){1, 1}, (struct fth_event){0, 0});
    fth_clocks_edge(clocks, (struct fth_event){2, 0}, (struct fth_event){2, 0});
    fth_clocks_edge(clocks, (struct fth_event){1, 3}, (struct fth_event){2, 4});
    fth_clocks_mark(clocks, (struct fth_moment){2, 5});
    fth_clocks_compute(clocks, count_circle, &circles);
    assert_int_equal(circles, 2);
    assert_true(fth_clocks_before(clocks, (struct fth_moment){1, 3}, (struct fth_moment){2, 5}));
    assert_false(fth_clocks_before(clocks, (struct fth_moment){1, 4}, (struct fth_moment){2, 5}));
    fth_clocks_free(clocks);
}

static void any_edges_end(void **unused)
{
    (void)unused;
    for (uint32_t round = 0; round < 300; round++) {
        state = 7777 + round;
        struct fth_clocks *clocks = fth_clocks_new(5);
        for (uint32_t i = 0; i < 400; i++) {
            struct fth_event from = {draw(6), draw(50)}, to = {draw(6), draw(50)};
            fth_clocks_edge(clocks, from, to);
            if (i % 7 == 0) {
                uint32_t hub = fth_clocks_hub(clocks, draw(2));
                for (uint32_t k = 0; k < 3; k++)
                    fth_clocks_into(clocks, (struct fth_event){draw(6), draw(50)});
                for (uint32_t k = 0; k < 3; k++)
                    fth_clocks_out_of(clocks, hub, (struct fth_event){draw(6), draw(50)});
            }
            fth_clocks_mark(clocks, (struct fth_moment){draw(5), draw(50)});
        }
        fth_clocks_compute(clocks, NULL, NULL);
        fth_clocks_compute(clocks, NULL, NULL);
        fth_clocks_free(clocks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_orders_what_is_before_and_behind_it),
        cmocka_unit_test(order_is_handed_on),
        cmocka_unit_test(all_come_into_a_hub_and_all_leave_it),
        cmocka_unit_test(agrees_with_closure),
        cmocka_unit_test(circles_are_broken),
        cmocka_unit_test(any_edges_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
