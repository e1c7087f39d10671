/* Sweeps: see the header. Points have nothing in common, so each is simulated in a process of a
 * pool; results come back through memory that they share. */
#include "sim/results/parameter_sweep.h"

#include "base/memory.h"
#include "base/processors.h"
#include "sim/results/changes.h"
#include "sim/run/limits.h"
#include "sim/program/program_text.h"
#include "sim/results/resources.h"
#include "sim/text/units.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Short names of keys that are often wanted. */
static const struct {
    const char *name, *key;
} short_names[] = {{"servers", "servers.count"}, {"stripe", "servers.stripe"},
                   {"cache", "servers.cache"},   {"memory", "servers.memory"},
                   {"eager", "mpi.eager"},       {"packet", "network.packet"},
                   {"cb_nodes", "mpi.cb_nodes"}, {"cb_buffer_size", "mpi.cb_buffer_size"}};

/* The path of keys in the cluster that is meant. */
static void full_key(const char *key, char *path, size_t size)
{
    snprintf(path, size, "%s", key);
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; i++)
        if (!strcmp(short_names[i].name, key))
            snprintf(path, size, "%s", short_names[i].key);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        if (!strcmp(fth_sim_verb_names[verb], key))
            snprintf(path, size, "mpi.%s", key);
}

enum { KEY = 128 };

static bool is_swept(const struct fth_sim_sweep *sweep, uint32_t count, const char *key)
{
    char wanted[KEY], other[KEY];
    full_key(key, wanted, sizeof wanted);
    for (uint32_t i = 0; i < count; i++) {
        full_key(sweep->axes[i].key, other, sizeof other);
        if (!strcmp(wanted, other))
            return true;
    }
    return false;
}

static void add_value(struct fth_sim_axis *axis, const char *value, size_t length)
{
    char *text = fth_new(length + 3, 1);
    memcpy(text, value, length);
    /* 64K is 64 KiB here, as in other commands. */
    if (length > 1 && strchr("KMGT", text[length - 1]) && text[length - 2] >= '0' &&
        text[length - 2] <= '9')
        strcat(text, "iB");
    FTH_GROW(axis->values, axis->count);
    axis->values[axis->count++] = text;
}

static int add_values(struct fth_sim_axis *axis, const char *text, struct fth_error **error)
{
    char number[24], first[24];
    uint64_t from = 0, to = 0;
    const char *points = strstr(text, "..");
    snprintf(first, sizeof first, "%.*s", points ? (int)(points - text) : 0, text);
    if (points && !fth_sim_parse(first, FTH_SIM_COUNT, &from, NULL) &&
        !fth_sim_parse(points + 2, FTH_SIM_COUNT, &to, NULL)) {
        if (from > to || to - from >= FTH_SIM_MOST_POINTS)
            return fth_fail(error, "'%s' is not a range of up to %d values", text,
                            FTH_SIM_MOST_POINTS);
        for (uint64_t i = from; i <= to; i++)
            add_value(axis, number,
                      (size_t)snprintf(number, sizeof number, "%llu", (unsigned long long)i));
        return 0;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!length)
            return fth_fail(error, "a value is empty");
        add_value(axis, text, length);
        if (!text[length])
            return 0;
        text += length + 1;
    }
}

int fth_sim_sweep_add(struct fth_sim_sweep *sweep, const char *text, struct fth_error **error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return fth_fail(error, "'%s' is not like servers=1..64 or stripe=64K,1M", text);
    if (sweep->axis_count == FTH_SIM_AXES)
        return fth_fail(error, "at most %d keys can be swept", FTH_SIM_AXES);
    struct fth_sim_axis *axis = &sweep->axes[sweep->axis_count++];
    size_t length = (size_t)(equals - text);
    axis->key = memcpy(fth_new(length + 1, 1), text, length);
    if (is_swept(sweep, sweep->axis_count - 1, axis->key))
        return fth_fail(error, "--sweep '%s': this key is swept already", text);
    if (!add_values(axis, equals + 1, error))
        return 0;
    return fth_fail_in(error, "--sweep '%s'", text);
}

void fth_sim_sweep_free(struct fth_sim_sweep *sweep)
{
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        for (uint32_t j = 0; j < sweep->axes[i].count; j++)
            free(sweep->axes[i].values[j]);
        free(sweep->axes[i].values);
        free(sweep->axes[i].key);
    }
    sweep->axis_count = 0;
}

/* ---- one point ---- */

static const char *value_at(const struct fth_sim_sweep *sweep, uint64_t point, uint32_t axis)
{
    for (uint32_t i = sweep->axis_count; --i > axis;)
        point /= sweep->axes[i].count;
    return sweep->axes[axis].values[point % sweep->axes[axis].count];
}

static void note_results(struct fth_sim_point *point, const struct fth_sim_world *world)
{
    point->time = fth_sim_world_time(world);
    point->events = fth_sim_world_events(world);
    point->end = fth_sim_world_last_end(world, &point->unfinished);
    int64_t longest = fth_sim_busiest(world, point->busiest, sizeof point->busiest);
    point->share = point->time ? 100.0 * (double)longest / (double)point->time : 0;
    if (point->unfinished)
        fth_sim_world_describe_waits(world, point->wrong, sizeof point->wrong);
}

static int simulate(const struct fth_sim_sweep *sweep, const struct fth_sim_cluster *cluster,
                    uint32_t processes, struct fth_sim_point *point,
                    struct fth_sim_outcome *outcome, struct fth_error **error)
{
    bool is_trace = fth_sim_is_trace(sweep->program_path);
    struct fth_sim_program *program =
        is_trace ? fth_sim_replay_open(sweep->program_path, sweep->replay, error)
                 : fth_sim_program_read(sweep->program_path, processes, error);
    if (!program)
        return -1;
    struct fth_sim_limits limits = {.most_events = sweep->most_events};
    struct fth_sim_estimate estimate = {0};
    if (!is_trace)
        estimate = fth_sim_estimate(program, cluster);
    int result = fth_sim_limits_check(&limits, &estimate, error);
    struct fth_sim_world *world = result ? NULL : fth_sim_world_new(cluster, program, error);
    if (world) {
        for (size_t i = 0; i < sweep->method_count; i++)
            if (!is_swept(sweep, sweep->axis_count,
                          fth_sim_verb_names[sweep->methods[i]->verb])) /* it is the cluster's */
                fth_sim_world_use(world, sweep->methods[i]);
        result = fth_sim_run_within(world, &limits, error);
        if (!result)
            note_results(point, world);
        if (!result && outcome)
            fth_sim_outcome_take(outcome, world);
    }
    result = world ? result : -1;
    fth_sim_world_free(world);
    if (is_trace)
        fth_sim_replay_free(program);
    else
        fth_sim_program_free(program);
    return result;
}

/* The cluster of a point, and how many processes it has; 0: as the program says. */
static int read_cluster(const struct fth_sim_sweep *sweep, uint64_t number,
                        struct fth_sim_cluster *cluster, uint32_t *processes,
                        struct fth_error **error)
{
    struct fth_sim_setting settings[FTH_SIM_AXES];
    char keys[FTH_SIM_AXES][KEY], places[FTH_SIM_AXES][160];
    size_t count = 0;
    uint64_t wanted = sweep->processes;
    for (uint32_t i = 0; i < sweep->axis_count; i++) {
        const char *key = sweep->axes[i].key, *value = value_at(sweep, number, i);
        if (!strcmp(key, "processes")) {
            if (fth_sim_parse(value, FTH_SIM_COUNT, &wanted, error))
                return fth_fail_in(error, "--sweep processes=%s", value);
            if (wanted < 1 || wanted > 1 << 24)
                return fth_fail(error, "--sweep processes=%s: there can be 1 to %d", value,
                                1 << 24);
            continue;
        }
        full_key(key, keys[count], sizeof keys[count]);
        snprintf(places[count], sizeof places[count], "--sweep %s=%s", key, value);
        settings[count] = (struct fth_sim_setting){keys[count], value, places[count]};
        count++;
    }
    *processes = (uint32_t)wanted;
    return fth_sim_cluster_read_with(cluster, sweep->cluster_path, settings, count, error);
}

static int run_point(const struct fth_sim_sweep *sweep, uint64_t number,
                     struct fth_sim_point *point, struct fth_sim_outcome *outcome,
                     struct fth_error **error)
{
    struct fth_sim_cluster cluster;
    uint32_t processes;
    if (read_cluster(sweep, number, &cluster, &processes, error))
        return -1;
    int result = simulate(sweep, &cluster, processes, point, outcome, error);
    fth_sim_cluster_free(&cluster);
    return result;
}

int fth_sim_sweep_one(const struct fth_sim_sweep *sweep, struct fth_sim_outcome *outcome,
                      struct fth_error **error)
{
    struct fth_sim_point point = {0};
    if (run_point(sweep, 0, &point, outcome, error))
        return -1;
    return *point.wrong ? fth_fail(error, "%s", point.wrong) : 0;
}

int fth_sim_sweep_check(const struct fth_sim_sweep *sweep, uint64_t count, struct fth_error **error)
{
    enum { MOST = 4096 };
    struct fth_error *first = NULL;
    if (fth_sim_is_trace(sweep->program_path) && is_swept(sweep, sweep->axis_count, "processes"))
        return fth_fail(error, "--sweep processes: a trace has a fixed number of processes");
    for (uint64_t number = 0; number < count && number < MOST; number++) {
        struct fth_sim_cluster cluster;
        uint32_t processes;
        if (!read_cluster(sweep, number, &cluster, &processes, first ? NULL : &first)) {
            fth_sim_cluster_free(&cluster);
            fth_error_free(first);
            return 0;
        }
    }
    fth_fail(error, "%s", fth_error_text(first));
    fth_error_free(first);
    return -1;
}

/* ---- all of them ---- */

/* Before the points, in memory that is shared with workers. */
struct shared {
    atomic_uint_least64_t next;
    struct fth_sim_point points[];
};

uint32_t fth_sim_sweep_part_of(uint64_t number, uint32_t parts)
{
    uint64_t turn = number / parts * 0x9E3779B97F4A7C15u;
    return (uint32_t)((number + (turn >> 32)) % parts);
}

static void work(const struct fth_sim_sweep *sweep, struct shared *shared, uint64_t points)
{
    for (;;) {
        uint64_t done = atomic_fetch_add(&shared->next, 1);
        struct fth_error *error = NULL;
        if (done >= points)
            return;
        /* The last values of a key are mostly those that take longest, so nobody is left alone with
         * them in the end. */
        uint64_t number = points - 1 - done;
        if (sweep->parts && fth_sim_sweep_part_of(number, sweep->parts) != sweep->part)
            continue;
        struct fth_sim_point *point = &shared->points[number];
        if (run_point(sweep, number, point, NULL, &error)) {
            snprintf(point->wrong, sizeof point->wrong, "%s", fth_error_text(error));
            fth_error_free(error);
        }
        point->is_done = true;
    }
}

static void work_in_processes(const struct fth_sim_sweep *sweep, struct shared *shared,
                              uint64_t points)
{
    uint64_t workers = sweep->workers ? sweep->workers : fth_processors();
    for (uint64_t i = 1; i < workers && i < points; i++) {
        pid_t child = fork();
        if (child > 0)
            continue;
        if (child == 0) {
            work(sweep, shared, points);
            _exit(0);
        }
        break; /* fewer will do */
    }
    work(sweep, shared, points);
    while (wait(NULL) > 0)
        continue;
}

uint64_t fth_sim_sweep_count(const struct fth_sim_sweep *sweep, struct fth_error **error)
{
    uint64_t points = 1;
    for (uint32_t i = 0; i < sweep->axis_count; i++)
        if ((points *= sweep->axes[i].count) > FTH_SIM_MOST_POINTS) {
            fth_fail(error, "these are more than %d points", FTH_SIM_MOST_POINTS);
            return 0;
        }
    return points;
}

static size_t size_of(uint64_t points)
{
    return sizeof(struct shared) + points * sizeof(struct fth_sim_point);
}

static struct shared *shared_of(struct fth_sim_point *points)
{
    return (void *)((char *)points - offsetof(struct shared, points));
}

struct fth_sim_point *fth_sim_sweep_run(const struct fth_sim_sweep *sweep, uint64_t count,
                                        struct fth_error **error)
{
    struct shared *shared =
        mmap(NULL, size_of(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fth_fail_errno(error, "out of memory for %llu points", (unsigned long long)count);
        return NULL;
    }
    work_in_processes(sweep, shared, count);
    return shared->points;
}

void fth_sim_sweep_forget(struct fth_sim_point *points, uint64_t count)
{
    if (points)
        munmap(shared_of(points), size_of(count));
}

struct fth_table *fth_sim_sweep_table(const struct fth_sim_sweep *sweep,
                                      const struct fth_sim_point *points, uint64_t count,
                                      struct fth_error **error)
{
    enum { TIME, END, EVENTS, UNFINISHED, BUSIEST, SHARE, WRONG, RESULTS };
    static const struct fth_column results[RESULTS] = {
        {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
        {"end", "last end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
        {"events", "events", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
        {"unfinished", "unfinished", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
        {"busiest", "busiest", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
        {"share", "busy", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
        {"wrong", "wrong", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    };
    /* They outlive the table: there is one sweep in a command. */
    static struct fth_column columns[FTH_SIM_AXES + RESULTS];
    static struct fth_shape shape;
    uint32_t axes = sweep->axis_count;
    for (uint32_t i = 0; i < axes; i++)
        columns[i] = (struct fth_column){sweep->axes[i].key, sweep->axes[i].key, FTH_UNIT_TEXT,
                                         FTH_SHOW_ALWAYS};
    memcpy(columns + axes, results, sizeof results);
    shape = (struct fth_shape){"points", "Sweep", columns, axes + RESULTS, 0};
    struct fth_table *table = fth_table_new(&shape);
    for (uint64_t i = 0; table && i < count; i++) {
        size_t row = fth_table_add_row(table);
        for (uint32_t axis = 0; axis < axes; axis++)
            fth_table_set(table, row, axis, fth_cell_text(value_at(sweep, i, axis)));
        if (!points[i].is_done || *points[i].wrong)
            fth_table_set(
                table, row, axes + WRONG,
                fth_cell_text(points[i].is_done ? points[i].wrong : "its simulation was killed"));
        if (!points[i].events)
            continue;
        fth_table_set(table, row, axes + TIME, fth_cell_integer(points[i].time));
        fth_table_set(table, row, axes + END, fth_cell_integer(points[i].end));
        fth_table_set(table, row, axes + EVENTS, fth_cell_integer((int64_t)points[i].events));
        fth_table_set(table, row, axes + UNFINISHED,
                      fth_cell_integer((int64_t)points[i].unfinished));
        fth_table_set(table, row, axes + BUSIEST, fth_cell_text(points[i].busiest));
        fth_table_set(table, row, axes + SHARE, fth_cell_real(points[i].share));
    }
    if (table && !fth_table_failed(table))
        return table;
    fth_table_free(table);
    fth_fail(error, "out of memory for the table");
    return NULL;
}
