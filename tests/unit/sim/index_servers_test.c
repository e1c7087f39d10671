/* An instance of `fathom fs` on simulated nodes: how many requests and messages its models take, in
 * cases that are small enough to count them. The network and the processors are nearly free. */
#include "sim/run/run.h"

#include "holders/share_rule.h"
#include "sim/io/cache.h"
#include "sim/io/server.h"
#include "sim/io/storage.h"
#include "sim/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RECORD = 4 << 10, MOST_COMMANDS = 8, MOST_PROCESSES = 4 };
enum { LONG = 500000000 }; /* ns */
static const char name[] = "file";

struct experiment {
    struct fth_sim_program program;
    struct fth_sim_cluster cluster;
    struct fth_sim_command commands[MOST_PROCESSES][MOST_COMMANDS];
    uint32_t counts[MOST_PROCESSES];
    struct fth_sim_file file;
    uint64_t asked, passed, fetched, messages, written, granted, local, conflicts;
    int64_t time, end;
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

static const struct fth_moments posix = {.publishes = FTH_AT_ACCESS, .fetches = FTH_AT_ACCESS};
static const struct fth_moments session = {.publishes = FTH_AT_CLOSE, .fetches = FTH_AT_OPEN};

/* One process on each node; without moments: by locks. */
static void prepare(struct experiment *experiment, uint32_t processes,
                    const struct fth_moments *moments)
{
    static const struct fth_sim_speed fast = {.throughput = UINT64_C(1) << 50};
    *experiment = (struct experiment){
        .program = {.ranks = processes, .next = next, .file_count = 1},
        .cluster =
            {.nodes = processes,
             .sockets = 1,
             .instructions = 1000000000000,
             .step_instructions = 1,
             .packet = 64 << 10,
             .nic = {"NIC", fast},
             .nic_edge = {"edge", fast},
             .hub = {"switch", fast},
             .servers = {.count = 1,
                         .cache = fth_sim_cache("WriteBehind"),
                         .memory = 1 << 30,
                         .granularity = 10 << 20,
                         .stripe = 64 << 10,
                         .at_once = 1,
                         .block = 64 << 10,
                         .consistency = moments ? FTH_SIM_BY_MODEL : FTH_SIM_BY_LOCKS},
             .disk = {fth_sim_disk_model("SimpleDisk"),
                      {.throughput = 1 << 20, .access = 10000000}},
             .buffers = {.local = true, .in_memory = true, .capacity = UINT64_MAX, .at_once = 4},
             .instance = {.per_node = 1, .request = 1000, .pass_on = 1000}},
        .file = {.name = name}};
    if (moments)
        experiment->cluster.servers.moments = *moments;
    experiment->program.files = &experiment->file;
}

static void add(struct experiment *experiment, uint32_t rank, struct fth_sim_command command)
{
    experiment->commands[rank][experiment->counts[rank]++] = command;
}

static void name_of(struct experiment *experiment, uint32_t rank, enum fth_sim_verb verb)
{
    add(experiment, rank, (struct fth_sim_command){.verb = verb});
}

static void record(struct experiment *experiment, uint32_t rank, enum fth_sim_verb verb,
                   uint64_t offset)
{
    add(experiment, rank,
        (struct fth_sim_command){.verb = verb,
                                 .ranges = {.offset = offset, .bytes = RECORD, .count = 1}});
}

static void wait_long(struct experiment *experiment, uint32_t rank)
{
    add(experiment, rank, (struct fth_sim_command){.verb = FTH_SIM_COMPUTE, .nanoseconds = LONG});
}

static void run(struct experiment *experiment)
{
    struct fth_sim_world *world =
        fth_sim_world_new(&experiment->cluster, &experiment->program, NULL);
    assert_non_null(world);
    fth_sim_world_run(world);
    const struct fth_sim_storage *storage = world->storage;
    experiment->asked = storage->index.asked;
    experiment->passed = storage->index.passed;
    experiment->fetched = storage->index.fetched;
    experiment->messages = storage->messages;
    experiment->granted = storage->tokens.granted;
    experiment->local = storage->tokens.local;
    experiment->conflicts = storage->tokens.conflicts;
    experiment->written = fth_sim_world_server(world, 0)->done.bytes_written;
    uint32_t waiting;
    experiment->end = fth_sim_world_last_end(world, &waiting);
    experiment->time = fth_sim_world_time(world);
    assert_int_equal(waiting, 0);
    fth_sim_world_free(world);
}

static uint32_t server_of(uint32_t servers, uint64_t block)
{
    return fth_share_block_server(servers, name, sizeof name - 1, block);
}

/* A process opens the file, writes two records, and closes it. */
static void two_records(struct experiment *experiment, uint32_t rank)
{
    name_of(experiment, rank, FTH_SIM_FILE_OPEN);
    record(experiment, rank, FTH_SIM_FILE_WRITE, 0);
    record(experiment, rank, FTH_SIM_FILE_WRITE, 8 * RECORD);
    name_of(experiment, rank, FTH_SIM_FILE_CLOSE);
}

static void test_one_server_is_asked_without_a_network(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, &session);
    two_records(&experiment, 0);
    run(&experiment);
    assert_int_equal(experiment.asked, 1); /* close; it has nothing to be asked for before */
    assert_int_equal(experiment.passed, 0);
    name_of(&experiment, 0, FTH_SIM_FILE_OPEN);
    run(&experiment);
    assert_int_equal(experiment.asked, 1 + 1);
    prepare(&experiment, 1, &posix);
    two_records(&experiment, 0);
    run(&experiment);
    assert_int_equal(experiment.asked, 2); /* each write */
    assert_int_equal(experiment.passed, 0);
}

static void test_what_belongs_to_another_server_is_passed_on(void **state)
{
    (void)state;
    struct experiment experiment;
    uint32_t home = server_of(2, 0);
    for (uint32_t rank = 0; rank < 2; rank++) {
        prepare(&experiment, 2, &session);
        two_records(&experiment, rank);
        run(&experiment);
        assert_int_equal(experiment.asked, 2);
        assert_int_equal(experiment.passed, rank == home ? 0 : 2);
        prepare(&experiment, 2, &posix);
        two_records(&experiment, rank);
        run(&experiment);
        assert_int_equal(experiment.asked, 3);
        assert_int_equal(experiment.passed, rank == home ? 0 : 3);
    }
}

/* A lock and an attach with each write: who asks first is granted all, then has it. */
static void test_locks_are_asked_for_at_the_home(void **state)
{
    (void)state;
    struct experiment experiment;
    uint32_t home = server_of(2, 0), other = 1 - home;
    prepare(&experiment, 2, NULL);
    two_records(&experiment, other);
    run(&experiment);
    assert_int_equal(experiment.asked, 2 * 2);
    assert_int_equal(experiment.passed, 2 * 2);
    assert_int_equal(experiment.granted, 1);
    assert_int_equal(experiment.local, 1);
    prepare(&experiment, 2, NULL);
    two_records(&experiment, other);
    wait_long(&experiment, home);
    record(&experiment, home, FTH_SIM_FILE_WRITE, 8 * RECORD);
    wait_long(&experiment, other);
    wait_long(&experiment, other);
    record(&experiment, other, FTH_SIM_FILE_WRITE, 0);
    run(&experiment);
    assert_int_equal(experiment.asked, 2 * 4);
    assert_int_equal(experiment.conflicts, 1); /* from 8 records on; the first one stays */
    assert_int_equal(experiment.local, 2);
}

/* The server of a block behind the first one tells the home, once. */
static void test_the_home_hears_of_blocks(void **state)
{
    (void)state;
    struct experiment experiment;
    uint64_t block = 1;
    uint32_t home = server_of(4, 0);
    while (server_of(4, block) == home)
        block++;
    uint32_t rank = server_of(4, block);
    prepare(&experiment, 4, &posix);
    record(&experiment, rank, FTH_SIM_FILE_WRITE, block << FTH_SHARE_SHIFT);
    record(&experiment, rank, FTH_SIM_FILE_WRITE, (block << FTH_SHARE_SHIFT) + RECORD);
    run(&experiment);
    assert_int_equal(experiment.asked, 2);
    assert_int_equal(experiment.passed, 1);
    /* who opens the file then asks the home for its end, the server of its last block, and all
     * servers of its blocks */
    bool is_of[4] = {false};
    for (uint64_t i = 0; i <= block; i++)
        is_of[server_of(4, i)] = true;
    wait_long(&experiment, home);
    name_of(&experiment, home, FTH_SIM_FILE_OPEN);
    run(&experiment);
    assert_int_equal(experiment.asked, 3);
    assert_int_equal(experiment.passed, 1 + 1 + is_of[0] + is_of[1] + is_of[2] + is_of[3] - 1);
}

/* 2 records from the node of the other process in one request, none from the own one. */
static void test_bytes_come_from_the_node_of_their_writer(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 2, &session);
    two_records(&experiment, 0);
    record(&experiment, 0, FTH_SIM_FILE_READ, 0);
    wait_long(&experiment, 1);
    name_of(&experiment, 1, FTH_SIM_FILE_OPEN);
    add(&experiment, 1,
        (struct fth_sim_command){
            .verb = FTH_SIM_FILE_READ,
            .ranges = {.offset = 0, .bytes = RECORD, .count = 2, .stride = 8 * RECORD}});
    run(&experiment);
    assert_int_equal(experiment.fetched, 2 * RECORD);
    assert_int_equal(experiment.asked, 2 + 2);
    /* of the other one: open and attach, or the end and the ranges; and the fetch */
    assert_int_equal(experiment.passed, 2 + 1);
}

static void test_all_goes_to_servers_at_the_end(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, &session);
    two_records(&experiment, 0);
    run(&experiment);
    assert_int_equal(experiment.written, 2 * RECORD);
    assert_true(experiment.end < 10000000);
    assert_true(experiment.time >= 10000000); /* an operation of the disk */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_server_is_asked_without_a_network),
        cmocka_unit_test(test_what_belongs_to_another_server_is_passed_on),
        cmocka_unit_test(test_locks_are_asked_for_at_the_home),
        cmocka_unit_test(test_the_home_hears_of_blocks),
        cmocka_unit_test(test_bytes_come_from_the_node_of_their_writer),
        cmocka_unit_test(test_all_goes_to_servers_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
