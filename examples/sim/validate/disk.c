/* Table 7.7: the throughput of random accesses to a disk, MiB/s, by what is modelled and by the
 * size of a record. Each cell is a run of a simulated disk over some records. */
#include "case.h"

#include "sim/engine/disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 64, SIZES = 10, KI = 1024 };

/* What seeks are between records, and how many of them one access takes. */
enum jump { NONE, NEAR, FAR };
static const struct row {
    const char *name;
    bool transfers;
    enum jump jump;
    unsigned at_once;
    double published[SIZES];
} rows[] = {
    {"RPM", false, NONE, 1, {3.75, 7.5, 15, 30, 60, 120, 240, 480, 960, 1920}},
    {"RPM+track",
     false,
     NEAR,
     1,
     {2.97, 5.93, 11.87, 23.73, 47.47, 94.94, 189.87, 379.75, 759.49, 1518.99}},
    {"RPM+avg",
     false,
     FAR,
     1,
     {1.19, 2.37, 4.75, 9.49, 18.99, 37.97, 75.95, 151.90, 303.80, 607.59}},
    {"RPM+TP", true, NONE, 1, {3.61, 6.96, 12.97, 22.86, 36.92, 53.33, 68.57, 80.00, 87.27, 91.43}},
    {"RPM+TP+track",
     true,
     NEAR,
     1,
     {2.88, 5.59, 10.56, 19.03, 31.76, 47.73, 63.76, 76.63, 85.23, 90.29}},
    {"RPM+TP+avg",
     true,
     FAR,
     1,
     {1.17, 2.32, 4.52, 8.64, 15.85, 27.21, 42.40, 58.82, 72.95, 82.90}},
    {"RPM+TP+Aggregate2",
     true,
     NONE,
     2,
     {6.96, 12.97, 22.86, 36.92, 53.33, 68.57, 80.00, 87.27, 91.43, 93.66}},
};

static void ignore(struct fth_sim_engine *engine, struct fth_sim_io *io)
{
    (void)engine;
    (void)io;
}

/* MiB/s of accesses to a disk, none of which begins where the last one ended. */
static double throughput(const char *model, const struct fth_sim_disk_speed *speed, uint64_t bytes)
{
    struct fth_sim_engine engine = {0};
    struct fth_sim_disk disk;
    fth_sim_disk_init(&disk, &engine, fth_sim_disk_model(model), speed);
    static struct fth_sim_io ios[RECORDS];
    for (uint64_t i = 0; i < RECORDS; i++) {
        ios[i] = (struct fth_sim_io){.operation = FTH_SIM_READ,
                                     .file = 1,
                                     .offset = (2 * i + 1) * bytes,
                                     .bytes = bytes,
                                     .done = ignore};
        fth_sim_disk_submit(&disk, &ios[i]);
    }
    fth_sim_engine_run(&engine);
    double seconds = (double)engine.now * 1e-9;
    fth_sim_engine_free(&engine);
    return (double)disk.bytes / (KI * KI) / seconds;
}

static double throughput_of(const struct row *row, uint64_t bytes)
{
    const struct fth_sim_disk_speed speed = {
        .throughput = row->transfers ? 96 * KI * KI : UINT64_C(1) << 62,
        .track_seek = row->jump == NEAR ? 1100000 : 0,
        .average_seek = row->jump == FAR    ? 9000000
                        : row->jump == NEAR ? 1100000
                                            : 0,
        .turns = 7200,
        .short_distance = row->jump == FAR ? 0 : UINT64_C(1) << 50};
    return throughput("RefinedDisk", &speed, bytes * row->at_once);
}

/* Which rate and latency come near to what was measured with records of all these sizes, MiB/s: how
 * many times as fast the disk is, in the mean. */
static void validate_fits(void)
{
    static const double read[SIZES] = {2.3, 4.6, 8.5, 15.8, 25.9, 39.7, 52.0, 61.0, 67.7, 73.7},
                        rewrite[SIZES] = {2.1, 4.1, 7.6, 13.7, 22.7, 33.8, 44.3, 52.7, 56.0, 72.0},
                        iozone_write[SIZES] = {6.80,  12.77, 21.08, 36.28, 53.12,
                                               65.90, 78.73, 85.80, 90.29, 91.22};
    static const struct {
        const char *id;
        double rate, latency; /* MiB/s, ms */
        const double *measured;
        double ratio, tolerance;
    } fits[] = {
        {"disk/fit/read/reference", 96, 4.166, read, 1.2, 0.25},
        {"disk/fit/rewrite/reference", 96, 4.166, rewrite, 1.5, 0.25},
        {"disk/fit/read", 80, 5.1, read, 1, 0.2},
        {"disk/fit/rewrite", 63, 6.3, rewrite, 1, 0.2},
        {"disk/fit/iozone-write", 80, 2.3, iozone_write, 1, 0.2},
    };
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        const struct fth_sim_disk_speed speed = {.throughput = (uint64_t)(fits[i].rate * KI * KI),
                                                 .access = (int64_t)(fits[i].latency * 1e6)};
        double sum = 0;
        for (unsigned j = 0; j < SIZES; j++)
            sum +=
                throughput("SimpleDisk", &speed, (uint64_t)(16u << j) * KI) / fits[i].measured[j];
        compare(fits[i].id, "a disk with a rate and a latency, as many times as fast as measured",
                THESIS "figure 7.10", fits[i].ratio, sum / SIZES, fits[i].tolerance);
    }
}

void validate_disks(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned j = 0; j < SIZES; j++) {
            char id[64], what[96];
            unsigned size = 16u << j;
            snprintf(id, sizeof id, "disk/%s/%u", rows[i].name, size);
            snprintf(what, sizeof what, "random accesses of %u KiB, MiB/s to two decimals", size);
            double ours = round(throughput_of(&rows[i], (uint64_t)size * KI) * 100) / 100;
            compare(id, what, THESIS "table 7.7", rows[i].published[j], ours, 1e-9);
        }
    validate_fits();
}
