/* Metadata: which calls on names and attributes there are and who makes them, files that are opened again and again, and openings that take some processes much longer than others.
 *
 * Only calls that are not inside another call of I/O are somebody's decision; the census has all of them, by the layer that made them. */
#include "analysis/passes/passes.h"

#include "analysis/sizes.h"
#include "analysis/passes/knobs.h"
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
    int64_t metadata_time, transfer_time;
    int64_t first_open_time;
    int64_t own_time;            /* of metadata, without messages: waits for other processes */
    int64_t own_open, own_close; /* the same of the first opening, of the last closing */
    uint64_t overlapping;        /* opens while the file was open already */
    int64_t now_open;
    bool writes, reads;                   /* how it is opened */
    struct fth_example example, heaviest; /* opening; call of metadata */
    uint64_t metadata, objects;           /* calls; those about something in the file */
    uint64_t bytes_read, deletions;
};

struct process {
    struct fth_keyed census, files;
    struct fth_speed best;
};

/* A file over all processes. */
struct shared {
    uint64_t processes, reopeners, opens, metadata, objects, transfers, bytes;
    uint64_t bytes_read, deletions;
    int64_t metadata_time, transfer_time, severity;
    int64_t
        spared; /* of the time of metadata that is not messages: beyond one opening and one closing by each process */
    struct fth_example example, heaviest;
    size_t opener_count; /* of those whose first opening is kept */
    int64_t *durations;
    struct fth_example slowest_example;
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed census, files;
    struct fth_speed best;
    uint64_t most_files; /* that one process opens */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->census.size = sizeof(struct census);
    run->files.size = sizeof(struct shared);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->census.size = sizeof(struct census);
    process->files.size = sizeof(struct handling);
    return process;
}

/* ---- a process ---- */

static bool is_metadata(const struct fth_work *work)
{
    return FTH_WORKS_METADATA >> work->kind & 1;
}

static void count(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    struct census_key key = {frame->work->index, above ? above->work->layer : BY_PROGRAM, 0};
    struct census *census = fth_keyed_get(&process->census, &key, sizeof key);
    census->calls += frame->calls;
    census->errors += frame->failed ? frame->calls : 0;
    census->time += frame->time;
}

static void handle_open(struct handling *handling, const struct fth_frame *frame, int64_t time)
{
    if (!handling->opens) {
        handling->first_open_time = time;
        handling->own_open = time - frame->messages;
    }
    handling->opens++;
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
    int64_t time = frame->time;
    if (frame->work->data) {
        handling->transfers += frame->calls;
        handling->bytes += frame->bytes;
        handling->bytes_read += frame->writes ? 0 : frame->bytes;
        handling->transfer_time += time;
        fth_speed_add(&process->best, frame->best.bytes, frame->best.time);
        return;
    }
    if (!is_metadata(frame->work) || frame->locks)
        return;
    handling->metadata += frame->calls;
    handling->objects += frame->object ? frame->calls : 0;
    handling->metadata_time += time;
    handling->own_time += time - frame->messages;
    handling->deletions += frame->work->kind == FTH_WORK_DELETE;
    fth_example_see(&handling->heaviest, frame);
    if (frame->object)
        return;
    if (frame->work->kind == FTH_WORK_OPEN) {
        handle_open(handling, frame, time);
    } else if (frame->work->kind == FTH_WORK_CLOSE && handling->now_open) {
        handling->now_open--;
        handling->own_close = time - frame->messages;
    }
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->work->io)
        return;
    if (is_metadata(frame->work))
        count(process, frame);
    if (frame->file != FTH_NO_FILE && !frame->failed && !frame->of_library &&
        fth_frame_asked(frame) == frame)
        handle(process, frame);
}

/* ---- all of them ---- */

/* What more openings, closings and other metadata cost than one opening and one closing. Waits for other processes are told as such. */
static int64_t spared(const struct handling *handling)
{
    int64_t time = handling->own_time - handling->own_open - handling->own_close;
    return time > 0 ? time : 0;
}

static void merge_file(struct run *run, struct file_key key, const struct handling *handling)
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
    shared->bytes_read += handling->bytes_read;
    shared->deletions += handling->deletions;
    shared->spared += spared(handling);
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
    if (handling->first_open_time >= shared->slowest_example.time)
        shared->slowest_example = handling->example;
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
        merge_file(run, key, fth_keyed_item(&process->files, i));
    }
    if (opened > run->most_files)
        run->most_files = opened;
    fth_speed_add(&run->best, process->best.bytes, process->best.time);
    fth_keyed_free(&process->census);
    fth_keyed_free(&process->files);
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
    finding->works = FTH_WORKS_METADATA;
    fth_finding_advise(
        finding, "%s",
        shared->deletions * 2 > shared->opens
            ? "It is deleted in between: keep it, and truncate it or write over it (SQLite: PRAGMA "
              "journal_mode=TRUNCATE, or WAL), or need it less often (larger transactions)."
            : "Open it once at the start and close it at the end.");
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
        !fth_is_worth(run->survey, shared->spared))
        return;
    struct fth_finding *finding =
        fth_tell(run->survey, results, file, &shared->heaviest, "metadata_heavy",
                 "Much of the time on a file is metadata", shared->spared);
    finding->works = FTH_WORKS_METADATA;
    finding->ranks.total = shared->processes;
    fth_finding_say(
        finding,
        "%s that open, close, ask and set, and %s: %.0f %% of the time on the file is no transfer.",
        FTH_SEVERAL(shared->metadata, "call", "calls"),
        FTH_SEVERAL(shared->transfers, "transfer", "transfers"),
        100 * (double)shared->metadata_time / (double)all);
    struct fth_knobs knobs = fth_knobs_of(run->survey);
    fth_finding_advise(finding, "%s The table of metadata tells which calls.",
                       fth_knob(&knobs, shared->heaviest.asked->layer, FTH_KNOB_OBJECTS));
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
    finding->works = FTH_WORK_BIT(FTH_WORK_OPEN);
    fth_finding_say(finding, "%s open the file; it takes %s in the middle and %s at most.",
                    FTH_SEVERAL(shared->opener_count, "process", "processes"), FTH_TIME(median),
                    FTH_TIME(longest));
    fth_finding_advise(
        finding,
        "Let fewer processes open it: a collective opening, or one process that reads and sends.");
}

/* Files that are small, or on which much of the time is no transfer: an archive that is made of them is none of them. */
struct storm {
    uint64_t files, read_files, opens, bytes;
    int64_t metadata, transfers;
    struct fth_example example;
    uint32_t example_file;
};

static bool is_in_storm(const struct run *run, const struct shared *shared)
{
    double metadata = (double)shared->metadata_time, all = metadata + (double)shared->transfer_time;
    return (double)shared->bytes < fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL) ||
           metadata >= fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * all;
}

static struct storm sum_up(const struct run *run)
{
    struct storm storm = {.example_file = FTH_NO_FILE};
    for (uint32_t i = 0; i < fth_keyed_count(&run->files); i++) {
        struct file_key key;
        const struct shared *shared = fth_keyed_item(&run->files, i);
        memcpy(&key, fth_keyed_key(&run->files, i), sizeof key);
        if (run->survey->files[key.file].noise || !shared->opens || !is_in_storm(run, shared))
            continue;
        storm.files++;
        storm.opens += shared->opens;
        storm.bytes += shared->bytes;
        storm.read_files += 2 * shared->bytes_read > shared->bytes;
        storm.metadata += shared->metadata_time;
        storm.transfers += shared->transfer_time;
        if (!storm.example.known || shared->example.time > storm.example.time)
            storm.example_file = key.file;
        fth_example_merge(&storm.example, &shared->example);
    }
    return storm;
}

static void find_storm(const struct run *run, struct fth_results *results)
{
    struct storm storm = sum_up(run);
    int64_t all = storm.metadata + storm.transfers,
            needed = fth_speed_time(&run->best, storm.bytes);
    bool small = storm.files && (double)storm.bytes / (double)storm.files <
                                    fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    /* what reading or writing small files takes beyond their bytes is theirs, too */
    int64_t severity = small && storm.transfers > needed ? all - needed : storm.metadata;
    if ((double)run->most_files < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)severity < fth_threshold_of(run->survey, FTH_THRESHOLD_METADATA) * (double)all ||
        !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding = fth_tell(run->survey, results, storm.example_file, &storm.example,
                                           "many_files", "Many small files", severity);
    finding->files.total = storm.files;
    finding->any_file = true;
    fth_finding_say(
        finding,
        "%s of %s are opened %s times; each costs %s, %.0f %% of it for opening, closing "
        "and the like.",
        FTH_SEVERAL(storm.files, "file", "files"), FTH_BYTES(storm.bytes / storm.files),
        FTH_COUNT(storm.opens), FTH_TIME(all / (int64_t)storm.files),
        100 * (double)storm.metadata / (double)all);
    fth_finding_advise(
        finding, "%s",
        2 * storm.read_files > storm.files
            ? "Go through them several at once (a process or thread for each folder). If they are "
              "read more often: one container instead (HDF5, SQLite, SquashFS, an archive that is "
              "read as it is), or a copy on storage of the node."
            : "One container instead of them (HDF5, NetCDF, SQLite, an archive that is read as it "
              "is); else several at once in folders of their own, or storage of the node.");
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
    fth_keyed_free(&run->census);
    fth_keyed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_metadata = {"metadata", begin,  open_process, call,
                                           merge,      finish, NULL};
