/* What may have come before, by means that nobody can follow: as far as the times of calls allow
 * it. */
#include "base/memory.h"
#include "order/possible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PROCESSES = 3, STEPS = 10 };

static struct fth_order_operations processes[PROCESSES];
static struct fth_matching matching;
static struct fth_shared shared;

static void begin(void)
{
    memset(processes, 0, sizeof processes);
    shared = (struct fth_shared){NULL, 0, NULL, 0, NULL};
    matching = (struct fth_matching){.processes = processes, .process_count = PROCESSES};
    matching.clocks = fth_clocks_new(PROCESSES);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        processes[i] = (struct fth_order_operations){.first_timeline = i, .timeline_count = 1};
        for (uint32_t step = 1; step < STEPS; step++)
            fth_clocks_mark(matching.clocks, (struct fth_moment){i, step});
    }
}

/* A call whose entry is this event, and its exit the next one. */
static void use(uint32_t proc, uint32_t step, int64_t start, const char *means, bool releases)
{
    uint32_t operation = fth_order_operations_add(
        &processes[proc], (struct fth_order_operation){.begin = {proc, step},
                                                       .end = {proc, step + 1},
                                                       .member = FTH_NO_MEMBER});
    fth_match_unfollowed(&matching, means,
                         (struct fth_unfollowed){.proc = proc,
                                                 .operation = operation,
                                                 .start = start,
                                                 .end = start + 1,
                                                 .releases = releases,
                                                 .acquires = !releases});
}

static void touch(uint32_t proc, uint32_t step, int64_t time, bool releases)
{
    struct fth_order_operations *process = &processes[proc];
    FTH_GROW(process->possible.touches, process->possible.touch_count);
    process->possible.touches[process->possible.touch_count++] =
        (struct fth_order_touch){{proc, step}, time, releases};
}

static struct fth_clocks *clocks_of_all(void)
{
    return fth_possible_clocks(&matching, &shared);
}

static void end(struct fth_clocks *clocks)
{
    fth_clocks_free(clocks);
    fth_clocks_free(matching.clocks);
    fth_match_free(&matching);
    for (uint32_t i = 0; i < PROCESSES; i++)
        fth_order_operations_free(&processes[i]);
}

static bool is_before(const struct fth_clocks *clocks, uint32_t a, uint32_t step, uint32_t b,
                      uint32_t other)
{
    return fth_clocks_before(clocks, (struct fth_moment){a, step}, (struct fth_moment){b, other});
}

static void a_later_acquisition_may_know(void **unused)
{
    (void)unused;
    begin();
    use(0, 2, 100, "datagrams", true);
    use(1, 2, 50, "datagrams", false);
    use(1, 4, 200, "datagrams", false);
    struct fth_clocks *clocks = clocks_of_all();
    assert_true(is_before(clocks, 0, 2, 1, 6));
    assert_false(is_before(clocks, 0, 2, 1, 4)); /* it acquired too early */
    assert_false(is_before(clocks, 0, 4, 1, 6)); /* that came later */
    assert_false(is_before(clocks, 1, 2, 0, 6)); /* who releases acquires nothing */
    end(clocks);
}

static void other_means_release_nothing(void **unused)
{
    (void)unused;
    begin();
    use(0, 2, 100, "connections to 10.0.0.1:80", true);
    use(1, 2, 200, "connections to 10.0.0.1:81", false);
    struct fth_clocks *clocks = clocks_of_all();
    assert_false(is_before(clocks, 0, 2, 1, 4));
    end(clocks);
}

static void what_is_known_is_passed_on(void **unused)
{
    (void)unused;
    begin();
    use(0, 2, 100, "one", true);
    use(1, 2, 200, "one", false);
    use(1, 4, 300, "other", true);
    use(2, 2, 400, "other", false);
    struct fth_clocks *clocks = clocks_of_all();
    assert_true(is_before(clocks, 0, 2, 2, 4));
    end(clocks);
}

static void memory_that_is_shared_is_there_from_then_on(void **unused)
{
    (void)unused;
    begin();
    struct fth_shared_thing shares[] = {
        {.thing = 0, .proc = 0, .releases_until = INT64_MAX, .acquires_from = 10},
        {.thing = 0, .proc = 1, .releases_until = INT64_MAX, .acquires_from = 150}};
    char *things[] = {"memory"};
    shared = (struct fth_shared){things, 1, shares, 2, NULL};
    touch(0, 2, 100, true);
    touch(1, 2, 120, false);
    touch(1, 4, 200, false);
    touch(2, 2, 200, false);
    struct fth_clocks *clocks = clocks_of_all();
    assert_true(is_before(clocks, 0, 2, 1, 5));
    assert_false(is_before(clocks, 0, 2, 1, 3)); /* not mapped yet */
    assert_false(is_before(clocks, 0, 2, 2, 5)); /* not shared with that one */
    end(clocks);
}

static void nothing_more_than_what_is_certain(void **unused)
{
    (void)unused;
    begin();
    assert_null(clocks_of_all());
    end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_acquisition_may_know),
        cmocka_unit_test(other_means_release_nothing),
        cmocka_unit_test(what_is_known_is_passed_on),
        cmocka_unit_test(memory_that_is_shared_is_there_from_then_on),
        cmocka_unit_test(nothing_more_than_what_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
