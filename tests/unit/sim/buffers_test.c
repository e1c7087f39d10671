/* Burst buffers, in small cases whose times follow from the rules. The server's disk takes 10 ms
 * for each operation and moves 1 MiB/s: 72.5 ms for a block of 64 KiB. That of a buffer takes 1 ms
 * and moves 64 MiB/s: 1.977 ms. The network is nearly free. */
#include "sim/run/run.h"

#include "sim/io/buffers.h"
#include "sim/io/cache.h"
#include "sim/io/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BLOCK = 64 << 10, BLOCKS = 16, MOST_COMMANDS = 8, MOST_PROCESSES = 2 };
#define OF_BUFFER 1.9766
#define OF_SERVER 72.5

struct experiment {
    struct fth_sim_program program;
    struct fth_sim_cluster cluster;
    struct fth_sim_command commands[MOST_PROCESSES][MOST_COMMANDS];
    uint32_t counts[MOST_PROCESSES];
    struct fth_sim_file file;
    double ends[MOST_PROCESSES]; /* ms */
    uint64_t read[MOST_PROCESSES], read_at_server, messages;
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

/* Each process has a buffer on its node, of so many blocks. */
static void prepare(struct experiment *experiment, uint32_t processes, uint64_t blocks)
{
    static const struct fth_sim_speed fast = {.throughput = UINT64_C(1) << 50};
    const struct fth_sim_disk_model *disk = fth_sim_disk_model("SimpleDisk");
    *experiment = (struct experiment){
        .program = {.ranks = processes, .next = next, .file_count = 1},
        .cluster = {.nodes = processes,
                    .sockets = 1,
                    .instructions = 1000000000000,
                    .step_instructions = 1,
                    .packet = BLOCK,
                    .nic = {"NIC", fast},
                    .nic_edge = {"edge", fast},
                    .hub = {"switch", fast},
                    .servers = {.count = 1,
                                .cache = fth_sim_cache("WriteBehind"),
                                .memory = 1 << 30,
                                .granularity = 10 << 20,
                                .stripe = BLOCK,
                                .at_once = 1,
                                .block = BLOCK},
                    .disk = {disk, {.throughput = 1 << 20, .access = 10000000}},
                    .buffers = {.local = true,
                                .capacity = blocks * BLOCK,
                                .at_once = 4,
                                .disk = {disk, {.throughput = 64 << 20, .access = 1000000}}}},
        .file = {.name = "file", .size = BLOCKS * BLOCK}};
    experiment->program.files = &experiment->file;
}

static void access_blocks(struct experiment *experiment, uint32_t rank, enum fth_sim_verb verb,
                          uint64_t first, uint64_t count)
{
    experiment->commands[rank][experiment->counts[rank]++] = (struct fth_sim_command){
        .verb = verb, .ranges = {.offset = first * BLOCK, .bytes = count * BLOCK, .count = 1}};
}

/* Long enough for everything to come to the server. */
static void wait_long(struct experiment *experiment, uint32_t rank)
{
    experiment->commands[rank][experiment->counts[rank]++] =
        (struct fth_sim_command){.verb = FTH_SIM_COMPUTE, .nanoseconds = 500000000};
}

static void run(struct experiment *experiment)
{
    struct fth_sim_world *world =
        fth_sim_world_new(&experiment->cluster, &experiment->program, NULL);
    assert_non_null(world);
    fth_sim_world_run(world);
    for (uint32_t rank = 0; rank < experiment->program.ranks; rank++) {
        experiment->ends[rank] = (double)fth_sim_world_end(world, rank, NULL, 0) * 1e-6;
        experiment->read[rank] = fth_sim_world_buffer(world, rank)->read;
    }
    experiment->read_at_server = fth_sim_world_server(world, 0)->done.bytes_read;
    uint64_t bytes;
    experiment->messages = fth_sim_world_messages(world, &bytes);
    fth_sim_world_free(world);
}

#define assert_ms(is, should) assert_float_equal((float)(is), (float)(should), 0.01F)

/* The buffer's disk is busy with reading the block for the server first. */
static void test_what_is_in_a_buffer_is_read_from_there(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, BLOCKS);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 3 * OF_BUFFER);
    assert_int_equal(experiment.read[0], BLOCK);
    assert_int_equal(experiment.read_at_server, 0);
}

static void test_what_servers_have_stays(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, BLOCKS);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    wait_long(&experiment, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 500 + 2 * OF_BUFFER);
    assert_int_equal(experiment.read_at_server, 0);
}

static void test_the_rest_comes_from_servers(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, BLOCKS);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 1, 1);
    wait_long(&experiment, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 3); /* blocks 0 and 2 in one operation */
    run(&experiment);
    assert_ms(experiment.ends[0], 500 + OF_BUFFER + 10 + 2 * 62.5 + 10);
    assert_int_equal(experiment.read[0], BLOCK);
    assert_int_equal(experiment.read_at_server, 2 * BLOCK);
}

static void test_the_oldest_gives_room(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, 2);
    for (uint64_t block = 0; block < 3; block++) {
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, block, 1);
        wait_long(&experiment, 0);
    }
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 1, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 3 * (500 + OF_BUFFER) + OF_BUFFER + OF_SERVER);
    assert_int_equal(experiment.read[0], BLOCK);
    assert_int_equal(experiment.read_at_server, BLOCK);
}

/* What was written past the buffer is newer. */
static void test_what_goes_past_is_read_from_servers(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 1, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    wait_long(&experiment, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 2);
    wait_long(&experiment, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 2 * 500 + OF_BUFFER + OF_SERVER);
    assert_int_equal(experiment.read[0], 0);
}

/* The buffer of another node has it; what came last counts. */
static void test_buffers_of_others_are_read(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, 2, BLOCKS);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 2);
    wait_long(&experiment, 1);
    access_blocks(&experiment, 1, FTH_SIM_FILE_WRITE, 1, 1);
    wait_long(&experiment, 1);
    access_blocks(&experiment, 1, FTH_SIM_FILE_READ, 0, 2);
    run(&experiment);
    assert_ms(experiment.ends[1], 2 * 500 + 2 * OF_BUFFER);
    assert_int_equal(experiment.read[0], BLOCK);
    assert_int_equal(experiment.read[1], BLOCK);
    assert_int_equal(experiment.read_at_server, 0);
}

/* To the buffer and back 2 messages; to the server a request and data, and what acknowledges them,
 * each of them twice with a forwarder. */
static void test_forwarders_are_between_buffers_and_servers(void **state)
{
    (void)state;
    for (uint32_t forwarders = 0; forwarders < 2; forwarders++) {
        struct experiment experiment;
        prepare(&experiment, 1, BLOCKS);
        experiment.cluster.servers.forwarders = forwarders;
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
        run(&experiment);
        assert_ms(experiment.ends[0], OF_BUFFER);
        assert_int_equal(experiment.messages, 2 + 3 * (1 + forwarders));
    }
}

/* Of pieces that have bytes in common the last one counts, also in the middle of another, and over
 * the end of a MiB. */
static void test_the_last_piece_counts(void **state)
{
    (void)state;
    enum { MIB = 1 << 20 };
    struct fth_sim_held held = {0};
    struct fth_sim_chunk *const first = (void *)&held, *const second = (void *)state;
    uint64_t end;
    fth_sim_held_set(&held, 3, (struct fth_sim_extent){100, 2 * MIB}, first);
    fth_sim_held_set(&held, 3, (struct fth_sim_extent){200, 50}, second);
    assert_null(fth_sim_held_find(&held, 3, (struct fth_sim_extent){0, MIB}, &end));
    assert_int_equal(end, 100);
    assert_ptr_equal(fth_sim_held_find(&held, 3, (struct fth_sim_extent){100, MIB}, &end), first);
    assert_int_equal(end, 200);
    assert_ptr_equal(fth_sim_held_find(&held, 3, (struct fth_sim_extent){220, MIB}, &end), second);
    assert_int_equal(end, 250);
    assert_ptr_equal(fth_sim_held_find(&held, 3, (struct fth_sim_extent){250, MIB}, &end), first);
    assert_int_equal(end, MIB);
    fth_sim_held_set(&held, 3, (struct fth_sim_extent){MIB - 10, 20}, NULL);
    assert_null(fth_sim_held_find(&held, 3, (struct fth_sim_extent){MIB, MIB}, &end));
    assert_int_equal(end, MIB + 10);
    assert_null(fth_sim_held_find(&held, 2, (struct fth_sim_extent){300, 10}, &end));
    fth_sim_held_forget(&held, 3, (struct fth_sim_extent){100, 2 * MIB}, first);
    assert_null(fth_sim_held_find(&held, 3, (struct fth_sim_extent){300, 10}, &end));
    assert_null(fth_sim_held_find(&held, 3, (struct fth_sim_extent){2 * MIB, 10}, &end));
    assert_ptr_equal(fth_sim_held_find(&held, 3, (struct fth_sim_extent){210, 10}, &end), second);
    fth_sim_held_free(&held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_in_a_buffer_is_read_from_there),
        cmocka_unit_test(test_what_servers_have_stays),
        cmocka_unit_test(test_the_rest_comes_from_servers),
        cmocka_unit_test(test_the_oldest_gives_room),
        cmocka_unit_test(test_what_goes_past_is_read_from_servers),
        cmocka_unit_test(test_buffers_of_others_are_read),
        cmocka_unit_test(test_forwarders_are_between_buffers_and_servers),
        cmocka_unit_test(test_the_last_piece_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
