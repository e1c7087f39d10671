/* What the time of calls went to: reading, writing, making data safe, metadata, messages, waiting;
 * by program, for builds and scripts of many short processes; and which sizes of accesses were the
 * most frequent ones. Times are without those of the calls inside, of all threads: each second of a
 * call counts once. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/intern.h"
#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

static const char *const activity_names[FTH_ACTIVITIES] = {
    "reading",          "writing",  "syncing", "metadata",
    "asynchronous I/O", "messages", "waiting", "other calls"};

enum activity_column { A_WHAT, A_CALLS, A_TIME, A_SHARE };
static const struct fth_column activity_columns[] = {
    {"what", "what", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "of time in calls", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape activity_shape = {
    "activity", "Time in calls by activity, all threads added up", activity_columns,
    sizeof activity_columns / sizeof *activity_columns, 1};

enum program_column {
    P_PROGRAM,
    P_PROCESSES,
    P_LIFE,
    P_CALLS,
    P_READ,
    P_WRITTEN,
    P_IO,
    P_METADATA,
    P_WAITING
};
static const struct fth_column program_columns[] = {
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"io_time", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"metadata_time", "of it metadata", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"waiting_time", "waiting", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape program_shape = {
    "programs", "Programs, all their processes added up; bytes are those of system calls",
    program_columns, sizeof program_columns / sizeof *program_columns, 1};

enum size_column { S_LAYER, S_DOES, S_BYTES, S_ACCESSES, S_SHARE };
static const struct fth_column size_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"does", "does", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"bytes", "of", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"accesses", "accesses", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"share", "of these", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape size_shape = {"common_sizes", "The most common access sizes",
                                            size_columns,
                                            sizeof size_columns / sizeof *size_columns, 0};

enum {
    MOST_SIZES = 4096, /* that are distinguished; further ones are no common ones */
    COMMON = 4,        /* of a layer are shown, as Darshan does */
};

struct size_key {
    uint64_t bytes;
    uint32_t layer, writes;
};
struct counted {
    uint64_t accesses;
};

struct sums {
    uint64_t calls[FTH_ACTIVITIES];
    int64_t time[FTH_ACTIVITIES];
};

struct process {
    size_t proc;
    struct sums sums;
    uint64_t calls, read, written;
    struct fth_keyed sizes; /* by struct size_key: struct counted */
};

struct run {
    const struct fth_survey *survey;
    struct sums sums;
    struct fth_table *programs;
    struct fth_keyed sizes;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->programs = fth_table_new(&program_shape);
    run->sizes.size = sizeof(struct counted);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    (void)state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->sizes.size = sizeof(struct counted);
    return process;
}

static void add_bytes(struct process *process, const struct fth_frame *frame)
{
    if (frame->writes || frame->copies)
        process->written += frame->data.bytes;
    if (!frame->writes || frame->copies)
        process->read += frame->data.bytes;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_call_class *class = frame->class;
    if (class->region)
        return;
    process->sums.calls[frame->activity] += frame->calls;
    if (!frame->device)
        FTH_ADD_SATURATING(process->sums.time[frame->activity], frame->times.own);
    process->calls += frame->calls;
    if (class->system && class->data && !frame->failed)
        add_bytes(process, frame);
}

static struct size_key key_of(const struct fth_keyed *sizes, uint32_t number)
{
    struct size_key key;
    memcpy(&key, fth_keyed_key(sizes, number), sizeof key);
    return key;
}

static void add_size(struct fth_keyed *sizes, const struct size_key *key, uint64_t accesses)
{
    if (fth_keyed_count(sizes) >= MOST_SIZES)
        return;
    struct counted *counted = fth_keyed_get(sizes, key, sizeof *key);
    counted->accesses += accesses;
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->data || !frame->data.bytes)
        return;
    const struct size_key key = {frame->data.bytes, frame->class->layer, frame->writes};
    add_size(&process->sizes, &key, frame->calls);
}

static void add_program(struct fth_table *table, const struct fth_process *facts,
                        const struct process *process)
{
    const char *slash = strrchr(facts->executable, '/');
    struct fth_cell key = fth_cell_text(slash ? slash + 1 : facts->executable);
    size_t row = fth_table_group(table, &key);
    int64_t life = facts->end - facts->start;
    const struct sums *sums = &process->sums;
    fth_table_increase(table, row, P_PROCESSES, 1);
    fth_table_increase(table, row, P_LIFE, life > 0 ? (uint64_t)life : 0);
    fth_table_increase(table, row, P_CALLS, process->calls);
    fth_table_increase(table, row, P_READ, process->read);
    fth_table_increase(table, row, P_WRITTEN, process->written);
    int64_t io = 0;
    for (int i = 0; i < FTH_ACTIVITY_IO_KINDS; i++)
        FTH_ADD_SATURATING(io, sums->time[i]);
    fth_table_increase(table, row, P_IO, (uint64_t)io);
    fth_table_increase(table, row, P_METADATA, (uint64_t)sums->time[FTH_ACTIVITY_METADATA]);
    fth_table_increase(table, row, P_WAITING, (uint64_t)sums->time[FTH_ACTIVITY_WAITING]);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    (void)files;
    struct run *run = run_state;
    struct process *process = state;
    add_program(run->programs, fth_trace_process(run->survey->trace, process->proc), process);
    for (int i = 0; i < FTH_ACTIVITIES; i++) {
        run->sums.calls[i] += process->sums.calls[i];
        FTH_ADD_SATURATING(run->sums.time[i], process->sums.time[i]);
    }
    for (uint32_t i = 0; i < fth_keyed_count(&process->sizes); i++) {
        const struct counted *counted = fth_keyed_item(&process->sizes, i);
        const struct size_key key = key_of(&process->sizes, i);
        add_size(&run->sizes, &key, counted->accesses);
    }
    fth_keyed_free(&process->sizes);
    free(process);
}

static struct fth_table *activities(const struct sums *sums)
{
    struct fth_table *table = fth_table_new(&activity_shape);
    int64_t whole = 0;
    for (int i = 0; i < FTH_ACTIVITIES; i++)
        FTH_ADD_SATURATING(whole, sums->time[i]);
    for (int i = 0; i < FTH_ACTIVITIES; i++) {
        struct fth_cell key = fth_cell_text(activity_names[i]);
        if (!sums->calls[i])
            continue;
        size_t row = fth_table_group(table, &key);
        fth_table_increase(table, row, A_CALLS, sums->calls[i]);
        fth_table_increase(table, row, A_TIME, (uint64_t)sums->time[i]);
        fth_table_set(table, row, A_SHARE,
                      fth_finding_percent((uint64_t)sums->time[i], (uint64_t)whole));
    }
    fth_table_sort_by_sum(table, (size_t[]){A_TIME}, 1);
    return table;
}

/* How many sizes of the same layer and direction are more frequent, or as frequent and came
 * before. */
static uint32_t rank_of(const struct fth_keyed *sizes, uint32_t number, uint64_t *all)
{
    const struct size_key key = key_of(sizes, number);
    const struct counted *counted = fth_keyed_item(sizes, number);
    uint32_t rank = 0;
    *all = 0;
    for (uint32_t i = 0; i < fth_keyed_count(sizes); i++) {
        const struct size_key other = key_of(sizes, i);
        const struct counted *more = fth_keyed_item(sizes, i);
        if (other.layer != key.layer || other.writes != key.writes)
            continue;
        *all += more->accesses;
        rank += more->accesses > counted->accesses ||
                (more->accesses == counted->accesses && other.bytes < key.bytes);
    }
    return rank;
}

static struct fth_table *common_sizes(const struct run *run)
{
    struct fth_table *table = fth_table_new(&size_shape);
    for (uint32_t i = 0; i < fth_keyed_count(&run->sizes); i++) {
        const struct size_key key = key_of(&run->sizes, i);
        const struct counted *counted = fth_keyed_item(&run->sizes, i);
        uint64_t all;
        if (rank_of(&run->sizes, i, &all) >= COMMON)
            continue;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, S_LAYER, fth_cell_text(run->survey->classes->layers[key.layer]));
        fth_table_set(table, row, S_DOES, fth_cell_text(key.writes ? "writes" : "reads"));
        fth_table_increase(table, row, S_BYTES, key.bytes);
        fth_table_increase(table, row, S_ACCESSES, counted->accesses);
        fth_table_set(table, row, S_SHARE, fth_finding_percent(counted->accesses, all));
    }
    fth_table_sort_by_sum(table, (size_t[]){S_ACCESSES}, 1);
    return table;
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    fth_results_add(results, activities(&run->sums));
    fth_table_sort_by_sum(run->programs, (size_t[]){P_LIFE}, 1);
    fth_results_add(results, run->programs);
    fth_results_add(results, common_sizes(run));
    fth_keyed_free(&run->sizes);
    free(run);
}

const struct fth_pass fth_pass_activity = {
    "activity", begin, open_process,         call, merge, finish, each, NULL,
    NULL,       NULL,  fth_pass_takes_rounds};
