/* Servers of files and their caches, in small cases whose times follow from the rules. The disk
 * takes 10 ms for each operation and moves 1 MiB/s: a block of 64 KiB takes 72.5 ms, one behind
 * another in the same operation 62.5 ms more. The network is nearly free. */
#include "sim/io/server.h"
#include "sim/io/cache.h"
#include "sim/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BLOCK = 64 << 10, BLOCKS = 16 };
enum { MOST_COMMANDS = 8, MOST_PROCESSES = 4 };

/* What each process does, and the figures of the run. */
struct experiment {
    struct fth_sim_program program;
    struct fth_sim_cluster cluster;
    struct fth_sim_command commands[MOST_PROCESSES][MOST_COMMANDS];
    uint32_t counts[MOST_PROCESSES];
    struct fth_sim_file files[2];
    double time, ends[MOST_PROCESSES]; /* ms */
    struct fth_sim_server server;      /* as it was at the end */
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

static void prepare(struct experiment *experiment, const char *cache, uint32_t processes)
{
    static const struct fth_sim_speed fast = {.throughput = UINT64_C(1) << 50};
    *experiment =
        (struct experiment){.program = {.ranks = processes, .next = next, .file_count = 2},
                            .cluster = {.nodes = processes,
                                        .sockets = 1,
                                        .instructions = 1000000000000,
                                        .step_instructions = 1,
                                        .packet = BLOCK,
                                        .nic = {"NIC", fast},
                                        .nic_edge = {"edge", fast},
                                        .hub = {"switch", fast},
                                        .servers = {.count = 1,
                                                    .cache = fth_sim_cache(cache),
                                                    .memory = 1 << 30,
                                                    .granularity = 10 << 20,
                                                    .stripe = BLOCK,
                                                    .at_once = 1,
                                                    .block = BLOCK},
                                        .disk = {fth_sim_disk_model("SimpleDisk"),
                                                 {.throughput = 1 << 20, .access = 10000000}}},
                            .files = {{.name = "file", .size = BLOCKS * BLOCK}, {.name = "other"}}};
    experiment->program.files = experiment->files;
    assert_non_null(experiment->cluster.servers.cache);
}

static struct fth_sim_command *add(struct experiment *experiment, uint32_t rank,
                                   enum fth_sim_verb verb)
{
    assert_true(experiment->counts[rank] < MOST_COMMANDS);
    struct fth_sim_command *command = &experiment->commands[rank][experiment->counts[rank]++];
    command->verb = verb;
    return command;
}

static void access_blocks(struct experiment *experiment, uint32_t rank, enum fth_sim_verb verb,
                          uint64_t first, uint64_t count)
{
    add(experiment, rank, verb)->ranges =
        (struct fth_sim_ranges){.offset = first * BLOCK, .bytes = count * BLOCK, .count = 1};
}

static void compute(struct experiment *experiment, uint32_t rank, int64_t milliseconds)
{
    add(experiment, rank, FTH_SIM_COMPUTE)->nanoseconds = milliseconds * 1000000;
}

static void run(struct experiment *experiment)
{
    struct fth_sim_world *world =
        fth_sim_world_new(&experiment->cluster, &experiment->program, NULL);
    assert_non_null(world);
    fth_sim_world_run(world);
    experiment->time = (double)fth_sim_world_time(world) * 1e-6;
    for (uint32_t rank = 0; rank < experiment->program.ranks; rank++) {
        char waits[256];
        experiment->ends[rank] = (double)fth_sim_world_end(world, rank, waits, sizeof waits) * 1e-6;
    }
    experiment->server = *fth_sim_world_server(world, 0);
    fth_sim_world_free(world);
}

/* Messages take some nanoseconds. */
#define assert_about(is, should, tolerance)                                                        \
    assert_float_equal((float)(is), (float)(should), (float)(tolerance))
#define assert_ms(is, should) assert_about(is, should, 0.01)

/* ---- writes ---- */

static void test_without_a_cache_writes_wait_for_the_one_before(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "NoCache", 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 1, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 72.5);
    assert_ms(experiment.time, 145);
    assert_int_equal(experiment.server.disk.operations, 2);
}

static void test_writes_are_behind(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "WriteBehind", 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 1, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 0);
    assert_ms(experiment.time, 145);
    assert_int_equal(experiment.server.done.peak, 2 * BLOCK);
    assert_int_equal(experiment.server.done.most_queued, 1);
    assert_ms(experiment.server.done.waited * 1e-6, 72.5);
}

static void test_a_full_cache_takes_nothing(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "WriteBehind", 1);
    experiment.cluster.servers.memory = BLOCK;
    for (uint64_t i = 0; i < 3; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, i, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 145);
    assert_ms(experiment.time, 217.5);
    assert_ms((double)experiment.server.done.closed * 1e-6, 145);
    assert_int_equal(experiment.server.done.peak, BLOCK);
}

static void test_a_flush_waits_for_what_was_written_before(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "WriteBehind", 2);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 2);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    compute(&experiment, 1, 100);
    access_blocks(&experiment, 1, FTH_SIM_FILE_WRITE, 5, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 145);
    assert_ms(experiment.ends[1], 100);
    assert_ms(experiment.time, 217.5);
}

/* The first block goes to the disk at once; what has come until it is there goes together as far as
 * it touches. */
static void test_neighbours_are_written_together(void **state)
{
    (void)state;
    static const char *const caches[] = {"Aggregation", "AggregationReorder"};
    for (size_t i = 0; i < 2; i++) {
        struct experiment experiment;
        prepare(&experiment, caches[i], 1);
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 9, 1);
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 2, 1);
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 1, 1);
        run(&experiment);
        assert_ms(experiment.time, 72.5 + 10 + 3 * 62.5);
        assert_int_equal(experiment.server.done.most_queued, 3);
        assert_ms(experiment.server.done.waited * 1e-6, 3 * 72.5);
        assert_int_equal(experiment.server.done.queued, 0);
        assert_int_equal(experiment.server.disk.operations, 2);
    }
}

/* 9 is read at once. 6 and 15 wait then, and 3 comes while 6 is read: it is first in the file, so
 * 15, which waits for longer, is last. */
static void test_what_is_first_in_the_file_goes_first(void **state)
{
    (void)state;
    static const uint64_t blocks[] = {9, 6, 15, 3};
    static const double ends[] = {72.5, 145, 290, 217.5};
    struct experiment experiment;
    prepare(&experiment, "AggregationReorder", 4);
    for (uint32_t rank = 0; rank < 4; rank++) {
        compute(&experiment, rank, rank == 3 ? 100 : rank + 1);
        access_blocks(&experiment, rank, FTH_SIM_FILE_READ, blocks[rank], 1);
    }
    run(&experiment);
    for (uint32_t rank = 0; rank < 4; rank++)
        assert_ms(experiment.ends[rank], ends[rank] + 1);
}

static void test_what_is_written_again_before_it_is_on_the_disk_is_written_once(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "Aggregation", 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 9, 1);
    for (int i = 0; i < 3; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 4, 1);
    run(&experiment);
    assert_ms(experiment.time, 145);
    assert_int_equal(experiment.server.done.peak, 2 * BLOCK);
}

/* ---- writes that servers fetch ---- */

/* Four parts of four blocks: two of them are under way, the next one comes when one is on the
 * disk. */
static void test_no_more_is_fetched_than_keeps_the_disk_busy(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "ServerDirected", 1);
    experiment.cluster.servers.granularity = 4 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 16);
    run(&experiment);
    assert_ms(experiment.ends[0], 2 * 260);
    assert_ms(experiment.time, 4 * 260);
    assert_int_equal(experiment.server.done.peak, 8 * BLOCK);
    assert_int_equal(experiment.server.done.bytes_written, 16 * BLOCK);
    assert_int_equal(experiment.server.used, 0);
    assert_int_equal(experiment.server.fetched, 0);
    assert_int_equal(experiment.server.done.closed, 0);
}

/* The first two are fetched as they come; then the places count. */
static void test_data_are_fetched_as_they_lie_on_the_disk(void **state)
{
    (void)state;
    static const uint64_t firsts[] = {12, 0, 8, 4};
    static const double ends[] = {0, 0, 520, 260};
    struct experiment experiment;
    prepare(&experiment, "ServerDirected", 4);
    experiment.cluster.servers.granularity = 4 * BLOCK;
    for (uint32_t rank = 0; rank < 4; rank++)
        access_blocks(&experiment, rank, FTH_SIM_FILE_WRITE, firsts[rank], 4);
    run(&experiment);
    for (uint32_t rank = 0; rank < 4; rank++)
        assert_ms(experiment.ends[rank], ends[rank]);
    assert_ms(experiment.time, 4 * 260);
}

/* Without room for more than one part, the next one is fetched when the first is on the disk. */
static void test_nothing_is_fetched_without_room(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "ServerDirected", 1);
    experiment.cluster.servers.granularity = 4 * BLOCK;
    experiment.cluster.servers.memory = 4 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 12);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    run(&experiment);
    assert_ms(experiment.ends[0], 3 * 260);
    assert_int_equal(experiment.server.done.peak, 4 * BLOCK);
}

/* ---- what is written late ---- */

static void prepare_late(struct experiment *experiment, uint32_t processes)
{
    prepare(experiment, "WriteBack", processes);
    experiment->cluster.servers.background = 1 << 30;
    experiment->cluster.servers.expire = INT64_C(30000000000);
}

static void test_what_nobody_waits_for_stays_in_memory(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    compute(&experiment, 0, 100);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 4);
    compute(&experiment, 0, 300);
    run(&experiment);
    assert_ms(experiment.time, 400);
    assert_int_equal(experiment.server.used, 4 * BLOCK);
    assert_int_equal(experiment.server.disk.operations, 0);
    assert_int_equal(experiment.server.done.most_queued, 4);
    assert_about(fth_sim_server_queue(&experiment.server, 400000000), 4 * 0.75, 0.001);
}

/* Two blocks as one operation, and the disk's own flush. */
static void test_a_flush_pays_for_what_was_written(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 1, 1);
    compute(&experiment, 0, 100);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    run(&experiment);
    assert_ms(experiment.ends[0], 100 + 135);
    assert_int_equal(experiment.server.disk.operations, 1 + 2);
    assert_int_equal(experiment.server.used, 0);
}

/* What was written a second time goes to the disk once. */
static void test_what_is_written_again_goes_once(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    for (int i = 0; i < 5; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 3, 1);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    run(&experiment);
    assert_ms(experiment.time, 72.5);
    assert_int_equal(experiment.server.disk.bytes, BLOCK);
}

/* Block by block, until no more than two wait. */
static void test_above_the_background_limit_it_is_written(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    experiment.cluster.servers.granularity = BLOCK;
    experiment.cluster.servers.background = 2 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 5);
    compute(&experiment, 0, 1000);
    run(&experiment);
    assert_ms(experiment.time, 1000);
    assert_int_equal(experiment.server.disk.operations, 3);
    assert_int_equal(experiment.server.used, 2 * BLOCK);
    assert_ms((double)experiment.server.disk.busy * 1e-6, 3 * 72.5);
}

static void test_a_full_memory_makes_writers_wait(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    experiment.cluster.servers.granularity = BLOCK;
    experiment.cluster.servers.memory = 2 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 3);
    run(&experiment);
    assert_ms(experiment.ends[0], 72.5);
    assert_int_equal(experiment.server.used, 2 * BLOCK);
}

/* After half a second; a run that ends before does not wait for it. */
static void test_what_is_old_is_written(void **state)
{
    (void)state;
    static const int64_t ends[] = {400, 520, 1000};
    static const uint64_t operations[] = {0, 1, 1};
    static const double times[] = {400, 572.5, 1000};
    for (int i = 0; i < 3; i++) {
        struct experiment experiment;
        prepare_late(&experiment, 1);
        experiment.cluster.servers.expire = 500000000;
        access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
        compute(&experiment, 0, ends[i]);
        run(&experiment);
        assert_ms(experiment.time, times[i]);
        assert_int_equal(experiment.server.disk.operations, operations[i]);
    }
}

/* Another file of which more was written before, and which is on its way to the disk: its first
 * block is, the others wait. */
static void test_what_is_flushed_comes_first(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 2);
    experiment.cluster.servers.granularity = BLOCK;
    experiment.cluster.servers.expire = 100000000;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 4);
    compute(&experiment, 0, 1000);
    compute(&experiment, 1, 120);
    access_blocks(&experiment, 1, FTH_SIM_FILE_WRITE, 0, 1);
    add(&experiment, 1, FTH_SIM_FILE_SYNC)->file = 1;
    experiment.commands[1][1].file = 1;
    run(&experiment);
    assert_ms(experiment.ends[1], 100 + 72.5 + 72.5);
    assert_int_equal(experiment.server.disk.operations, 4 + 1 + 1);
    assert_int_equal(experiment.server.used, 0);
}

static void test_a_read_without_memory_makes_room(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    experiment.cluster.servers.memory = 2 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 2);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 8, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 135 + 72.5);
}

static void test_what_was_written_can_be_read(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    experiment.cluster.servers.kept = 8 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 2, 4);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 2, 4);
    run(&experiment);
    assert_ms(experiment.ends[0], 0);
    assert_int_equal(experiment.server.blocks.hits, 4);
    assert_int_equal(experiment.server.disk.operations, 0);
}

/* Two processes of one core: a write takes 1 ms and 1 ms for a block, a read half of it, and both
 * twice as long while both copy. */
static void test_copies_cost_the_processor(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 2);
    experiment.cluster.nodes = 1;
    experiment.cluster.cores = 1;
    experiment.cluster.servers.kept = 8 * BLOCK;
    experiment.cluster.servers.write_call = 1000000;
    experiment.cluster.servers.read_call = 500000;
    experiment.cluster.servers.write_copy = 1000 * BLOCK;
    experiment.cluster.servers.read_copy = 2000 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 2 + 1);
    access_blocks(&experiment, 1, FTH_SIM_FILE_WRITE, 4, 1);
    access_blocks(&experiment, 1, FTH_SIM_FILE_READ, 4, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 2 * (2 + 1));
    assert_ms(experiment.ends[1], 2 * (2 + 1));
}

/* A network of a second for each packet, which processes do not go through to the kernel of their
 * node; those of another node do: 4 edges of a second, there and back. */
static void test_a_kernel_needs_no_network(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 2);
    experiment.cluster.servers.shared = experiment.cluster.servers.in_kernel = true;
    experiment.cluster.servers.lookup = 3000000;
    experiment.cluster.nic_edge.speed.latency = 1000000000;
    add(&experiment, 0, FTH_SIM_FILE_OPEN);
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 2);
    add(&experiment, 0, FTH_SIM_FILE_SYNC);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 2);
    add(&experiment, 1, FTH_SIM_FILE_OPEN);
    run(&experiment);
    assert_ms(experiment.ends[0], 3 + 135 + 135);
    assert_ms(experiment.ends[1], 4000 + 3);
    assert_int_equal(experiment.server.done.bytes_read, 2 * BLOCK);
    assert_int_equal(experiment.server.used, 0);
}

/* Two fit into memory; of the other six one enters for each that goes. */
static void test_a_full_kernel_makes_writers_wait(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_late(&experiment, 1);
    experiment.cluster.servers.shared = experiment.cluster.servers.in_kernel = true;
    experiment.cluster.servers.granularity = BLOCK;
    experiment.cluster.servers.memory = 2 * BLOCK;
    access_blocks(&experiment, 0, FTH_SIM_FILE_WRITE, 0, 8);
    run(&experiment);
    assert_ms(experiment.ends[0], 6 * 72.5);
    assert_int_equal(experiment.server.used, 2 * BLOCK);
    assert_int_equal(experiment.server.done.peak, 2 * BLOCK);
}

/* ---- reads and writes ---- */

/* A block is being written when a second one comes; during that a read comes, and one more during
 * that one. */
static void mix(struct experiment *experiment, const char *cache)
{
    prepare(experiment, cache, 3);
    access_blocks(experiment, 0, FTH_SIM_FILE_WRITE, 0, 1);
    access_blocks(experiment, 0, FTH_SIM_FILE_WRITE, 4, 1);
    add(experiment, 0, FTH_SIM_FILE_SYNC);
    compute(experiment, 1, 50);
    access_blocks(experiment, 1, FTH_SIM_FILE_READ, 8, 1);
    compute(experiment, 2, 100);
    access_blocks(experiment, 2, FTH_SIM_FILE_READ, 12, 1);
    run(experiment);
    assert_ms(experiment->ends[1], 145);
    assert_ms(experiment->time, 290);
}

static void test_reads_go_first(void **state)
{
    (void)state;
    static const char *const caches[] = {"WriteBehind", "Aggregation"};
    for (size_t i = 0; i < 2; i++) {
        struct experiment experiment;
        mix(&experiment, caches[i]);
        assert_ms(experiment.ends[2], 217.5);
        assert_ms(experiment.ends[0], 290);
    }
}

static void test_phases_take_turns(void **state)
{
    (void)state;
    struct experiment experiment;
    mix(&experiment, "AggregationReorder");
    assert_ms(experiment.ends[0], 217.5);
    assert_ms(experiment.ends[2], 290);
}

static void test_names_are_looked_up_one_after_the_other(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare(&experiment, "NoCache", 3);
    experiment.cluster.servers.lookup = 5000000;
    for (uint32_t rank = 0; rank < 3; rank++)
        add(&experiment, rank, FTH_SIM_FILE_LOOKUP);
    run(&experiment);
    assert_ms(experiment.ends[0] + experiment.ends[1] + experiment.ends[2], 5 + 10 + 15);
    assert_ms(experiment.time, 15);
}

/* ---- what is kept of reads ---- */

static void prepare_kept(struct experiment *experiment, uint32_t processes, uint64_t blocks,
                         uint64_t ahead)
{
    prepare(experiment, "Aggregation", processes);
    experiment->cluster.servers.kept = blocks * BLOCK;
    experiment->cluster.servers.ahead = ahead * BLOCK;
}

static void test_what_was_read_is_kept(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 4, 0);
    for (int i = 0; i < 3; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 3, 2);
    run(&experiment);
    assert_ms(experiment.time, 135);
    assert_int_equal(experiment.server.blocks.hits, 4);
    assert_int_equal(experiment.server.blocks.misses, 2);
    assert_int_equal(experiment.server.done.bytes_read, 6 * BLOCK);
    assert_int_equal(experiment.server.disk.operations, 1);
    assert_int_equal(experiment.server.used, 0);
}

static void test_nothing_is_kept_without_a_read_cache(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 0, 4);
    for (int i = 0; i < 3; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 3, 1);
    run(&experiment);
    assert_ms(experiment.time, 3 * 72.5);
}

static void test_what_was_wanted_longest_ago_goes(void **state)
{
    (void)state;
    static const uint64_t places[] = {1, 3, 1, 5, 1, 3};
    struct experiment experiment;
    prepare_kept(&experiment, 1, 2, 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        access_blocks(&experiment, 0, FTH_SIM_FILE_READ, places[i], 1);
    run(&experiment);
    assert_int_equal(experiment.server.blocks.hits, 2);
    assert_int_equal(experiment.server.blocks.misses, 4);
    assert_ms(experiment.time, 4 * 72.5);
}

/* While a process computes, the block that it asks for next is read. */
static void test_who_goes_on_is_read_for_ahead(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 8, 1);
    experiment.files[0].size = 4 * BLOCK;
    for (uint64_t i = 0; i < 4; i++) {
        access_blocks(&experiment, 0, FTH_SIM_FILE_READ, i, 1);
        compute(&experiment, 0, 100);
    }
    run(&experiment);
    assert_ms(experiment.ends[0], 72.5 + 4 * 100);
    assert_int_equal(experiment.server.blocks.misses, 1);
    assert_int_equal(experiment.server.blocks.hits, 3);
    assert_int_equal(experiment.server.blocks.read_ahead, 3);
    assert_int_equal(experiment.server.blocks.unused, 0);
}

static void test_nobody_reads_ahead_for_who_jumps(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 8, 2);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 9, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 2, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 6, 1);
    run(&experiment);
    assert_int_equal(experiment.server.blocks.read_ahead, 0);
    assert_ms(experiment.time, 3 * 72.5);
}

/* Two ask for the same block: the second one waits for what the first one began. */
static void test_a_block_on_its_way_is_read_once(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 2, 8, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 7, 1);
    compute(&experiment, 1, 20);
    access_blocks(&experiment, 1, FTH_SIM_FILE_READ, 7, 1);
    run(&experiment);
    assert_ms(experiment.ends[0], 72.5);
    assert_ms(experiment.ends[1], 72.5);
    assert_int_equal(experiment.server.disk.operations, 1);
}

/* A read of more than there is room for gets what does not fit straight from the disk, and all of
 * it. */
static void test_reads_larger_than_what_is_kept(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 2, 0);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 8);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    run(&experiment);
    assert_int_equal(experiment.server.blocks.misses, 8);
    assert_int_equal(experiment.server.blocks.hits, 1);
    assert_int_equal(experiment.server.done.bytes_read, 9 * BLOCK);
    assert_int_equal(experiment.server.used, 0);
    assert_true(experiment.ends[0] > 0);
}

/* The last block of a file is as long as the file. */
static void test_blocks_end_with_the_file(void **state)
{
    (void)state;
    struct experiment experiment;
    prepare_kept(&experiment, 1, 8, 2);
    experiment.files[0].size = BLOCK + BLOCK / 2;
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 0, 1);
    access_blocks(&experiment, 0, FTH_SIM_FILE_READ, 1, 1);
    run(&experiment);
    assert_int_equal(experiment.server.disk.bytes, BLOCK + BLOCK / 2);
    assert_int_equal(experiment.server.done.bytes_read, BLOCK + BLOCK / 2);
}

/* ---- forwarders ---- */

/* 1 MiB in packets of 64 KiB over edges of 1 MiB/s, each of which stores a packet before it sends
 * it on: behind the first edge, another 62.5 ms each. */
static double pass(bool is_read, uint32_t forwarders, uint32_t processes)
{
    struct experiment experiment;
    prepare(&experiment, "WriteBehind", processes);
    experiment.cluster.nic_edge.speed.throughput = 1 << 20;
    experiment.cluster.disk.speed.throughput = UINT64_C(1) << 40;
    experiment.cluster.disk.speed.access = 0;
    experiment.cluster.servers.forwarders = forwarders;
    for (uint32_t rank = 0; rank < processes; rank++)
        access_blocks(&experiment, rank, is_read ? FTH_SIM_FILE_READ : FTH_SIM_FILE_WRITE, 0,
                      BLOCKS);
    run(&experiment);
    assert_int_equal(is_read ? experiment.server.done.bytes_read
                             : experiment.server.done.bytes_written,
                     processes * BLOCKS * BLOCK);
    assert_int_equal(experiment.server.used, 0);
    return experiment.time;
}

static void test_forwarders_pass_packets_on(void **state)
{
    (void)state;
    for (int is_read = 0; is_read < 2; is_read++) {
        assert_about(pass(is_read, 0, 1), 1062.5, 0.5);
        assert_about(pass(is_read, 1, 1), 1187.5, 0.5);
    }
}

/* Three clients behind one forwarder are as fast as its link; the server's is as slow. */
static void test_forwarders_are_shared(void **state)
{
    (void)state;
    assert_about(pass(false, 1, 3), 3187.5, 1);
    assert_about(pass(true, 1, 3), 3187.5, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_cache_writes_wait_for_the_one_before),
        cmocka_unit_test(test_writes_are_behind),
        cmocka_unit_test(test_a_full_cache_takes_nothing),
        cmocka_unit_test(test_a_flush_waits_for_what_was_written_before),
        cmocka_unit_test(test_neighbours_are_written_together),
        cmocka_unit_test(test_what_is_first_in_the_file_goes_first),
        cmocka_unit_test(test_what_is_written_again_before_it_is_on_the_disk_is_written_once),
        cmocka_unit_test(test_no_more_is_fetched_than_keeps_the_disk_busy),
        cmocka_unit_test(test_data_are_fetched_as_they_lie_on_the_disk),
        cmocka_unit_test(test_nothing_is_fetched_without_room),
        cmocka_unit_test(test_what_nobody_waits_for_stays_in_memory),
        cmocka_unit_test(test_a_flush_pays_for_what_was_written),
        cmocka_unit_test(test_what_is_written_again_goes_once),
        cmocka_unit_test(test_above_the_background_limit_it_is_written),
        cmocka_unit_test(test_a_full_memory_makes_writers_wait),
        cmocka_unit_test(test_what_is_old_is_written),
        cmocka_unit_test(test_what_is_flushed_comes_first),
        cmocka_unit_test(test_a_read_without_memory_makes_room),
        cmocka_unit_test(test_what_was_written_can_be_read),
        cmocka_unit_test(test_copies_cost_the_processor),
        cmocka_unit_test(test_a_kernel_needs_no_network),
        cmocka_unit_test(test_a_full_kernel_makes_writers_wait),
        cmocka_unit_test(test_reads_go_first),
        cmocka_unit_test(test_phases_take_turns),
        cmocka_unit_test(test_names_are_looked_up_one_after_the_other),
        cmocka_unit_test(test_what_was_read_is_kept),
        cmocka_unit_test(test_nothing_is_kept_without_a_read_cache),
        cmocka_unit_test(test_what_was_wanted_longest_ago_goes),
        cmocka_unit_test(test_who_goes_on_is_read_for_ahead),
        cmocka_unit_test(test_nobody_reads_ahead_for_who_jumps),
        cmocka_unit_test(test_a_block_on_its_way_is_read_once),
        cmocka_unit_test(test_reads_larger_than_what_is_kept),
        cmocka_unit_test(test_blocks_end_with_the_file),
        cmocka_unit_test(test_forwarders_pass_packets_on),
        cmocka_unit_test(test_forwarders_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
