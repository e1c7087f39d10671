/* Calls that move nothing and still hold a program up: those that make data safe on disk, those that ask for locks of files, and those that ask again and again whether a message has
 * come. */
#include "analysis/passes/passes.h"

#include "analysis/passes/telling.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

enum column { FILE_PATH, WHAT, FUNC, PROCESSES, CALLS, FAILED, TIME };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    {"what", "what", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"holdups",
                                       "What made data safe, locked, or asked for messages",
                                       columns, sizeof columns / sizeof *columns, 0};

enum what { SYNCS, LOCKS, TESTS, WHATS };
static const char *const what_words[WHATS] = {"makes safe", "locks", "asks"};

struct key {
    uint32_t file; /* FTH_NO_FILE: none */
    uint32_t function;
    uint32_t what;
};
struct sum {
    uint64_t calls, failed, processes;
    int64_t time;
    struct fth_example example;
};

struct process {
    struct fth_keyed sums;
    uint64_t written; /* bytes, on the system */
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed sums;
    uint64_t written;     /* by processes that make data safe */
    uint64_t most[WHATS]; /* calls by one process */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->sums.size = sizeof(struct sum);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->sums.size = sizeof(struct sum);
    return process;
}

static bool is_inside_sync(const struct fth_frame *frame)
{
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (around->work->kind == FTH_WORK_SYNC)
            return true;
    return false;
}

/* WHATS: none of them. */
static enum what what_of(const struct fth_frame *frame)
{
    const struct fth_work *work = frame->work;
    if (work->kind == FTH_WORK_SYNC && !work->buffered && !is_inside_sync(frame))
        return SYNCS;
    if (frame->locks)
        return LOCKS;
    const struct fth_frame *around = fth_frame_around(frame);
    bool asked = !around || around->work->region;
    return work->kind == FTH_WORK_TEST && asked ? TESTS : WHATS;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    enum what what = what_of(frame);
    if (frame->work->system && frame->writes && !frame->failed)
        process->written += frame->bytes;
    if (what == WHATS || frame->of_library)
        return;
    struct key key = {frame->file, frame->work->index, what};
    struct sum *sum = fth_keyed_get(&process->sums, &key, sizeof key);
    sum->calls += frame->calls;
    sum->failed += frame->failed ? frame->calls : 0;
    sum->time += frame->time;
    fth_example_see(&sum->example, frame);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    uint64_t calls[WHATS] = {0};
    for (uint32_t i = 0; i < fth_keyed_count(&process->sums); i++) {
        struct key key;
        const struct sum *more = fth_keyed_item(&process->sums, i);
        memcpy(&key, fth_keyed_key(&process->sums, i), sizeof key);
        key.file = key.file == FTH_NO_FILE ? FTH_NO_FILE : files[key.file];
        struct sum *sum = fth_keyed_get(&run->sums, &key, sizeof key);
        sum->calls += more->calls;
        sum->failed += more->failed;
        sum->time += more->time;
        sum->processes++;
        fth_example_merge(&sum->example, &more->example);
        calls[key.what] += more->calls;
    }
    for (int what = 0; what < WHATS; what++)
        run->most[what] = calls[what] > run->most[what] ? calls[what] : run->most[what];
    run->written += calls[SYNCS] ? process->written : 0;
    fth_keyed_free(&process->sums);
    free(process);
}

/* ---- findings ---- */

/* One finding of all calls of a sort; NULL: there is nothing to tell. */
static struct fth_finding *tell(const struct run *run, struct fth_results *results, enum what what,
                                const char *kind, const char *title, struct sum *all)
{
    struct fth_finding *finding = NULL;
    *all = (struct sum){0};
    for (uint32_t i = 0; i < fth_keyed_count(&run->sums); i++) {
        struct key key;
        const struct sum *sum = fth_keyed_item(&run->sums, i);
        memcpy(&key, fth_keyed_key(&run->sums, i), sizeof key);
        if (key.what != what || (key.file != FTH_NO_FILE && run->survey->files[key.file].noise))
            continue;
        if (!finding)
            finding = fth_tell(run->survey, results, FTH_NO_FILE, &sum->example, kind, title, 0);
        all->calls += sum->calls;
        all->failed += sum->failed;
        all->time += sum->time;
        fth_tell_file(finding, run->survey, key.file);
        fth_tell_example(finding, run->survey, &sum->example);
        fth_finding_list_add(&finding->functions,
                             fth_trace_function(run->survey->trace, key.function)->name);
    }
    if (!finding)
        return NULL;
    finding->severity = all->time;
    finding->any_file = true;
    if (fth_is_worth(run->survey, all->time))
        return finding;
    fth_finding_drop(&results->findings);
    return NULL;
}

static bool are_many(const struct run *run, enum what what)
{
    return (double)run->most[what] >= fth_threshold_of(run->survey, FTH_THRESHOLD_MANY);
}

static void find_syncs(const struct run *run, struct fth_results *results)
{
    struct sum all;
    struct fth_finding *finding = are_many(run, SYNCS)
                                      ? tell(run, results, SYNCS, "frequent_sync",
                                             "Data is made safe on disk again and again", &all)
                                      : NULL;
    if (!finding)
        return;
    fth_finding_say(finding,
                    "%s (%s ...) wait for the disk, each for %s, and for %s that were written.",
                    FTH_SEVERAL(all.calls, "call", "calls"), finding->functions.items[0],
                    FTH_TIME(all.time / (int64_t)all.calls), FTH_BYTES(run->written / all.calls));
    fth_finding_advise(
        finding,
        "Make more safe at once: many changes in one transaction (SQL: BEGIN ... COMMIT), one "
        "fsync behind many writes; SQLite: PRAGMA journal_mode=WAL, synchronous=NORMAL.");
}

static void find_locks(const struct run *run, struct fth_results *results)
{
    struct sum all;
    struct fth_finding *finding =
        tell(run, results, LOCKS, "lock_contention", "Processes wait for locks of files", &all);
    if (!finding)
        return;
    fth_finding_say(finding, "Locks are asked for %s, %s of them in vain; that takes %s each.",
                    FTH_SEVERAL(all.calls, "time", "times"), FTH_COUNT(all.failed),
                    FTH_TIME(all.time / (int64_t)all.calls));
    fth_finding_advise(finding,
                       "Lock shorter ranges for shorter times, gather several accesses under one "
                       "lock, or give each process a range or a file of its own.");
}

static void find_tests(const struct run *run, struct fth_results *results)
{
    struct sum all;
    struct fth_finding *finding =
        are_many(run, TESTS) ? tell(run, results, TESTS, "polling",
                                    "Asks again and again whether a message has come", &all)
                             : NULL;
    if (!finding)
        return;
    finding->of_processors = true;
    fth_finding_say(finding, "%s of %s and its like, which keep a processor busy meanwhile.",
                    FTH_SEVERAL(all.calls, "call", "calls"), finding->functions.items[0]);
    fth_finding_advise(finding,
                       "Work more between two questions, or wait (MPI_Wait, MPI_Waitany).");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t i = 0; i < fth_keyed_count(&run->sums); i++) {
        struct key key;
        const struct sum *sum = fth_keyed_item(&run->sums, i);
        memcpy(&key, fth_keyed_key(&run->sums, i), sizeof key);
        if (key.file != FTH_NO_FILE && run->survey->files[key.file].noise)
            continue;
        size_t row = fth_table_add_row(table);
        if (key.file != FTH_NO_FILE)
            fth_table_set(table, row, FILE_PATH, fth_cell_text(run->survey->files[key.file].path));
        fth_table_set(table, row, WHAT, fth_cell_text(what_words[key.what]));
        fth_table_set(table, row, FUNC,
                      fth_cell_text(fth_trace_function(run->survey->trace, key.function)->name));
        fth_table_increase(table, row, PROCESSES, sum->processes);
        fth_table_increase(table, row, CALLS, sum->calls);
        fth_table_increase(table, row, FAILED, sum->failed);
        fth_table_set(table, row, TIME, fth_cell_integer(sum->time));
    }
    find_syncs(run, results);
    find_locks(run, results);
    find_tests(run, results);
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    fth_keyed_free(&run->sums);
    free(run);
}

const struct fth_pass fth_pass_holdups = {"holdups", begin,  open_process, call,
                                          merge,     finish, NULL,         NULL};
