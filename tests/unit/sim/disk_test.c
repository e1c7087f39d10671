/* Disks: how long operations take, and in which order they are done. */
#include "sim/engine/disk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 32 };
static struct {
    struct fth_sim_io *order[MOST];
    int64_t ends[MOST];
    size_t count;
} log_;

static void note(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    log_.order[log_.count] = io;
    log_.ends[log_.count++] = engine->now;
}

static void test_a_simple_disk_is_first_come_first_served(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_disk disk;
    const struct fth_sim_disk_speed speed = {.throughput = 50000000, .access = 5000000};
    fth_sim_disk_init(&disk, &engine, fth_sim_disk_model("SimpleDisk"), &speed);
    struct fth_sim_io ios[] = {
        {.operation = FTH_SIM_WRITE, .file = 1, .offset = 1000, .bytes = 100, .done = note},
        {.operation = FTH_SIM_READ, .file = 1, .offset = 0, .bytes = 50, .done = note},
        {.operation = FTH_SIM_FLUSH, .file = 1, .offset = 0, .bytes = 0, .done = note}};
    log_.count = 0;
    for (size_t i = 0; i < 3; i++)
        fth_sim_disk_submit(&disk, &ios[i]);
    fth_sim_engine_run(&engine);
    static const int64_t ends[] = {5002000, 10003000, 10003000};
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(log_.order[i], &ios[i]);
        assert_int_equal(log_.ends[i], ends[i]);
    }
    fth_sim_engine_free(&engine);
}

static const struct fth_sim_disk_speed pvs = {.throughput = 96 << 20,
                                              .track_seek = 1000000,
                                              .average_seek = 9000000,
                                              .turns = 7200,
                                              .short_distance = 1000000};

static void test_seeks_are_of_three_kinds(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_disk disk;
    fth_sim_disk_init(&disk, &engine, fth_sim_disk_model("RefinedDisk"), &pvs);
    /* None yet, where the last one ended, near, at the limit, in another file; 96 KiB take 976562
     * ns. */
    static const struct {
        uint32_t file;
        uint64_t offset;
        int64_t duration;
    } steps[] = {{1, 0, 4166666 + 9000000 + 976562},
                 {1, 98304, 976562},
                 {1, 0, 4166666 + 1000000 + 976562},
                 {1, 98304 + 1000000, 4166666 + 9000000 + 976562},
                 {2, 98304 + 1098304, 4166666 + 9000000 + 976562},
                 {2, 98304 + 1098304 + 98304 + 999999, 4166666 + 1000000 + 976562}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct fth_sim_io io = {.operation = FTH_SIM_READ,
                                .file = steps[i].file,
                                .offset = steps[i].offset,
                                .bytes = 98304,
                                .done = note};
        int64_t before = engine.now;
        log_.count = 0;
        fth_sim_disk_submit(&disk, &io);
        fth_sim_engine_run(&engine);
        assert_int_equal(engine.now - before, steps[i].duration);
    }
    assert_int_equal(disk.operations, 6);
    assert_int_equal(disk.sequential, 1);
    assert_int_equal(disk.near, 2);
    assert_int_equal(disk.far, 3);
    assert_int_equal(disk.bytes, 6 * 98304);
    fth_sim_engine_free(&engine);
}

struct request {
    struct fth_sim_target target;
    struct fth_sim_disk *disk;
    struct fth_sim_io io;
};

static void submit(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    (void)engine;
    struct request *request = (struct request *)target;
    fth_sim_disk_submit(request->disk, &request->io);
}

/* Kunkel 2013, figure 5.5: three files, nine blocks of each from the last to the first, one block
 * of each every 3 ms. A seek takes 6 ms, a block 1 ms. */
static void test_files_take_turns_and_offsets_ascend(void **state)
{
    (void)state;
    enum { FILES = 3, BLOCKS = 9 };
    struct fth_sim_engine engine = {0};
    struct fth_sim_disk disk;
    const struct fth_sim_disk_speed speed = {.throughput = 512000,
                                             .track_seek = 6000000,
                                             .average_seek = 6000000,
                                             .turns = UINT32_MAX,
                                             .short_distance = 1};
    fth_sim_disk_init(&disk, &engine, fth_sim_disk_model("RefinedDisk"), &speed);
    static struct request requests[BLOCKS][FILES];
    for (uint32_t i = 0; i < BLOCKS; i++)
        for (uint32_t file = 0; file < FILES; file++) {
            struct fth_sim_io io = {.operation = FTH_SIM_READ,
                                    .file = file,
                                    .offset = (BLOCKS - i) * 512,
                                    .bytes = 512,
                                    .done = note};
            requests[i][file] = (struct request){{.happen = submit}, &disk, io};
            fth_sim_after(&engine, i * 3000000, &requests[i][file].target);
        }
    log_.count = 0;
    fth_sim_engine_run(&engine);
    static const uint32_t runs[][3] = {{0, 9, 9}, {1, 7, 9}, {2, 4, 9},
                                       {0, 1, 8}, {1, 1, 6}, {2, 1, 3}};
    size_t at = 0;
    for (size_t i = 0; i < 6; i++)
        for (uint32_t block = runs[i][1]; block <= runs[i][2]; block++, at++) {
            assert_int_equal(log_.order[at]->file, runs[i][0]);
            assert_int_equal(log_.order[at]->offset, block * 512);
        }
    assert_int_equal(at, log_.count);
    assert_int_equal(disk.far, 6);
    assert_in_range(engine.now, 63000000, 63000100);
    fth_sim_engine_free(&engine);
}

static void test_a_flush_ends_after_what_was_before_it(void **state)
{
    (void)state;
    struct fth_sim_engine engine = {0};
    struct fth_sim_disk disk;
    fth_sim_disk_init(&disk, &engine, fth_sim_disk_model("RefinedDisk"), &pvs);
    struct fth_sim_io ios[] = {
        {.operation = FTH_SIM_WRITE, .file = 1, .offset = 0, .bytes = 4096, .done = note},
        {.operation = FTH_SIM_WRITE, .file = 1, .offset = 50 << 20, .bytes = 4096, .done = note},
        {.operation = FTH_SIM_FLUSH, .file = 1, .offset = 0, .bytes = 0, .done = note},
        {.operation = FTH_SIM_WRITE, .file = 2, .offset = 0, .bytes = 4096, .done = note}};
    log_.count = 0;
    for (size_t i = 0; i < 4; i++)
        fth_sim_disk_submit(&disk, &ios[i]);
    fth_sim_engine_run(&engine);
    assert_int_equal(log_.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_ptr_equal(log_.order[i], &ios[i]);
    assert_int_equal(log_.ends[2], log_.ends[1]);
    fth_sim_engine_free(&engine);
}

/* Few operations are bound by the access time, many by the throughput; writes pass reads where each
 * has a lane. */
static void test_flash_looks_several_up_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        uint32_t depth, count;
        enum fth_sim_operation others; /* every second one */
        int64_t end;
    } cases[] = {
        {"SSD", 1, 4, FTH_SIM_READ, 4 * (100000 + 10000)},
        {"SSD", 4, 4, FTH_SIM_READ, 100000 + 4 * 10000},
        {"SSD", 2, 4, FTH_SIM_READ, 2 * 100000 + 3 * 10000},
        {"SSD", 4, 4, FTH_SIM_WRITE, 100000 + 2 * 10000 + 2 * 20000},
        {"NVMe", 4, 4, FTH_SIM_WRITE, 100000 + 2 * 20000},
        {"NVMe", 4, 2, FTH_SIM_FLUSH, 500000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_sim_engine engine = {0};
        struct fth_sim_disk disk;
        struct fth_sim_io ios[4];
        const struct fth_sim_disk_speed speed = {.throughput = 100000000,
                                                 .write_throughput = 50000000,
                                                 .access = 100000,
                                                 .flush = 500000,
                                                 .depth = cases[i].depth};
        fth_sim_disk_init(&disk, &engine, fth_sim_disk_model(cases[i].model), &speed);
        log_.count = 0;
        for (uint32_t j = 0; j < cases[i].count; j++) {
            enum fth_sim_operation operation = j % 2 ? cases[i].others : FTH_SIM_READ;
            ios[j] = (struct fth_sim_io){.operation = operation,
                                         .bytes = operation == FTH_SIM_FLUSH ? 0 : 1000,
                                         .done = note};
            fth_sim_disk_submit(&disk, &ios[j]);
        }
        fth_sim_engine_run(&engine);
        assert_int_equal(log_.count, cases[i].count);
        assert_int_equal(log_.ends[log_.count - 1], cases[i].end);
        assert_int_equal(disk.busy, cases[i].end);
        fth_sim_engine_free(&engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flash_looks_several_up_at_once),
        cmocka_unit_test(test_a_simple_disk_is_first_come_first_served),
        cmocka_unit_test(test_seeks_are_of_three_kinds),
        cmocka_unit_test(test_files_take_turns_and_offsets_ascend),
        cmocka_unit_test(test_a_flush_ends_after_what_was_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
