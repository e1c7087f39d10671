/* The order of events, beside one that is sorted; processors that are shared. */
#include "../shortest.h"
#include "sim/engine/engine.h"
#include "sim/engine/processor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EVENTS = 20000 };

struct mark {
    struct fth_sim_target target;
    int64_t time;
    uint32_t round, number; /* number: in the order of asking */
};

static struct {
    struct mark marks[EVENTS];
    uint32_t asked, happened, most;
    const struct mark *last;
    bool is_wrong, prints;
    uint64_t seed;
} run;

static uint64_t draw(uint64_t below)
{
    run.seed = run.seed * 6364136223846793005u + 1442695040888963407u;
    return (run.seed >> 33) % below;
}

static void ask(struct fth_sim_engine *engine);

static bool comes_before(const struct mark *one, const struct mark *other)
{
    if (one->time != other->time)
        return one->time < other->time;
    if (one->round != other->round)
        return one->round < other->round;
    if (one->target.order != other->target.order)
        return one->target.order < other->target.order;
    return one->number < other->number;
}

static void happen(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    const struct mark *mark = (const struct mark *)target;
    bool is_right = engine->now == mark->time && engine->round == mark->round &&
                    (!run.last || comes_before(run.last, mark));
    run.is_wrong = run.is_wrong || !is_right;
    if (run.prints)
        print_error("  asked %u: at %lld, round %u, order %u; happens at %lld, round %u%s\n",
                    mark->number, (long long)mark->time, mark->round, mark->target.order,
                    (long long)engine->now, engine->round, is_right ? "" : ": wrong");
    run.last = mark;
    run.happened++;
    for (uint64_t more = draw(3); more; more--)
        ask(engine);
}

/* Delays of nothing, of a few nanoseconds, which often meet, and of up to hours; and events that
 * are asked for so late that they belong to the present round. */
static void ask(struct fth_sim_engine *engine)
{
    if (run.asked == run.most)
        return;
    uint64_t kind = draw(run.happened ? 5 : 4);
    uint64_t delay = kind == 0 || kind == 4 ? 0
                     : kind == 1            ? draw(8)
                     : kind == 2            ? draw(5000)
                                            : draw(1 << 30) * draw(1 << 13);
    struct mark *mark = &run.marks[run.asked];
    *mark = (struct mark){{.happen = happen, .order = (uint32_t)draw(4)},
                          engine->now + (int64_t)delay,
                          !delay && run.happened ? engine->round + 1 : 0,
                          run.asked};
    run.asked++;
    if (kind < 4) {
        fth_sim_after(engine, (int64_t)delay, &mark->target);
        return;
    }
    mark->round = engine->round;
    mark->target.order += engine->order;
    fth_sim_in_this_round(engine, &mark->target);
}

static bool comes_in_order(uint32_t seed, uint32_t most)
{
    struct fth_sim_engine engine = {0};
    run.asked = run.happened = 0;
    run.is_wrong = false;
    run.most = most;
    run.seed = seed;
    run.last = NULL;
    for (int i = 0; i < 100; i++)
        ask(&engine);
    fth_sim_engine_run(&engine);
    bool all = run.happened == run.asked && engine.events == run.asked;
    fth_sim_engine_free(&engine);
    return all && !run.is_wrong;
}

static void test_events_come_in_order(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        if (comes_in_order(seed, EVENTS))
            continue;
        uint32_t most = shortest_that_fails(comes_in_order, seed, EVENTS);
        run.prints = true;
        comes_in_order(seed, most);
        fail_msg("events come in another order: seed %u, %u events", seed, most);
    }
}

static char order_of_happening[16];
static void note_name(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    strncat(order_of_happening, &"abcdefgh"[((struct mark *)target)->number], 1);
}

/* The earlier first; at one instant what has the lesser order; of one order who asked first. */
static void test_some_events_come_in_order(void **state)
{
    (void)state;
    static const struct {
        int64_t after;
        uint32_t order;
    } asked[] = {/* a */ {20, 0}, /* b */ {10, 1}, /* c */ {10, 1}, /* d */ {10, 0},
                 /* e */ {0, 5}};
    struct fth_sim_engine engine = {0};
    struct mark marks[sizeof asked / sizeof *asked];
    for (uint32_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        marks[i] = (struct mark){{.happen = note_name, .order = asked[i].order}, 0, 0, i};
        fth_sim_after(&engine, asked[i].after, &marks[i].target);
    }
    fth_sim_engine_run(&engine);
    assert_string_equal(order_of_happening, "edbca");
    assert_int_equal(engine.now, 20);
    fth_sim_engine_free(&engine);
}

struct planned {
    struct fth_sim_target target;
    struct fth_sim_job job;
    struct fth_sim_processor *processor;
    uint64_t instructions;
    int64_t end;
};

static void begin(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    struct planned *planned = (struct planned *)target;
    fth_sim_compute(planned->processor, &planned->job, planned->instructions);
}

static void note_end(struct fth_sim_engine *engine, struct fth_sim_job *job)
{
    ((struct planned *)((char *)job - offsetof(struct planned, job)))->end = engine->now;
}

/* Kunkel 2013, figure 5.3: two processors of one instruction per second, here a million times
 * faster. */
static void test_processors_are_shared(void **state)
{
    (void)state;
    static const struct {
        int64_t at;
        uint64_t length;
        int64_t end;
    } jobs[] = {{0, 3, 3},  {4, 3, 7},  {5, 2, 7},   {7, 2, 10},
                {7, 2, 10}, {7, 6, 15}, {12, 2, 15}, {12, 2, 15}};
    enum { JOBS = sizeof jobs / sizeof *jobs };
    struct fth_sim_engine engine = {0};
    struct fth_sim_processor processor;
    struct planned planned[JOBS];
    fth_sim_processor_init(&processor, &engine, 2, 1000000);
    for (size_t i = 0; i < JOBS; i++) {
        planned[i] = (struct planned){.target.happen = begin,
                                      .job.done = note_end,
                                      .processor = &processor,
                                      .instructions = jobs[i].length};
        fth_sim_after(&engine, jobs[i].at * 1000, &planned[i].target);
    }
    fth_sim_engine_run(&engine);
    for (size_t i = 0; i < JOBS; i++)
        assert_in_range(planned[i].end, jobs[i].end * 1000, jobs[i].end * 1000 + 1);
    /* 22 in all, on two of them. */
    assert_in_range(fth_sim_processor_busy(&processor), 11000, 11001);
    fth_sim_engine_free(&engine);
}

/* Three instructions at 2660 MHz are 1.13 ns: two. */
static void test_a_step_takes_full_nanoseconds(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_processor processor;
    fth_sim_processor_init(&processor, &engine, 1, 2660000000);
    struct planned planned = {.job.done = note_end};
    fth_sim_compute(&processor, &planned.job, 3);
    fth_sim_engine_run(&engine);
    assert_int_equal(planned.end, 2);
    assert_int_equal(engine.events, 1);
    fth_sim_engine_free(&engine);
}

static int64_t reminded[4];
static size_t reminded_count;

static void note_reminder(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)target;
    reminded[reminded_count++] = engine->now;
}

static void nothing(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    (void)target;
}

/* The one at 300 is set anew, and comes at 50; the one at 5000 would be the only thing that still
 * happens. */
static void test_reminders_do_not_prolong_a_run(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_target work = {nothing, 0};
    struct fth_sim_reminder reminders[3] = {{.target.happen = note_reminder},
                                            {.target.happen = note_reminder},
                                            {.target.happen = note_reminder}};
    fth_sim_after(&engine, 1000, &work);
    fth_sim_remind(&engine, &reminders[0], 300);
    fth_sim_remind(&engine, &reminders[1], 200);
    fth_sim_remind(&engine, &reminders[2], 5000);
    fth_sim_remind(&engine, &reminders[0], 50);
    fth_sim_engine_run(&engine);
    assert_int_equal(engine.now, 1000);
    assert_int_equal(reminded_count, 2);
    assert_int_equal(reminded[0], 50);
    assert_int_equal(reminded[1], 200);
    fth_sim_engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_some_events_come_in_order),
        cmocka_unit_test(test_events_come_in_order),
        cmocka_unit_test(test_processors_are_shared),
        cmocka_unit_test(test_a_step_takes_full_nanoseconds),
        cmocka_unit_test(test_reminders_do_not_prolong_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
