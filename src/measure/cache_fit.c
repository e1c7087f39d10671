/* From timings of files in the page cache to a server that stands for the kernel of a node: what it
 * may keep in memory, and what accesses cost the processor. */
#include "sim/io/cache.h"
#include "measure/machine.h"

#include "measure/memory_speed.h"
#include "sim/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1e9

/* ---- what the kernel says ---- */

/* A number of /proc/sys/vm. */
static uint64_t setting_of(const char *name, uint64_t usual)
{
    char path[128];
    unsigned long long value;
    snprintf(path, sizeof path, "/proc/sys/vm/%s", name);
    FILE *file = fopen(path, "re");
    bool is_known = file && fscanf(file, "%llu", &value) == 1;
    if (file)
        fclose(file);
    return is_known ? value : usual;
}

/* Limits are bytes, or, where these are 0, percent of what is available
 * (Documentation/admin-guide/sysctl/vm.rst). */
static void add_limit(struct fth_measured *measured, const char *key, const char *setting,
                      uint64_t usual, const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "%s_bytes", setting);
    uint64_t bytes = setting_of(name, 0);
    snprintf(name, sizeof name, "%s_ratio", setting);
    uint64_t percent = setting_of(name, usual);
    double limit = bytes ? (double)bytes : (double)fth_memory_available() * (double)percent / 100;
    fth_parameter_add(measured, "servers", key, FTH_SIM_BYTES, fmax(limit, 1 << 20), true, "%s: %s",
                      what, bytes ? "dirty bytes" : name);
}

static void add_memory(struct fth_measured *measured)
{
    fth_parameter_add(measured, "servers", "cache", FTH_SIM_COUNT, 0, false,
                      "what the page cache does")
        ->word = "WriteBack";
    add_limit(measured, "memory", "dirty", 20, "what the kernel lets be written later");
    add_limit(measured, "background", "dirty_background", 10, "what it lets wait");
    fth_parameter_add(measured, "servers", "expire", FTH_SIM_TIME,
                      (double)setting_of("dirty_expire_centisecs", 3000) * SECOND / 100, true,
                      "how long it lets that wait");
    fth_parameter_add(measured, "servers", "read cache", FTH_SIM_BYTES,
                      fmax((double)fth_memory_available(), 1 << 20), true, "available memory");
    fth_parameter_add(measured, "servers", "block", FTH_SIM_BYTES, 4096, false, "pages");
    fth_parameter_add(measured, "servers", "read ahead", FTH_SIM_BYTES, 128 << 10, false,
                      "the kernel's usual one");
}

/* ---- what accesses cost ---- */

/* A process that writes a record, and may read it or make it safe then. */
struct user {
    struct fth_sim_program program;
    struct fth_sim_file file;
    enum fth_sim_verb then; /* FTH_SIM_FILE_WRITE: nothing */
    uint64_t bytes;
};

static bool next(const struct fth_sim_program *program, uint32_t rank,
                 struct fth_sim_cursor *cursor, struct fth_sim_command *command)
{
    const struct user *user = (const struct user *)(const void *)program;
    uint32_t at = cursor->at++;
    (void)rank;
    *command = (struct fth_sim_command){.verb = at ? user->then : FTH_SIM_FILE_WRITE,
                                        .ranges = {.bytes = user->bytes, .count = 1}};
    return at == 0 || (at == 1 && user->then != FTH_SIM_FILE_WRITE);
}

static double value_of(const struct fth_measured *measured, const char *part, const char *key)
{
    const struct fth_machine_parameter *parameter = fth_parameter_find(measured, part, key);
    return parameter ? parameter->value : 0;
}

static struct fth_sim_cluster node_of(const struct fth_measured *measured)
{
    struct fth_sim_cluster cluster = fth_measured_cluster(measured, FTH_SAME_SOCKET);
    const struct fth_machine_parameter *model = fth_parameter_find(measured, "disk", "model");
    cluster.servers = (struct fth_sim_servers){
        .count = 1,
        .shared = true,
        .in_kernel = true,
        .cache = fth_sim_cache("WriteBack"),
        .memory = (uint64_t)value_of(measured, "servers", "memory"),
        .background = UINT64_C(1) << 60,
        .expire = INT64_C(1) << 60,
        .write_call = (int64_t)value_of(measured, "servers", "write call"),
        .write_copy = (uint64_t)value_of(measured, "servers", "write copy"),
        .read_call = (int64_t)value_of(measured, "servers", "read call"),
        .read_copy = (uint64_t)value_of(measured, "servers", "read copy"),
        .granularity = 10 << 20,
        .stripe = 64 << 10,
        .at_once = (uint32_t)value_of(measured, "servers", "at once"),
        .kept = 1 << 30,
        .block = 4096};
    cluster.disk = (struct fth_sim_disk_kind){
        fth_sim_disk_model(model->word),
        {.throughput = (uint64_t)value_of(measured, "disk", "throughput"),
         .access = (int64_t)value_of(measured, "disk", "access"),
         .write_throughput = (uint64_t)value_of(measured, "disk", "write throughput"),
         .write_access = (int64_t)value_of(measured, "disk", "write access"),
         .flush = (int64_t)value_of(measured, "disk", "flush"),
         .depth = (uint32_t)value_of(measured, "disk", "depth"),
         .average_seek = (int64_t)value_of(measured, "disk", "average seek"),
         .track_seek = (int64_t)value_of(measured, "disk", "track seek"),
         .turns = (uint32_t)value_of(measured, "disk", "turns"),
         .short_distance = (uint64_t)value_of(measured, "disk", "short seek")}};
    return cluster;
}

/* When the process has come to its end, in ns. */
static double end_of(const struct fth_sim_cluster *cluster, enum fth_sim_verb then, uint64_t bytes)
{
    struct user user = {.program = {.ranks = 1, .next = next, .file_count = 1},
                        .file = {.name = "file"},
                        .then = then,
                        .bytes = bytes};
    user.program.files = &user.file;
    struct fth_sim_world *world = fth_sim_world_new(cluster, &user.program, NULL);
    if (!world)
        return 0;
    fth_sim_world_run(world);
    double end = (double)fth_sim_world_end(world, 0, NULL, 0);
    fth_sim_world_free(world);
    return end;
}

/* How long the command takes. */
static double simulate(const struct fth_sim_cluster *cluster, enum fth_sim_verb verb,
                       uint64_t bytes)
{
    double written = end_of(cluster, FTH_SIM_FILE_WRITE, bytes);
    return verb == FTH_SIM_FILE_WRITE ? written : end_of(cluster, verb, bytes) - written;
}

static void add_copy(struct fth_measured *measured, const char *trials, const char *call,
                     const char *copy)
{
    size_t count;
    struct fth_point *points = fth_measured_points(measured, "disk", trials, &count);
    struct fth_fit_line line = fth_fit_line(points, count);
    struct fth_machine_parameter *added = fth_parameter_add(
        measured, "servers", call, FTH_SIM_TIME, floor(line.constant + 0.5), true, "%ss", trials);
    fth_parameter_spread(measured, added, "disk", trials);
    if (line.slope > 0) {
        added = fth_parameter_add(measured, "servers", copy, FTH_SIM_RATE, SECOND / line.slope,
                                  true, "%ss", trials);
        fth_parameter_spread(measured, added, "disk", trials);
    }
    free(points);
}

/* Holds the simulator against what was measured. */
static void check(struct fth_measured *measured, enum fth_sim_verb verb, const char *name)
{
    const struct fth_sim_cluster cluster = node_of(measured);
    struct fth_comparison comparison = {0};
    for (size_t i = 0; i < measured->trials.count; i++) {
        struct fth_trial *trial = &measured->trials.list[i];
        double time = fth_measured_typical(measured, trial);
        if (strcmp(trial->kind, "disk") || strcmp(trial->name, name) || time <= 0)
            continue;
        trial->simulated = simulate(&cluster, verb, trial->bytes);
        fth_measure_compare(&comparison, &(struct fth_point){(double)trial->bytes, time, 1},
                            trial->simulated);
    }
    fth_measured_say(
        measured,
        "%s, simulated: the error is %.0f %% on average and at most %+.0f %%, at %.0f KiB", name,
        comparison.residual.mean * 100, comparison.residual.worst * 100,
        comparison.residual.at.bytes / 1024);
}

void fth_fit_cache(struct fth_measured *measured)
{
    uint32_t most, depth = fth_measured_depth(measured, &most);
    fth_parameter_add(measured, "servers", "count", FTH_SIM_COUNT, 1, false,
                      "the disk as one process sees it");
    fth_parameter_add(measured, "servers", "nodes", FTH_SIM_COUNT, 0, false, "that of a node")
        ->word = "kernel";
    fth_parameter_add(measured, "servers", "at once", FTH_SIM_COUNT, depth > 0 ? depth : 1,
                      depth > 0, "as many as the disk works on");
    fth_fit_names(measured);
    add_memory(measured);
    add_copy(measured, "cached write", "write call", "write copy");
    add_copy(measured, "cached read", "read call", "read copy");
    check(measured, FTH_SIM_FILE_WRITE, "cached write");
    check(measured, FTH_SIM_FILE_READ, "cached read");
    check(measured, FTH_SIM_FILE_SYNC, "flush");
}
