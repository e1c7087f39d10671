/* Random events and shares come out of a timeline as they were put in: near and far numbers, times
 * of any length, segments of no, little and much work, any number of kinds. */
#include "../shortest.h"
#include "base/memory.h"
#include "path/thread_timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_EVENTS = 500, MOST_SHARES = 40, WORK_KINDS = 1000, TIMELINES = 600 };

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* ---- what is put in ---- */

static struct {
    uint32_t count;
    struct fth_flow_event events[MOST_EVENTS];
    uint32_t share_counts[MOST_EVENTS], work[MOST_EVENTS][MOST_SHARES];
    int64_t times[MOST_EVENTS][MOST_SHARES];
    int64_t polled[MOST_EVENTS + 1]; /* by the event behind; 0: not */
} put;

static int64_t draw_length(void)
{
    return draw(50) ? 1 + draw(100000) : (int64_t)(1 + draw(100)) << 30;
}

static struct fth_flow_event draw_event(uint32_t step, int64_t now, uint32_t *call, bool varied)
{
    struct fth_flow_event event = {.time = now, .call = UINT32_MAX, .function = FTH_NO_FUNCTION};
    if (step && draw(20)) {
        event.function = (uint16_t)draw(varied ? 60000 : 5);
        event.is_exit = draw(2);
        *call += 1 + (draw(10) ? draw(3) : draw(1 << 20));
        event.call = event.is_exit ? (draw(10) ? step - 1 : draw(step)) : *call;
    }
    return event;
}

static void put_timeline(struct fth_flow_packer *packer, uint32_t seed, uint32_t most)
{
    int64_t now = 0;
    uint32_t call = 0;
    state = seed;
    memset(&put, 0, sizeof put);
    put.count = 1 + draw(MOST_EVENTS);
    put.count = put.count < most ? put.count : most;
    for (uint32_t step = 0; step < put.count; step++) {
        put.events[step] = draw_event(step, now, &call, seed % 2);
        assert_int_equal(fth_flow_add_event(packer, put.events[step]), step);
        uint32_t shares = step + 1 == put.count ? 0 : draw(10) ? draw(4) : draw(MOST_SHARES);
        for (uint32_t i = 0; i < shares; i++) {
            uint32_t work = put.work[step][i] = i * WORK_KINDS / MOST_SHARES + draw(3);
            int64_t time = put.times[step][i] = draw_length(), first = draw(2) ? 0 : time / 2;
            fth_flow_add_time(packer, work, time - first);
            now += time;
            if (first) /* more of the same later on is no share of its own */
                fth_flow_add_time(packer, work, first);
        }
        put.share_counts[step] = shares;
        for (uint32_t polls = seed % 3 ? draw(3) : 0; polls; polls--)
            fth_flow_add_poll(packer, put.polled[step + 1] = now + draw(1000) + 1);
    }
}

/* ---- what comes out ---- */

static bool has_shares(const struct fth_thread_timeline *timeline, uint32_t from, uint32_t to)
{
    struct fth_flow_shares shares = fth_flow_shares(timeline, from, to);
    uint32_t work;
    int64_t time;
    for (uint32_t step = from; step < to; step++)
        for (uint32_t i = 0; i < put.share_counts[step]; i++)
            if (!fth_flow_next_share(&shares, &work, &time) ||
                work != WORK_KINDS - put.work[step][i] || time != put.times[step][i] ||
                shares.step != step + 1)
                return false;
    return !fth_flow_next_share(&shares, &work, &time);
}

static bool has_event(const struct fth_thread_timeline *timeline, uint32_t step)
{
    const struct fth_flow_event *event = &put.events[step];
    return fth_flow_time(timeline, step) == event->time &&
           fth_flow_kind(timeline, step)->function == event->function &&
           fth_flow_kind(timeline, step)->is_exit == event->is_exit &&
           fth_flow_entry(timeline, step) == (event->is_exit ? event->call : step) &&
           (event->is_exit || fth_flow_call(timeline, step) == event->call);
}

static bool has_poll(const struct fth_thread_timeline *timeline, uint32_t step)
{
    int64_t end = 0;
    return fth_flow_polled(timeline, step, &end) == (put.polled[step] != 0) &&
           end == put.polled[step];
}

static bool has_timeline(const struct fth_thread_timeline *timeline)
{
    bool holds = timeline->event_count == put.count && has_shares(timeline, 0, put.count - 1);
    for (uint32_t step = 0; holds && step < put.count; step++)
        holds = has_event(timeline, step) && has_poll(timeline, step);
    for (int i = 0; i < 20; i++) {
        uint32_t from = draw(put.count), to = from + draw(put.count - from);
        holds = holds && has_shares(timeline, from, to);
    }
    return holds;
}

static bool comes_back(uint32_t seed, uint32_t most)
{
    struct fth_flow_store store = {0};
    struct fth_thread_timeline timeline = {0};
    struct fth_flow_packer packer = {.timeline = &timeline, .store = &store};
    uint32_t *numbers = fth_new(WORK_KINDS, sizeof *numbers);
    for (uint32_t i = 0; i < WORK_KINDS; i++)
        numbers[i] = WORK_KINDS - i;
    put_timeline(&packer, seed, most);
    fth_flow_end_timeline(&packer);
    fth_flow_end_store(&store, numbers, &timeline, 1);
    bool holds = has_timeline(&timeline);
    fth_flow_free_timeline(&timeline);
    fth_flow_free_store(&store);
    return holds;
}

static void print_timeline(void)
{
    for (uint32_t step = 0; step < put.count; step++) {
        const struct fth_flow_event *event = &put.events[step];
        print_error("  event %u at %lld: ", step, (long long)event->time);
        if (event->function == FTH_NO_FUNCTION)
            print_error("no call");
        else if (event->is_exit)
            print_error("exit of function %u, entered at event %u", event->function, event->call);
        else
            print_error("call %u, of function %u", event->call, event->function);
        for (uint32_t i = 0; i < put.share_counts[step]; i++)
            print_error("; then %lld of work %u", (long long)put.times[step][i], put.work[step][i]);
        print_error("\n");
    }
}

static void timelines_are_as_they_were_filled(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= TIMELINES; seed++) {
        if (comes_back(seed, MOST_EVENTS))
            continue;
        uint32_t most = shortest_that_fails(comes_back, seed, MOST_EVENTS);
        comes_back(seed, most);
        print_timeline();
        fail_msg("this timeline comes back as another one: seed %u, %u events", seed, most);
    }
}

/* Call 7 from 100 to 150, of which 30 are one work and 20 another one. */
static void a_call_and_what_it_did(void **unused)
{
    (void)unused;
    struct fth_flow_store store = {0};
    struct fth_thread_timeline timeline = {0};
    struct fth_flow_packer packer = {.timeline = &timeline, .store = &store};
    fth_flow_add_event(&packer, (struct fth_flow_event){100, 7, 4, false});
    fth_flow_add_time(&packer, 0, 30);
    fth_flow_add_time(&packer, 1, 20);
    fth_flow_add_event(&packer, (struct fth_flow_event){150, 0, 4, true});
    fth_flow_end_timeline(&packer);
    uint32_t *numbers = fth_new(2, sizeof *numbers), work;
    int64_t time;
    numbers[0] = 10, numbers[1] = 11;
    fth_flow_end_store(&store, numbers, &timeline, 1);
    assert_int_equal(fth_flow_call(&timeline, 0), 7);
    assert_int_equal(fth_flow_time(&timeline, 1), 150);
    assert_int_equal(fth_flow_entry(&timeline, 1), 0);
    struct fth_flow_shares shares = fth_flow_shares(&timeline, 0, 1);
    assert_true(fth_flow_next_share(&shares, &work, &time) && work == 10 && time == 30);
    assert_true(fth_flow_next_share(&shares, &work, &time) && work == 11 && time == 20);
    assert_false(fth_flow_next_share(&shares, &work, &time));
    fth_flow_free_timeline(&timeline);
    fth_flow_free_store(&store);
}

/* More kinds than two bytes can number. */
static void any_number_of_kinds(void **unused)
{
    (void)unused;
    enum { EVENTS = 100000 };
    struct fth_flow_store store = {0};
    struct fth_thread_timeline timeline = {0};
    struct fth_flow_packer packer = {.timeline = &timeline, .store = &store};
    for (uint32_t i = 0; i < EVENTS; i++) {
        fth_flow_add_event(&packer, (struct fth_flow_event){i, i, (uint16_t)(i % 60000), false});
        fth_flow_add_time(&packer, i, 1);
    }
    fth_flow_add_event(&packer,
                       (struct fth_flow_event){EVENTS, UINT32_MAX, FTH_NO_FUNCTION, false});
    fth_flow_end_timeline(&packer);
    uint32_t *numbers = fth_new(EVENTS, sizeof *numbers);
    for (uint32_t i = 0; i < EVENTS; i++)
        numbers[i] = i;
    fth_flow_end_store(&store, numbers, &timeline, 1);
    struct fth_flow_shares shares = fth_flow_shares(&timeline, 0, EVENTS);
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t work;
        int64_t time;
        assert_true(fth_flow_next_share(&shares, &work, &time));
        assert_int_equal(work, i);
        assert_int_equal(time, 1);
        assert_int_equal(fth_flow_time(&timeline, i), i);
        assert_int_equal(fth_flow_call(&timeline, i), i);
        assert_int_equal(fth_flow_kind(&timeline, i)->function, i % 60000);
    }
    fth_flow_free_timeline(&timeline);
    fth_flow_free_store(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_and_what_it_did),
        cmocka_unit_test(timelines_are_as_they_were_filled),
        cmocka_unit_test(any_number_of_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
