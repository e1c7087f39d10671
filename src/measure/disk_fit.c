/* From timings of files to a model of a disk. */
#include "measure/machine.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

#define SECOND 1e9
/* Of what takes no time. */
#define MOST_RATE 0x1p50

enum { SEQUENTIAL_READ, SEQUENTIAL_WRITE, RANDOM_READ, RANDOM_WRITE, NEAR_READ, PATTERNS };
static const char *const patterns[PATTERNS] = {"sequential read", "sequential write", "random read",
                                               "random write", "near read"};

struct pattern {
    struct fth_point *points;
    size_t count;
};

static void join(struct pattern *all, const struct pattern *more)
{
    all->points = fth_resize(all->points, all->count + more->count + 1, sizeof *all->points);
    for (size_t i = 0; i < more->count; i++)
        all->points[all->count++] = more->points[i];
}

/* Turns of disks that are sold, the largest of which half a turn is not more than what a near
 * access waits. */
static uint32_t turns_of(double latency)
{
    static const uint32_t usual[] = {15000, 10000, 7200, 5400};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (30 * SECOND / usual[i] >= latency * 0.6 && 30 * SECOND / usual[i] <= latency)
            return usual[i];
    return 15000;
}

static void note_fit(struct fth_measured *measured, const char *model,
                     const struct fth_comparison *fit)
{
    fth_measured_say(
        measured,
        "disk: the error for %s is %.0f %% on average and at most %+.0f %%, at records of %.0f KiB",
        model, fit->residual.mean * 100, fit->residual.worst * 100, fit->residual.at.bytes / 1024);
}

/* Whether a read and a write of a size go on at the same time. */
static bool has_two_lanes(struct fth_measured *measured, const struct fth_fit_line *reads,
                          const struct fth_fit_line *writes)
{
    const struct fth_point record = {.bytes = FTH_DISK_MIXED_RECORD, .constants = 1};
    double both = fth_measured_time(measured, "disk", "read beside write");
    double in_turn = fth_line_time(reads, &record) + fth_line_time(writes, &record);
    return both > 0 && both < 0.8 * in_turn;
}

/* What fsync takes behind so many bytes that were written. */
static struct fth_fit_line flush_line(struct fth_measured *measured)
{
    struct fth_comparison fit = {0};
    size_t count;
    struct fth_point *points = fth_measured_points(measured, "disk", "flush", &count);
    struct fth_fit_line line = fth_fit_line(points, count);
    fth_fit_compare_line(&fit, points, count, &line);
    fth_measured_say(measured,
                     "fsync: it takes %.0f us and %.1f us per written MiB; the error of this line "
                     "is %.0f %% on average and at most %+.0f %%, at %.0f KiB",
                     line.constant / 1e3, line.slope * 1048.576, fit.residual.mean * 100,
                     fit.residual.worst * 100, fit.residual.at.bytes / 1024);
    free(points);
    return line;
}

static void add_flash(struct fth_measured *measured, const struct fth_fit_line *reads,
                      const struct fth_fit_line *writes)
{
    uint32_t most, depth = fth_measured_depth(measured, &most);
    bool two_lanes = has_two_lanes(measured, reads, writes);
    fth_parameter_add(measured, "disk", "model", FTH_SIM_COUNT, 0, true, "%s",
                      two_lanes ? "no seeks; reads and writes at the same time"
                                : "no seeks; reads and writes alternate")
        ->word = two_lanes ? "NVMe" : "SSD";
    fth_parameter_add(measured, "disk", "throughput", FTH_SIM_RATE, SECOND / reads->slope, true,
                      "reads");
    fth_parameter_add(measured, "disk", "access", FTH_SIM_TIME, floor(reads->constant + 0.5), true,
                      "reads");
    struct fth_fit_line flush = flush_line(measured);
    /* 0 would mean the same as for reads. In memory there is nothing to access. */
    double access = measured->disk.is_memory ? 1 : fmax(1, floor(writes->constant + 0.5));
    fth_parameter_add(measured, "disk", "write throughput", FTH_SIM_RATE,
                      fmin(SECOND / flush.slope, MOST_RATE), true,
                      "the additional time of fsync per byte");
    fth_parameter_add(measured, "disk", "write access", FTH_SIM_TIME, access, true, "writes");
    fth_parameter_add(measured, "disk", "flush", FTH_SIM_TIME,
                      fmax(0, floor(flush.constant - access + 0.5)), true,
                      "the fixed time of fsync");
    if (depth > 0)
        fth_parameter_add(measured, "disk", "depth", FTH_SIM_COUNT, depth, true,
                          "concurrent operations, from the speedup of %u at once", most);
    else
        fth_parameter_add(measured, "disk", "depth", FTH_SIM_COUNT, 1, false,
                          "not measured: this needs O_DIRECT and io_submit(2)");
}

static void add_refined(struct fth_measured *measured, const struct fth_fit_line *sequential,
                        double near, double far)
{
    uint32_t turns = turns_of(near);
    double half_a_turn = 30 * SECOND / turns;
    fth_parameter_add(measured, "disk", "model", FTH_SIM_COUNT, 0, true, "seeks tell")->word =
        "RefinedDisk";
    fth_parameter_add(measured, "disk", "throughput", FTH_SIM_RATE, SECOND / sequential->slope,
                      true, "sequential accesses");
    fth_parameter_add(measured, "disk", "average seek", FTH_SIM_TIME, fmax(0, far - half_a_turn),
                      true, "random accesses in a file of %llu MiB",
                      (unsigned long long)measured->disk.size >> 20);
    fth_parameter_add(measured, "disk", "track seek", FTH_SIM_TIME, fmax(0, near - half_a_turn),
                      true, "accesses %d KB apart", FTH_DISK_NEAR / 2000);
    fth_parameter_add(measured, "disk", "turns", FTH_SIM_COUNT, turns, false,
                      "per minute; a usual value that fits");
    fth_parameter_add(measured, "disk", "short seek", FTH_SIM_BYTES, FTH_DISK_NEAR, false,
                      "as the reference cluster");
}

static void note_setting(struct fth_measured *measured)
{
    const struct fth_disk_setting *disk = &measured->disk;
    fth_measured_say(measured, "disk: a file of %llu MiB on %s, %s",
                     (unsigned long long)disk->size >> 20, disk->system,
                     disk->is_memory   ? "which is memory, not a disk"
                     : disk->is_direct ? "past the page cache (O_DIRECT)"
                                       : "each write flushed, reads perhaps from the page cache");
}

/* A model that knows one throughput. */
static void note_difference(struct fth_measured *measured, const struct fth_fit_line *reads,
                            const struct fth_fit_line *writes)
{
    const struct fth_point large = {.bytes = 1 << 20, .constants = 1};
    double read = fth_line_time(reads, &large), write = fth_line_time(writes, &large);
    if (fmax(read, write) > 1.2 * fmin(read, write))
        fth_measured_say(
            measured,
            "disk: %s of 1 MiB take %.1f times as long as %s; the model treats them alike",
            read > write ? "reads" : "writes", fmax(read, write) / fmin(read, write),
            read > write ? "writes" : "reads");
}

void fth_fit_disk(struct fth_measured *measured)
{
    struct pattern all[PATTERNS], reading = {0}, writing = {0}, sequential = {0}, random = {0};
    for (int i = 0; i < PATTERNS; i++)
        all[i].points = fth_measured_points(measured, "disk", patterns[i], &all[i].count);
    join(&reading, &all[SEQUENTIAL_READ]);
    join(&reading, &all[RANDOM_READ]);
    join(&writing, &all[SEQUENTIAL_WRITE]);
    join(&writing, &all[RANDOM_WRITE]);
    join(&sequential, &all[SEQUENTIAL_READ]);
    join(&sequential, &all[SEQUENTIAL_WRITE]);
    join(&random, &all[RANDOM_READ]);
    join(&random, &all[RANDOM_WRITE]);
    struct fth_fit_line reads = fth_fit_line(reading.points, reading.count);
    struct fth_fit_line writes = fth_fit_line(writing.points, writing.count);
    struct fth_fit_line flow = fth_fit_slope(sequential.points, sequential.count, 0);
    struct fth_fit_line far = fth_fit_constant(random.points, random.count, flow.slope);
    struct fth_fit_line near =
        fth_fit_constant(all[NEAR_READ].points, all[NEAR_READ].count, flow.slope);
    struct fth_comparison flash = {0}, refined = {0};
    fth_fit_compare_line(&flash, reading.points, reading.count, &reads);
    fth_fit_compare_line(&flash, writing.points, writing.count, &writes);
    fth_fit_compare_line(&refined, sequential.points, sequential.count, &flow);
    fth_fit_compare_line(&refined, random.points, random.count, &far);
    /* Less than half a turn of the fastest disks is no seek. */
    bool seeks = near.constant >= 30 * SECOND / 15000 && far.constant > near.constant;
    note_setting(measured);
    note_fit(measured, "without seeks, it", &flash);
    if (seeks)
        note_fit(measured, "as a RefinedDisk, it", &refined);
    if (seeks && refined.residual.mean < flash.residual.mean) {
        add_refined(measured, &flow, near.constant, far.constant);
        note_difference(measured, &reads, &writes);
    } else {
        add_flash(measured, &reads, &writes);
    }
    fth_fit_cache(measured);
    for (int i = 0; i < PATTERNS; i++)
        free(all[i].points);
    free(reading.points);
    free(writing.points);
    free(sequential.points);
    free(random.points);
}
