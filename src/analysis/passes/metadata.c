/* Metadata: which calls on names and attributes there are and who makes them, files that are opened again and again, and openings that take some processes much longer than others.
 *
 * Only calls that are not inside another call of I/O are somebody's decision; the census has all of them, by the layer that made them. */
#include "analysis/passes/passes.h"

#include "analysis/passes/telling.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

enum column { FUNC, LAYER, BY, CALLS, FAILED, TIME };
static const struct fth_column columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"by", "made by", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"metadata", "Metadata, and who asked for it", columns, 6, 3};

enum { BY_PROGRAM = UINT16_MAX, MOST_OPENERS = 1 << 16 };

struct census_key {
    uint32_t function;
    uint16_t by, unused;
};
struct census {
    uint64_t calls, errors;
    int64_t time;
};

struct file_key {
    uint32_t file;
    uint16_t layer; /* of the call that was asked */
    uint16_t unused;
};
struct handling {
    uint64_t opens, transfers, bytes;
    int64_t open_time, metadata_time, transfer_time;
    int64_t first_open_time, first_open; /* its duration, its start */
    uint64_t overlapping;                /* opens while the file was open already */
    int64_t now_open;
    bool writes, reads;                   /* how it is opened */
    struct fth_example example, heaviest; /* opening; call of metadata */
    uint64_t metadata, objects;           /* calls; those about something in the file */
};

/* A constructor that is called again and again. */
struct setup {
    uint64_t calls;
    int64_t time;
    struct fth_example example;
};

struct process {
    size_t proc;
    const struct fth_works *works;
    struct fth_keyed census, files;
    struct setup *setups; /* by function */
};

/* A file over all processes. */
struct shared {
    uint64_t processes, reopeners, opens, metadata, objects, transfers, bytes;
    int64_t open_time, metadata_time, transfer_time, severity;
    struct fth_example example, heaviest;
    size_t opener_count; /* of those whose first opening is kept */
    int64_t *durations;
    size_t slowest;
    struct fth_example slowest_example;
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed census, files;
    struct setup *setups;
    uint64_t *most_setups; /* by one process */
    uint64_t most_files;   /* that one process opens */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->census.size = sizeof(struct census);
    run->files.size = sizeof(struct shared);
    run->setups = fth_new(survey->works->count + 1, sizeof *run->setups);
    run->most_setups = fth_new(survey->works->count + 1, sizeof *run->most_setups);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->works = run->survey->works;
    process->census.size = sizeof(struct census);
    process->files.size = sizeof(struct handling);
    process->setups = fth_new(process->works->count + 1, sizeof *process->setups);
    return process;
}

/* ---- a process ---- */

static bool is_metadata(const struct fth_work *work)
{
    return work->io && !work->data && work->kind != FTH_WORK_SEEK && work->kind != FTH_WORK_POLL &&
           work->kind != FTH_WORK_MAP;
}

static void count(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    struct census_key key = {frame->work->index, above ? above->work->layer : BY_PROGRAM, 0};
    struct census *census = fth_keyed_get(&process->census, &key, sizeof key);
    census->calls++;
    census->errors += frame->failed;
    census->time += frame->end - frame->start;
}

static void handle_open(struct handling *handling, const struct fth_frame *frame, int64_t time)
{
    if (!handling->opens) {
        handling->first_open = frame->start;
        handling->first_open_time = time;
    }
    handling->opens++;
    handling->open_time += time;
    handling->overlapping += handling->now_open > 0;
    handling->now_open++;
    handling->writes |= (frame->access & FTH_ACCESS_WRITE) != 0;
    handling->reads |= (frame->access & FTH_ACCESS_READ) != 0;
    fth_example_see(&handling->example, frame);
}

static void handle(struct process *process, const struct fth_frame *frame)
{
    struct file_key key = {frame->file, frame->work->layer, 0};
    struct handling *handling = fth_keyed_get(&process->files, &key, sizeof key);
    int64_t time = frame->end - frame->start;
    if (frame->work->data) {
        handling->transfers++;
        handling->bytes += frame->bytes;
        handling->transfer_time += time;
        return;
    }
    handling->metadata++;
    handling->objects += frame->object;
    handling->metadata_time += time;
    fth_example_see(&handling->heaviest, frame);
    if (frame->object)
        return;
    if (frame->work->kind == FTH_WORK_OPEN)
        handle_open(handling, frame, time);
    else if (frame->work->kind == FTH_WORK_CLOSE && handling->now_open)
        handling->now_open--;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->function->builds && !frame->around) {
        struct setup *setup = &process->setups[frame->work->index];
        setup->calls++;
        setup->time += frame->end - frame->start;
        fth_example_see(&setup->example, frame);
    }
    if (!frame->work->io)
        return;
    if (is_metadata(frame->work))
        count(process, frame);
    if (frame->file != FTH_NO_FILE && !frame->failed && !frame->of_library &&
        fth_frame_asked(frame) == frame)
        handle(process, frame);
}

/* ---- all of them ---- */

static void merge_file(struct run *run, const struct process *process, struct file_key key,
                       const struct handling *handling)
{
    struct shared *shared = fth_keyed_get(&run->files, &key, sizeof key);
    bool again = (double)handling->opens >= fth_threshold_of(run->survey, FTH_THRESHOLD_REOPENED) &&
                 handling->overlapping * 2 < handling->opens;
    shared->processes++;
    shared->opens += handling->opens;
    shared->metadata += handling->metadata;
    shared->objects += handling->objects;
    shared->transfers += handling->transfers;
    shared->bytes += handling->bytes;
    shared->open_time += handling->open_time;
    shared->metadata_time += handling->metadata_time;
    shared->transfer_time += handling->transfer_time;
    if (again) {
        shared->reopeners++;
        shared->severity += (int64_t)((double)handling->metadata_time *
                                      (double)(handling->opens - 1) / (double)handling->opens);
    }
    fth_example_merge(&shared->example, &handling->example);
    fth_example_merge(&shared->heaviest, &handling->heaviest);
    if (!handling->opens || shared->opener_count == MOST_OPENERS)
        return;
    FTH_GROW(shared->durations, shared->opener_count);
    shared->durations[shared->opener_count++] = handling->first_open_time;
    if (handling->first_open_time >= shared->slowest_example.time) {
        shared->slowest_example = handling->example;
        shared->slowest = process->proc;
    }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < fth_keyed_count(&process->census); i++) {
        const struct census *more = fth_keyed_item(&process->census, i);
        struct census *census = fth_keyed_get(&run->census, fth_keyed_key(&process->census, i),
                                              sizeof(struct census_key));
        census->calls += more->calls;
        census->errors += more->errors;
        census->time += more->time;
    }
    uint64_t opened = 0;
    for (uint32_t i = 0; i < fth_keyed_count(&process->files); i++) {
        struct file_key key;
        memcpy(&key, fth_keyed_key(&process->files, i), sizeof key);
        key.file = files[key.file];
        opened += !run->survey->files[key.file].noise &&
                  ((const struct handling *)fth_keyed_item(&process->files, i))->opens;
        merge_file(run, process, key, fth_keyed_item(&process->files, i));
    }
    if (opened > run->most_files)
        run->most_files = opened;
    for (size_t i = 0; i < process->works->count; i++) {
        run->setups[i].calls += process->setups[i].calls;
        run->setups[i].time += process->setups[i].time;
        fth_example_merge(&run->setups[i].example, &process->setups[i].example);
        if (process->setups[i].calls > run->most_setups[i])
            run->most_setups[i] = process->setups[i].calls;
    }
    fth_keyed_free(&process->census);
    fth_keyed_free(&process->files);
    free(process->setups);
    free(process);
}

/* ---- findings ---- */

static void find_reopened(const struct run *run, struct fth_results *results, uint32_t file,
                          const struct shared *shared)
{
    int64_t all = shared->metadata_time + shared->transfer_time;
    bool shows = all > 0 && (double)shared->metadata_time >=
                                fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all;
    if (!shared->reopeners || !shared->transfers || !shows ||
        !fth_is_worth(run->survey, shared->severity))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->example, "opened_again",
                 "A file is opened again and again", shared->severity);
    finding->ranks.total = shared->reopeners;
    fth_finding_say(
        finding,
        "%s by %s, with %s in all; %.0f %% of the time on it is opening, closing and the like.",
        FTH_SEVERAL(shared->opens, "opening", "openings"),
        FTH_SEVERAL(shared->reopeners, "process", "processes"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"),
        100 * (double)shared->metadata_time / (double)all);
    fth_finding_advise(finding, "Open it once at the start and close it at the end.");
}

/* Many calls of metadata on one file that is not opened again. */
static void find_heavy(const struct run *run, struct fth_results *results, uint32_t file,
                       const struct shared *shared)
{
    int64_t all = shared->metadata_time + shared->transfer_time;
    if (shared->reopeners ||
        (double)shared->metadata < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        !shared->transfers ||
        (double)shared->metadata_time <
            fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all ||
        !fth_is_worth(run->survey, shared->metadata_time))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->heaviest, "metadata_heavy",
                 "Much of the time on a file is metadata", shared->metadata_time);
    finding->ranks.total = shared->processes;
    fth_finding_say(
        finding,
        "%s that open, close, ask and set, and %s: %.0f %% of the time on the file is no transfer.",
        FTH_SEVERAL(shared->metadata, "call", "calls"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"),
        100 * (double)shared->metadata_time / (double)all);
    fth_finding_advise(
        finding, "%s",
        shared->objects ? "Fewer and larger objects, attributes together, collective metadata "
                          "(H5Pset_coll_metadata_write, H5Pset_all_coll_metadata_ops), fewer "
                          "closings; the table of metadata tells which calls."
                        : "Ask, lock and set less often; the table of metadata tells which calls.");
}

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static void find_uneven(const struct run *run, struct fth_results *results, uint32_t file,
                        const struct shared *shared)
{
    if (shared->opener_count < 2 ||
        (double)shared->opener_count * 2 < (double)run->survey->rank_count)
        return;
    qsort(shared->durations, shared->opener_count, sizeof *shared->durations, compare);
    int64_t median = shared->durations[shared->opener_count / 2],
            longest = shared->durations[shared->opener_count - 1], severity = 0;
    for (size_t i = 0; i < shared->opener_count; i++)
        severity += shared->durations[i] - shared->durations[0];
    if ((double)longest < fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN) * (double)median ||
        !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->slowest_example, "uneven_opening",
                 "Opening takes some processes much longer", severity);
    finding->ranks.total = shared->opener_count;
    fth_finding_say(finding, "%s open the file; it takes %s in the middle and %s at most.",
                    FTH_SEVERAL(shared->opener_count, "process", "processes"), FTH_TIME(median),
                    FTH_TIME(longest));
    fth_finding_advise(
        finding,
        "Let fewer processes open it: a collective opening, or one process that reads and sends.");
}

/* Metadata is most of what is done to many files. */
static void find_storm(const struct run *run, struct fth_results *results)
{
    uint64_t files = 0, opens = 0;
    int64_t metadata = 0, transfers = 0;
    struct fth_example example = {0};
    uint32_t example_file = FTH_NO_FILE;
    for (uint32_t i = 0; i < fth_keyed_count(&run->files); i++) {
        struct file_key key;
        const struct shared *shared = fth_keyed_item(&run->files, i);
        memcpy(&key, fth_keyed_key(&run->files, i), sizeof key);
        if (run->survey->files[key.file].noise || !shared->opens)
            continue;
        files++;
        opens += shared->opens;
        metadata += shared->metadata_time;
        transfers += shared->transfer_time;
        if (!example.known || shared->example.time > example.time)
            example_file = key.file;
        fth_example_merge(&example, &shared->example);
    }
    if ((double)run->most_files < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)metadata < fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) *
                               (double)(metadata + transfers) ||
        !fth_is_worth(run->survey, metadata))
        return;
    struct fth_finding *finding = fth_tell(run->survey, results, example_file, &example,
                                           "many_files", "Many small files", metadata);
    finding->files.total = files;
    fth_finding_say(
        finding,
        "%s are opened %s times; %.0f %% of the time on them is opening, closing and the like.",
        FTH_SEVERAL(files, "file", "files"), FTH_COUNT(opens),
        100 * (double)metadata / (double)(metadata + transfers));
    fth_finding_advise(finding, "Fewer and larger files: a container (HDF5, NetCDF, tar, SQLite), "
                                "or a local copy for the time of the run.");
}

static void find_setups(const struct run *run, struct fth_results *results)
{
    for (size_t i = 0; i < run->survey->works->count; i++) {
        const struct setup *setup = &run->setups[i];
        if ((double)run->most_setups[i] < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
            !fth_is_worth(run->survey, setup->time))
            continue;
        const char *name = fth_trace_function(run->survey->trace, i)->name;
        struct fth_finding *finding =
            fth_tell(run->survey, results, FTH_NO_FILE, &setup->example, "repeated_set_up",
                     "Set up again and again", setup->time);
        fth_finding_say(finding, "%s is called %s times, up to %s times by one process.", name,
                        FTH_COUNT(setup->calls), FTH_COUNT(run->most_setups[i]));
        fth_finding_advise(finding, "Make it once before the loop and use it again.");
    }
}

/* ---- the table ---- */

static void add_census(const struct run *run, struct fth_table *table)
{
    for (uint32_t i = 0; i < fth_keyed_count(&run->census); i++) {
        struct census_key key;
        const struct census *census = fth_keyed_item(&run->census, i);
        memcpy(&key, fth_keyed_key(&run->census, i), sizeof key);
        const struct fth_function *function = fth_trace_function(run->survey->trace, key.function);
        struct fth_cell cells[] = {fth_cell_text(function->name), fth_cell_text(function->layer),
                                   fth_cell_text(key.by == BY_PROGRAM
                                                     ? "the program"
                                                     : run->survey->works->layers[key.by])};
        size_t row = fth_table_group(table, cells);
        fth_table_increase(table, row, CALLS, census->calls);
        fth_table_increase(table, row, FAILED, census->errors);
        fth_table_increase(table, row, TIME, (uint64_t)census->time);
    }
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    add_census(run, table);
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    for (uint32_t i = 0; i < fth_keyed_count(&run->files); i++) {
        struct file_key key;
        struct shared *shared = fth_keyed_item(&run->files, i);
        memcpy(&key, fth_keyed_key(&run->files, i), sizeof key);
        if (!run->survey->files[key.file].noise) {
            find_reopened(run, results, key.file, shared);
            find_heavy(run, results, key.file, shared);
            find_uneven(run, results, key.file, shared);
        }
        free(shared->durations);
    }
    find_storm(run, results);
    find_setups(run, results);
    fth_keyed_free(&run->census);
    fth_keyed_free(&run->files);
    free(run->setups);
    free(run->most_setups);
    free(run);
}

const struct fth_pass fth_pass_metadata = {"metadata", begin, open_process, call, merge, finish};
