/* Calls that move nothing and still hold a program up: those that make data safe on disk, those
 * that ask for locks of files, and those that ask again and again whether a message has come. */
#include "analysis/survey/run_files.h"
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/keyed.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { FILE_PATH, FILE_HOST, WHAT, FUNC, PROCESSES, CALLS, FAILED, TIME };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"what", "what", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"stalls", "Syncs, flushes, locks and polling", columns,
                                       sizeof columns / sizeof *columns, 0};

enum what { SYNCS, FLUSHES, LOCKS, TESTS, WHATS };
static const char *const what_words[WHATS] = {"syncs", "flushes", "locks", "tests"};

struct key {
    uint32_t file; /* FTH_NO_FILE: none */
    uint32_t function;
    uint32_t what;
};
struct sum {
    uint64_t calls, failed, processes;
    uint64_t maps, mapped; /* of syncs: calls that are about maps, and bytes of these */
    uint64_t made_safe;    /* of syncs: bytes that the process had written to what they sync */
    int64_t time;
    bool in_parts; /* of locks, in a finding: some may be of parts of files */
    struct fth_example example;
};

struct process {
    struct fth_keyed sums;
    struct fth_indexed unsafe; /* of uint64_t, by file: bytes written since it was last synced */
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed sums;
    uint64_t most[WHATS]; /* calls by one process */
    uint64_t processes[WHATS];
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
    process->unsafe.size = sizeof(uint64_t);
    return process;
}

/* Itself, if it is in no other one. */
static const struct fth_frame *outermost_sync(const struct fth_frame *frame)
{
    const struct fth_frame *outermost = frame;
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (around->class->kind == FTH_CALLS_SYNC)
            outermost = around;
    return outermost;
}

/* WHATS: none of them. */
static enum what what_of(const struct fth_frame *frame)
{
    const struct fth_call_class *class = frame->class;
    /* what a library empties by itself (nc_close) is no decision of the program */
    if (class->kind == FTH_CALLS_SYNC && class->buffered && fth_frame_asked(frame) != frame)
        return WHATS;
    if (class->kind == FTH_CALLS_SYNC && !class->stream && outermost_sync(frame) == frame &&
        (class->buffered || !frame->only_starts))
        return class->buffered ? FLUSHES : SYNCS;
    if (frame->locks)
        return LOCKS;
    const struct fth_frame *around = fth_frame_around(frame);
    bool asked = !around || around->class->region;
    return class->kind == FTH_CALLS_TEST && asked ? TESTS : WHATS;
}

static struct sum *sum_of(struct process *process, const struct fth_frame *frame, enum what what)
{
    struct key key = {frame->file.number, frame->class->index, what};
    return fth_keyed_get(&process->sums, &key, sizeof key);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    enum what what = what_of(frame);
    if (what == WHATS || frame->of_library)
        return;
    struct sum *sum = sum_of(process, frame, what);
    sum->calls += frame->calls;
    sum->maps += frame->class->mapped >= 0 ? frame->calls : 0;
    sum->mapped += frame->data.mapped;
    sum->failed += frame->failed ? frame->calls : 0;
    FTH_ADD_SATURATING(sum->time, frame->times.all);
    fth_example_see(&sum->example, frame);
}

static uint64_t take(uint64_t *unsafe)
{
    uint64_t bytes = *unsafe;
    *unsafe = 0;
    return bytes;
}

/* Bytes that this call makes safe. */
static uint64_t make_safe(struct process *process, const struct fth_frame *frame)
{
    uint64_t bytes = 0;
    if (frame->file.number != FTH_NO_FILE)
        return take(fth_indexed_get(&process->unsafe, frame->file.number, 0));
    for (uint32_t i = 0; fth_frame_syncs_all(frame) && i < process->unsafe.count; i++)
        bytes += take(fth_indexed_item(&process->unsafe, i));
    return bytes;
}

/* So many calls that are as this one. */
static void see(struct process *process, const struct fth_frame *frame, uint64_t calls)
{
    const struct fth_call_class *class = frame->class;
    if (class->system && class->data && frame->writes)
        *(uint64_t *)fth_indexed_get(&process->unsafe, frame->file.number, 0) +=
            frame->data.bytes * calls;
    if (class->kind != FTH_CALLS_SYNC || class->buffered || class->mapped >= 0 ||
        frame->only_starts)
        return;
    uint64_t bytes = make_safe(process, frame);
    const struct fth_frame *asked = outermost_sync(frame);
    if (bytes && what_of(asked) == SYNCS && !asked->of_library)
        sum_of(process, asked, SYNCS)->made_safe += bytes;
}

static void each(void *state, const struct fth_frame *frame)
{
    see(state, frame, frame->calls);
}

static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    for (uint64_t i = 0; i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count && i < turns->frames[k].all->calls; k++)
            see(state, turns->frames[k].first, 1);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    uint64_t calls[WHATS] = {0};
    bool is_seen[WHATS] = {false};
    for (uint32_t i = 0; i < fth_keyed_count(&process->sums); i++) {
        struct key key;
        const struct sum *more = fth_keyed_item(&process->sums, i);
        memcpy(&key, fth_keyed_key(&process->sums, i), sizeof key);
        key.file = key.file == FTH_NO_FILE ? FTH_NO_FILE : files[key.file];
        struct sum *sum = fth_keyed_get(&run->sums, &key, sizeof key);
        sum->calls += more->calls;
        sum->maps += more->maps;
        sum->mapped += more->mapped;
        sum->made_safe += more->made_safe;
        sum->failed += more->failed;
        FTH_ADD_SATURATING(sum->time, more->time);
        sum->processes++;
        fth_example_merge(&sum->example, &more->example);
        calls[key.what] += more->calls;
        is_seen[key.what] |= key.file == FTH_NO_FILE || !run->survey->files[key.file].noise;
    }
    for (int what = 0; what < WHATS; what++) {
        run->most[what] = calls[what] > run->most[what] ? calls[what] : run->most[what];
        run->processes[what] += is_seen[what];
    }
    fth_keyed_free(&process->sums);
    fth_indexed_free(&process->unsafe);
    free(process);
}

/* ---- findings ---- */

struct place {
    int64_t time;
    uint32_t index;
};

static int by_time(const void *one, const void *other)
{
    const struct place *first = one, *second = other;
    if (first->time != second->time)
        return first->time < second->time ? 1 : -1;
    return (first->index > second->index) - (first->index < second->index);
}

/* Those of most time first. To be freed. */
static struct place *places_by_time(const struct run *run)
{
    uint32_t count = fth_keyed_count(&run->sums);
    struct place *places = fth_new(count + 1, sizeof *places);
    for (uint32_t i = 0; i < count; i++)
        places[i] = (struct place){((const struct sum *)fth_keyed_item(&run->sums, i))->time, i};
    qsort(places, count, sizeof *places, by_time);
    return places;
}

/* A lock of a whole file needs a descriptor and what to do. What locks a part needs that, too. */
enum { WHOLE_FILE = 2 };

/* One finding of all calls of a sort, with the functions and files of most time first; NULL: there
 * is nothing to report. */
static struct fth_finding *add_finding(const struct run *run, struct fth_results *results,
                                       enum what what, const char *kind, const char *title,
                                       struct sum *all)
{
    struct fth_finding *finding = NULL;
    struct place *places = places_by_time(run);
    *all = (struct sum){0};
    for (uint32_t k = 0; k < fth_keyed_count(&run->sums); k++) {
        uint32_t i = places[k].index;
        struct key key;
        const struct sum *sum = fth_keyed_item(&run->sums, i);
        memcpy(&key, fth_keyed_key(&run->sums, i), sizeof key);
        if (key.what != what || (key.file != FTH_NO_FILE && run->survey->files[key.file].noise))
            continue;
        const struct fth_function *function = fth_trace_function(run->survey->trace, key.function);
        if (!finding)
            finding =
                fth_finding_write(run->survey, results, FTH_NO_FILE, &sum->example, kind, title, 0);
        all->calls += sum->calls;
        all->maps += sum->maps;
        all->mapped += sum->mapped;
        all->made_safe += sum->made_safe;
        all->failed += sum->failed;
        FTH_ADD_SATURATING(all->time, sum->time);
        all->in_parts |= function->parameter_count > WHOLE_FILE;
        fth_example_merge(&all->example, &sum->example);
        fth_finding_write_file(finding, run->survey, key.file);
        fth_finding_write_example(finding, run->survey, &sum->example);
        fth_finding_list_add(&finding->functions, function->name);
    }
    free(places);
    if (!finding)
        return NULL;
    finding->severity = all->time;
    finding->any_file = true;
    fth_finding_spread(finding, run->processes[what]);
    if (fth_finding_is_worth(run->survey, all->time))
        return finding;
    fth_finding_drop(&results->findings);
    return NULL;
}

static bool are_many(const struct run *run, enum what what)
{
    return (double)run->most[what] >= fth_threshold_of(run->survey, FTH_THRESHOLD_MANY);
}

/* So many times what is worth reporting is worth it for a few calls, too. */
static const double much = 20;

static bool are_worth(const struct run *run, enum what what, int64_t time)
{
    return are_many(run, what) ||
           fth_finding_is_worth(run->survey, fth_saturating_integer((double)time / much));
}

/* What they make safe, of what they sync: ", with 4.00 KiB on average written before each". What
 * other processes of the run wrote there is not counted. Stores to maps are no calls. */
struct made_safe {
    char text[224];
};

static struct made_safe made_safe(const struct run *run, const struct sum *all)
{
    struct made_safe phrase = {""};
    uint64_t others = all->calls - all->maps;
    bool is_alone = fth_trace_process_count(run->survey->trace) == 1;
    int at = 0;
    if (others && all->made_safe)
        at = snprintf(phrase.text, sizeof phrase.text, ", with %s%s written before %s%s",
                      FTH_BYTES(all->made_safe / others), others == 1 ? "" : " on average",
                      all->calls == 1 ? "it" : "each", is_alone ? "" : " by the same process");
    else if (others)
        at = snprintf(phrase.text, sizeof phrase.text,
                      "; no writes of the same process were seen before");
    if (all->maps)
        snprintf(phrase.text + at, sizeof phrase.text - (size_t)at,
                 "%s %s of mapped memory%s; how much of it was changed is unknown",
                 others ? "; syncs of maps cover" : ", for", FTH_BYTES(all->mapped / all->maps),
                 all->maps == 1 ? "" : " on average");
    return phrase;
}

/* Who makes data safe less often than this can hardly do it less often. */
static const uint64_t a_few = 4;

/* SQLite with journal_mode=WAL. */
static bool has_write_ahead_log(const struct fth_finding *finding)
{
    for (size_t i = 0; i < finding->files.count; i++)
        if (fth_text_ends(finding->files.items[i], "-wal"))
            return true;
    return false;
}

static void find_syncs(const struct run *run, struct fth_results *results)
{
    struct sum all;
    bool often = are_many(run, SYNCS);
    struct fth_finding *finding = add_finding(
        run, results, SYNCS, often ? "frequent_sync" : "long_sync",
        often ? "Data is synced to disk very often" : "Syncing data to disk takes long", &all);
    if (!finding)
        return;
    if (!are_worth(run, SYNCS, all.time)) {
        fth_finding_drop(&results->findings);
        return;
    }
    fth_finding_say(finding, "%s (%s%s) %s for the disk: %s%s.",
                    FTH_SEVERAL(all.calls, "call", "calls"), finding->functions.items[0],
                    finding->functions.count > 1 ? " ..." : "", all.calls == 1 ? "waits" : "wait",
                    FTH_EACH(all.time, all.calls, all.example.time), made_safe(run, &all).text);
    fth_finding_advise(
        finding, "%s",
        2 * all.maps > all.calls && all.calls > 1
            ? "Sync more at once: one msync after many stores. Or let a separate thread sync while "
              "the program continues."
        : often && has_write_ahead_log(finding)
            ? "Sync more at once: many changes in one transaction (SQL: BEGIN ... COMMIT). SQLite: "
              "PRAGMA synchronous=NORMAL."
        : often ? "Sync more at once: many changes in one transaction (SQL: BEGIN ... COMMIT), one "
                  "fsync after many writes. SQLite: PRAGMA journal_mode=WAL, synchronous=NORMAL."
        : all.calls >= a_few
            ? "Sync less often, or in a separate thread while the program continues."
            : "Sync in a separate thread while the program continues, or use faster storage.");
}

static void find_flushes(const struct run *run, struct fth_results *results)
{
    struct sum all;
    struct fth_finding *finding =
        add_finding(run, results, FLUSHES, "frequent_flush",
                    are_many(run, FLUSHES) ? "Buffers of a library are flushed often"
                                           : "Flushing the buffers of a library takes long",
                    &all);
    if (!finding)
        return;
    if (!are_worth(run, FLUSHES, all.time)) {
        fth_finding_drop(&results->findings);
        return;
    }
    fth_finding_say(finding, "%s (%s%s) %s out the buffers of the library: %s.",
                    FTH_SEVERAL(all.calls, "call", "calls"), finding->functions.items[0],
                    finding->functions.count > 1 ? " ..." : "", all.calls == 1 ? "writes" : "write",
                    FTH_EACH(all.time, all.calls, all.example.time));
    fth_finding_advise(finding,
                       "Flush once after many writes. Closing the file flushes it as well.");
}

/* Were locks refused, or asked for by several processes on one file? Else nobody of the run waits
 * for anybody. */
static bool are_contended(const struct run *run)
{
    for (uint32_t i = 0; i < fth_keyed_count(&run->sums); i++) {
        struct key key;
        const struct sum *sum = fth_keyed_item(&run->sums, i);
        memcpy(&key, fth_keyed_key(&run->sums, i), sizeof key);
        if (key.what == LOCKS && (sum->failed || sum->processes > 1))
            return true;
    }
    return false;
}

static const char *locks_less(const struct sum *all)
{
    if (all->in_parts)
        return "Lock smaller ranges for shorter times, do several accesses under one lock, or "
               "give each process its own range or file.";
    return "Hold the lock for shorter times, do several accesses under one lock, or give each "
           "process its own file. flock locks whole files; fcntl (F_SETLKW) locks ranges.";
}

static void find_locks(const struct run *run, struct fth_results *results)
{
    struct sum all;
    bool contended = are_contended(run);
    struct fth_finding *finding = add_finding(
        run, results, LOCKS, contended ? "lock_contention" : "frequent_lock",
        contended ? "Processes wait for file locks" : "File locks are requested very often", &all);
    if (!finding)
        return;
    if (!contended && !are_worth(run, LOCKS, all.time)) {
        fth_finding_drop(&results->findings);
        return;
    }
    if (contended)
        fth_finding_say(finding, "Locks are requested %s and refused %s. A call takes %s.",
                        FTH_SEVERAL(all.calls, "time", "times"),
                        FTH_SEVERAL(all.failed, "time", "times"),
                        FTH_EACH(all.time, all.calls, all.example.time));
    else
        fth_finding_say(finding,
                        "Locks are requested %s. A call takes %s. No other process of this run "
                        "locks the same files.",
                        FTH_SEVERAL(all.calls, "time", "times"),
                        FTH_EACH(all.time, all.calls, all.example.time));
    fth_finding_advise(finding, "%s",
                       contended ? locks_less(&all)
                                 : "Hold one lock for several accesses (SQL: one transaction).");
}

static void find_tests(const struct run *run, struct fth_results *results)
{
    struct sum all;
    struct fth_finding *finding =
        are_many(run, TESTS)
            ? add_finding(run, results, TESTS, "polling", "Messages are polled for", &all)
            : NULL;
    if (!finding)
        return;
    finding->of_processors = true;
    fth_finding_say(
        finding, "%s of %s and similar functions keep a processor busy while no message is there.",
        FTH_SEVERAL(all.calls, "call", "calls"), finding->functions.items[0]);
    fth_finding_advise(finding,
                       "Do more work between two tests, or block (MPI_Wait, MPI_Waitany).");
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
            fth_run_files_put(table, row, FILE_PATH, &run->survey->files[key.file]);
        fth_table_set(table, row, WHAT, fth_cell_text(what_words[key.what]));
        fth_table_set(table, row, FUNC,
                      fth_cell_text(fth_trace_function(run->survey->trace, key.function)->name));
        fth_table_increase(table, row, PROCESSES, sum->processes);
        fth_table_increase(table, row, CALLS, sum->calls);
        fth_table_increase(table, row, FAILED, sum->failed);
        fth_table_set(table, row, TIME, fth_cell_integer(sum->time));
    }
    find_syncs(run, results);
    find_flushes(run, results);
    find_locks(run, results);
    find_tests(run, results);
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    fth_keyed_free(&run->sums);
    free(run);
}

const struct fth_pass fth_pass_stalls = {
    "stalls", begin, open_process,         call, merge, finish, each, NULL,
    NULL,     turns, fth_pass_takes_rounds};
