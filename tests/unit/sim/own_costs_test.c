/* What commands on files cost the processors of those who give them, who takes turns with whom, and
 * what MPI's library adds; processes that poll. */
#include "sim/io/cache.h"
#include "sim/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MS = 1000000 };
enum { MOST_COMMANDS = 8, MOST_PROCESSES = 4 };

/* Processes on one node with a kernel that keeps files, and the instants at which they end. */
struct experiment {
    struct fth_sim_program program;
    struct fth_sim_cluster cluster;
    struct fth_sim_command commands[MOST_PROCESSES][MOST_COMMANDS];
    uint32_t counts[MOST_PROCESSES];
    struct fth_sim_file files[2];
    double ends[MOST_PROCESSES]; /* ms */
};

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct experiment *experiment = (const struct experiment *)program;
    if (cursor->at == experiment->counts[rank])
        return false;
    *command = experiment->commands[rank][cursor->at++];
    return true;
}

static void prepare(struct experiment *experiment, uint32_t processes, uint32_t cores)
{
    static const struct fth_sim_speed fast = {.throughput = UINT64_C(1) << 50};
    *experiment =
        (struct experiment){.program = {.ranks = processes, .next = next, .file_count = 2},
                            .cluster = {.nodes = 1,
                                        .sockets = 1,
                                        .cores = cores,
                                        .instructions = 1000000000000,
                                        .step_instructions = 1,
                                        .packet = 64 << 10,
                                        .eager = 64 << 10,
                                        .nic = {"NIC", fast},
                                        .nic_edge = {"edge", fast},
                                        .hub = {"switch", fast},
                                        .servers = {.count = 1,
                                                    .shared = true,
                                                    .in_kernel = true,
                                                    .cache = fth_sim_cache("WriteBack"),
                                                    .memory = 1 << 30,
                                                    .background = 1 << 30,
                                                    .expire = INT64_C(1) << 60,
                                                    .granularity = 10 << 20,
                                                    .stripe = 64 << 10,
                                                    .at_once = 1,
                                                    .open_call = 1 * MS,
                                                    .create_call = 10 * MS,
                                                    .close_call = 2 * MS,
                                                    .stat_call = 3 * MS,
                                                    .rename_call = 4 * MS,
                                                    .delete_call = 5 * MS,
                                                    .sync_call = 6 * MS,
                                                    .write_call = 20 * MS,
                                                    .block = 4096},
                                        .disk = {fth_sim_disk_model("SimpleDisk"),
                                                 {.throughput = 1 << 30, .access = 1}}},
                            .files = {{.name = "file"}, {.name = "other"}}};
    experiment->program.files = experiment->files;
}

static struct fth_sim_command *add(struct experiment *experiment, uint32_t rank,
                                   enum fth_sim_verb verb, uint32_t file)
{
    assert_true(experiment->counts[rank] < MOST_COMMANDS);
    struct fth_sim_command *command = &experiment->commands[rank][experiment->counts[rank]++];
    command->verb = verb;
    command->file = file;
    return command;
}

static void write_byte(struct experiment *experiment, uint32_t rank, uint32_t file)
{
    add(experiment, rank, FTH_SIM_FILE_WRITE, file)->ranges =
        (struct fth_sim_ranges){.offset = rank, .bytes = 1, .count = 1};
}

static void run(struct experiment *experiment)
{
    struct fth_sim_world *world =
        fth_sim_world_new(&experiment->cluster, &experiment->program, NULL);
    assert_non_null(world);
    fth_sim_world_run(world);
    for (uint32_t rank = 0; rank < experiment->program.ranks; rank++) {
        char waits[256];
        experiment->ends[rank] = (double)fth_sim_world_end(world, rank, waits, sizeof waits) * 1e-6;
    }
    fth_sim_world_free(world);
}

#define assert_ms(is, should) assert_float_equal((float)(is), (float)(should), 0.01F)

/* A file is made once, until it has been deleted or has another name. */
static void test_names_cost_what_is_done_with_them(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, 1);
    add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->creates = true;
    add(&experiment, 0, FTH_SIM_FILE_CLOSE, 0);
    add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->creates = true;
    run(&experiment);
    assert_ms(experiment.ends[0], 10 + 2 + 1);
    add(&experiment, 0, FTH_SIM_FILE_LOOKUP, 0)->name = FTH_SIM_NAME_STAT;
    add(&experiment, 0, FTH_SIM_FILE_LOOKUP, 0)->name = FTH_SIM_NAME_RENAME;
    add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->creates = true;
    run(&experiment);
    assert_ms(experiment.ends[0], 13 + 3 + 4 + 10);
    add(&experiment, 0, FTH_SIM_FILE_LOOKUP, 0)->name = FTH_SIM_NAME_DELETE;
    add(&experiment, 0, FTH_SIM_FILE_SYNC, 0);
    run(&experiment);
    assert_ms(experiment.ends[0], 30 + 5 + 6);
}

/* What is not there is opened when nobody says that it is made. */
static void test_without_a_wish_nothing_is_made(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, 1);
    add(&experiment, 0, FTH_SIM_FILE_OPEN, 0);
    run(&experiment);
    assert_ms(experiment.ends[0], 1);
}

/* With a processor for each, two make files at the same time, or one after the other, who has
 * waited a ms later. */
static void test_those_who_change_names_take_turns(void **state)
{
    (void)state;
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        struct experiment experiment;
        prepare(&experiment, 2, 2);
        experiment.cluster.servers.names_in_turn = in_turn;
        experiment.cluster.servers.names_handoff = 1 * MS;
        add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->creates = true;
        add(&experiment, 1, FTH_SIM_FILE_OPEN, 1)->creates = true;
        run(&experiment);
        assert_ms(experiment.ends[0], 10);
        assert_ms(experiment.ends[1], in_turn ? 10 + 1 + 10 : 10);
        /* Who only looks waits for nobody. */
        prepare(&experiment, 2, 2);
        experiment.cluster.servers.names_in_turn = in_turn;
        add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->creates = true;
        add(&experiment, 1, FTH_SIM_FILE_LOOKUP, 1)->name = FTH_SIM_NAME_STAT;
        run(&experiment);
        assert_ms(experiment.ends[1], 3);
    }
}

/* Only those of the same file. */
static void test_writers_of_a_file_take_turns(void **state)
{
    (void)state;
    for (uint32_t other = 0; other < 2; other++) {
        struct experiment experiment;
        prepare(&experiment, 3, 3);
        experiment.cluster.servers.writers_in_turn = true;
        experiment.cluster.servers.writers_handoff = 1 * MS;
        write_byte(&experiment, 0, 0);
        write_byte(&experiment, 1, other);
        write_byte(&experiment, 2, other);
        run(&experiment);
        assert_ms(experiment.ends[0], 20);
        assert_ms(experiment.ends[1], other ? 20 : 41);
        assert_ms(experiment.ends[2], other ? 41 : 62);
    }
}

/* Of each process the first open costs more; who opens without the library does not pay for it. */
static void test_the_library_adds_its_own(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 2, 2);
    experiment.cluster.first_file_open = 100 * MS;
    experiment.cluster.file_open = 200 * MS;
    experiment.cluster.file_close = 50 * MS;
    experiment.cluster.file_access = 30 * MS;
    for (int i = 0; i < 2; i++) {
        add(&experiment, 0, FTH_SIM_FILE_OPEN, 0)->is_mpiio = true;
        add(&experiment, 0, FTH_SIM_FILE_CLOSE, 0)->is_mpiio = true;
        add(&experiment, 1, FTH_SIM_FILE_OPEN, 0);
        add(&experiment, 1, FTH_SIM_FILE_CLOSE, 0);
    }
    write_byte(&experiment, 0, 0);
    write_byte(&experiment, 0, 0);
    experiment.commands[0][experiment.counts[0] - 1].is_mpiio = true;
    run(&experiment);
    assert_ms(experiment.ends[0], 100 + 2 * (200 + 1 + 50 + 2) + 20 + 20 + 30);
    assert_ms(experiment.ends[1], 2 * (1 + 2));
}

/* One core: the receiver takes half of it until its message is there, if it polls. */
static void test_who_polls_takes_a_share(void **state)
{
    (void)state;
    for (int polls = 0; polls < 2; polls++) {
        struct experiment experiment;
        prepare(&experiment, 2, 1);
        experiment.cluster.polls = polls;
        add(&experiment, 0, FTH_SIM_COMPUTE, 0)->nanoseconds = 10 * MS;
        add(&experiment, 0, FTH_SIM_SEND, 0)->to = 1;
        add(&experiment, 0, FTH_SIM_COMPUTE, 0)->nanoseconds = 10 * MS;
        add(&experiment, 1, FTH_SIM_RECV, 0)->from = 0;
        run(&experiment);
        assert_ms(experiment.ends[1], polls ? 20 : 10);
        assert_ms(experiment.ends[0], polls ? 20 + 10 : 10 + 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_cost_what_is_done_with_them),
        cmocka_unit_test(test_without_a_wish_nothing_is_made),
        cmocka_unit_test(test_those_who_change_names_take_turns),
        cmocka_unit_test(test_writers_of_a_file_take_turns),
        cmocka_unit_test(test_the_library_adds_its_own),
        cmocka_unit_test(test_who_polls_takes_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
