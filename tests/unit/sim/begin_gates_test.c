/* Groups of processes that begin behind the begin or the end of others, that are held until others
 * have ended, and that never begin. */
#include "sim/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MS = 1000000, MOST = 6, COMMANDS = 3, NOTHING = -1, HOLDS = -2 };

/* Processes that compute, for so many ms each, or are held. */
struct experiment {
    struct fth_sim_program program;
    int commands[MOST][COMMANDS]; /* ms, HOLDS or NOTHING */
};

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct experiment *experiment = (const struct experiment *)program;
    int what = cursor->at < COMMANDS ? experiment->commands[rank][cursor->at++] : NOTHING;
    *command = (struct fth_sim_command){
        .verb = FTH_SIM_COMPUTE, .nanoseconds = what > 0 ? what * MS : 0, .holds = what == HOLDS};
    return what != NOTHING;
}

struct expected {
    int begun, ended; /* ms; -1: it did not */
    uint32_t behind, held;
};

static void check(const struct experiment *experiment, const struct expected *expected)
{
    static const struct fth_sim_speed fast = {.throughput = UINT64_C(1) << 50};
    const struct fth_sim_cluster cluster = {.nodes = 1,
                                            .sockets = 1,
                                            .cores = MOST,
                                            .instructions = 1000000000,
                                            .packet = 1024,
                                            .nic = {"NIC", fast},
                                            .nic_edge = {"edge", fast},
                                            .hub = {"switch", fast}};
    struct fth_sim_world *world = fth_sim_world_new(&cluster, &experiment->program, NULL);
    assert_non_null(world);
    fth_sim_world_run(world);
    for (uint32_t i = 0; i < experiment->program.order->group_count; i++) {
        struct fth_sim_group_times times = fth_sim_world_group(world, i);
        assert_int_equal(times.begun, expected[i].begun < 0 ? -1 : expected[i].begun * MS);
        assert_int_equal(times.ended, expected[i].ended < 0 ? -1 : expected[i].ended * MS);
        assert_int_equal(times.behind, expected[i].behind);
        assert_int_equal(times.held, expected[i].held);
    }
    fth_sim_world_free(world);
}

/* 0 has two processes; 1 begins behind the last of them and 2 behind the begin of 0; 3 has none and
 * lasts, and holds the end of 2. */
static void begins_and_ends(void **state)
{
    (void)state;
    static const struct fth_sim_begin_edge edges[] = {
        {0, 1, FTH_SIM_BEHIND_END, 5 * MS},
        {0, 2, FTH_SIM_BEHIND_BEGIN, 3 * MS},
        {0, 3, FTH_SIM_BEHIND_BEGIN, 0},
        {3, 2, FTH_SIM_ENDS_BEHIND, 1 * MS},
    };
    static const uint32_t first[] = {0, 2, 3, 4, 4};
    static const int64_t begins[] = {2 * MS, 0, 0, 0}, lengths[] = {0, 0, 0, 50 * MS};
    const struct fth_sim_begin_order order = {4, 4, edges, first, begins, lengths};
    const struct experiment experiment = {
        .program = {.ranks = 4, .next = next, .order = &order},
        .commands = {{10, NOTHING}, {20, NOTHING}, {7, NOTHING}, {4, 4, NOTHING}}};
    static const struct expected expected[] = {{2, 22, UINT32_MAX, UINT32_MAX},
                                               {27, 34, 0, UINT32_MAX},
                                               {5, 53, 1, 3},
                                               {2, 52, 2, UINT32_MAX}};
    check(&experiment, expected);
}

/* 1 reads what 0 writes, to the end, and goes on; 2 comes there when 0 is over, and is not held. */
static void is_held(void **state)
{
    (void)state;
    static const struct fth_sim_begin_edge edges[] = {{0, 1, FTH_SIM_HOLDS, 1 * MS},
                                                      {0, 2, FTH_SIM_HOLDS, 0}};
    static const uint32_t first[] = {0, 1, 2, 3};
    static const int64_t begins[3] = {0}, lengths[3] = {0};
    const struct fth_sim_begin_order order = {3, 2, edges, first, begins, lengths};
    const struct experiment experiment = {
        .program = {.ranks = 3, .next = next, .order = &order},
        .commands = {{10, NOTHING}, {2, HOLDS, 4}, {30, HOLDS, 4}}};
    static const struct expected expected[] = {
        {0, 10, UINT32_MAX, UINT32_MAX}, {0, 15, UINT32_MAX, 0}, {0, 34, UINT32_MAX, UINT32_MAX}};
    check(&experiment, expected);
}

/* Groups in a circle never begin; others do. */
static void circle(void **state)
{
    (void)state;
    static const struct fth_sim_begin_edge edges[] = {{0, 1, FTH_SIM_BEHIND_END, 0},
                                                      {1, 0, FTH_SIM_BEHIND_END, 0}};
    static const uint32_t first[] = {0, 1, 2, 3};
    static const int64_t begins[3] = {0}, lengths[3] = {0};
    const struct fth_sim_begin_order order = {3, 2, edges, first, begins, lengths};
    const struct experiment experiment = {.program = {.ranks = 3, .next = next, .order = &order},
                                          .commands = {{1, NOTHING}, {1, NOTHING}, {1, NOTHING}}};
    static const struct expected expected[] = {{-1, -1, UINT32_MAX, UINT32_MAX},
                                               {-1, -1, UINT32_MAX, UINT32_MAX},
                                               {0, 1, UINT32_MAX, UINT32_MAX}};
    check(&experiment, expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(begins_and_ends), cmocka_unit_test(is_held),
                                       cmocka_unit_test(circle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
