/* Patterns of access: for each file and layer, how the accesses of each process follow one another, how large they are, and how processes share the file.
 *
 * Of two accesses of a process to a file, one after the other, the second is *consecutive* if it begins where the first one ended, *monotonic* if it begins behind that, and else *random*
 * (Chen Wang, Parallel File System with Tunable Consistency, 2022, 4.6: local view; the first access counts as consecutive). Monotonic and random ones are *strided* if they are as far behind the beginning of the one before
 * as that was behind its own. Findings are about the uppermost layer that says where its bytes are. */
#include "analysis/passes/passes.h"

#include "analysis/passes/sizes.h"
#include "analysis/passes/telling.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum column {
    FILE_PATH,
    LAYER,
    RANKS,
    READS,
    WRITES,
    READ,
    WRITTEN,
    MEDIAN,
    CONSECUTIVE,
    STRIDED,
    MONOTONIC,
    RANDOM,
    STRIDE,
    UNALIGNED,
    TIME,
    SHARED
};
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"median", "median", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"consecutive", "in a row", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"strided", "strided", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"monotonic", "forward", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"random", "random", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"stride", "stride", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"unaligned", "unaligned", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_NULL},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"shared", "how shared", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"patterns", "How files were accessed", columns,
                                       sizeof columns / sizeof *columns, 0};

struct key {
    uint32_t file;
    uint16_t layer, of_stream; /* of_stream: what a stream of stdio does to its descriptor */
};

/* What accesses of one process to a file on one layer, or of all of them, add up to. */
struct pattern {
    uint64_t count[2], bytes[2]; /* reads, writes */
    uint64_t first[2], behind[2];
    uint64_t consecutive, strided, monotonic, random, ranges;
    uint64_t placed, unaligned; /* of those whose file has blocks that matter */
    uint64_t top;               /* made inside of no other call that says where its bytes are */
    uint64_t alone;             /* not collective, on a file that a group has open */
    uint64_t together; /* collective calls: what they do with small pieces is their own matter */
    uint64_t stride;   /* of the last strided ones; strides differ: UINT64_MAX */
    int64_t time;
    struct fth_sizes sizes;
    struct fth_speed best;
    struct fth_example example;
};

struct sequence {
    struct pattern pattern;
    bool begun;
    uint64_t last, next; /* where the one before began, and ended */
    int64_t distance;    /* between the beginnings of the last two */
};

struct process {
    size_t proc;
    struct fth_keyed sequences; /* of struct sequence */
    struct fth_speed best;
};

/* A file on one layer, over all processes. */
struct shared {
    struct pattern all;
    uint64_t processes, readers, writers;
    struct pattern worst;             /* of the process that spent most time */
    bool interlocked;                 /* the bytes of processes lie between those of others */
    uint64_t hull_first, hull_behind; /* of the process before */
    uint64_t repeated;                /* bytes that processes read more than once, at least */
    uint64_t everybody; /* bytes that were read by one process and had been by another, at least */
    uint64_t most_read; /* by one process, of the hull */
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed shared; /* of struct shared, by struct key with files of the run */
    struct fth_speed best;
};

/* ---- a process ---- */

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->shared.size = sizeof(struct shared);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->sequences.size = sizeof(struct sequence);
    return process;
}

static bool is_top(const struct fth_frame *frame)
{
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (around->ranges)
            return false;
    return true;
}

static void follow(struct sequence *sequence, const struct fth_frame *frame)
{
    struct pattern *pattern = &sequence->pattern;
    int64_t distance = (int64_t)(frame->first - sequence->last);
    bool consecutive = !sequence->begun || frame->first == sequence->next;
    pattern->consecutive += consecutive;
    if (!consecutive) {
        bool strided = distance == sequence->distance && distance != 0;
        pattern->strided += strided;
        pattern->monotonic += !strided && frame->first > sequence->next;
        pattern->random += !strided && frame->first < sequence->next;
        if (strided && distance > 0)
            pattern->stride = !pattern->stride || pattern->stride == (uint64_t)distance
                                  ? (uint64_t)distance
                                  : UINT64_MAX;
    }
    sequence->distance = sequence->begun ? distance : 0;
    sequence->last = frame->first;
    sequence->next = frame->behind;
    sequence->begun = true;
}

static void widen(struct pattern *pattern, int writes, uint64_t first, uint64_t behind)
{
    bool none = pattern->behind[writes] <= pattern->first[writes];
    if (none || first < pattern->first[writes])
        pattern->first[writes] = first;
    if (none || behind > pattern->behind[writes])
        pattern->behind[writes] = behind;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->ranges || frame->file == FTH_NO_FILE || frame->of_library || frame->failed ||
        !frame->bytes || frame->behind <= frame->first)
        return;
    int writes = frame->writes;
    struct key key = {frame->file, frame->work->layer,
                      frame->around && frame->around->work->stream};
    struct sequence *sequence = fth_keyed_get(&process->sequences, &key, sizeof key);
    struct pattern *pattern = &sequence->pattern;
    follow(sequence, frame);
    pattern->count[writes]++;
    pattern->bytes[writes] += frame->bytes;
    widen(pattern, writes, frame->first, frame->behind);
    pattern->ranges += frame->ranges;
    pattern->time += frame->end - frame->start;
    pattern->top += is_top(frame);
    pattern->together += frame->collective;
    pattern->alone += !frame->collective && frame->group_size > 1;
    if (frame->block) {
        pattern->placed++;
        pattern->unaligned += frame->first % frame->block != 0;
    }
    fth_sizes_add(&pattern->sizes, frame->bytes / frame->ranges);
    fth_speed_add(&process->best, frame->bytes, frame->end - frame->start);
    fth_example_see(&pattern->example, frame);
}

/* ---- all of them ---- */

static void add(struct pattern *sum, const struct pattern *more)
{
    for (int writes = 0; writes < 2; writes++) {
        sum->count[writes] += more->count[writes];
        sum->bytes[writes] += more->bytes[writes];
        if (more->count[writes])
            widen(sum, writes, more->first[writes], more->behind[writes]);
    }
    sum->consecutive += more->consecutive;
    sum->strided += more->strided;
    sum->monotonic += more->monotonic;
    sum->random += more->random;
    sum->ranges += more->ranges;
    sum->placed += more->placed;
    sum->unaligned += more->unaligned;
    sum->top += more->top;
    sum->alone += more->alone;
    sum->together += more->together;
    if (more->stride)
        sum->stride = !sum->stride || sum->stride == more->stride ? more->stride : UINT64_MAX;
    sum->time += more->time;
    fth_sizes_merge(&sum->sizes, &more->sizes);
}

/* Bytes of one direction that were accessed more than once: a process that moves more bytes than lie between its first and its last one has. */
static uint64_t surplus(const struct pattern *pattern, int writes)
{
    uint64_t hull = pattern->behind[writes] - pattern->first[writes];
    return pattern->bytes[writes] > hull ? pattern->bytes[writes] - hull : 0;
}

static void compare_hulls(struct shared *shared, const struct pattern *pattern)
{
    int writes = pattern->count[1] > 0;
    uint64_t first = pattern->first[writes], behind = pattern->behind[writes];
    if (shared->processes && first < shared->hull_behind && shared->hull_first < behind)
        shared->interlocked = true;
    shared->hull_first = first;
    shared->hull_behind = behind;
}

static void add_process(struct shared *shared, const struct pattern *pattern)
{
    uint64_t read = pattern->bytes[0] - surplus(pattern, 0);
    compare_hulls(shared, pattern);
    shared->processes++;
    shared->readers += pattern->count[0] > 0;
    shared->writers += pattern->count[1] > 0;
    shared->repeated += surplus(pattern, 0);
    shared->everybody += read < shared->most_read ? read : shared->most_read;
    shared->most_read = read > shared->most_read ? read : shared->most_read;
    if (pattern->time >= shared->worst.time)
        shared->worst = *pattern;
    add(&shared->all, pattern);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < fth_keyed_count(&process->sequences); i++) {
        struct key key;
        memcpy(&key, fth_keyed_key(&process->sequences, i), sizeof key);
        key.file = files[key.file];
        const struct sequence *sequence = fth_keyed_item(&process->sequences, i);
        add_process(fth_keyed_get(&run->shared, &key, sizeof key), &sequence->pattern);
    }
    fth_speed_add(&run->best, process->best.bytes, process->best.time);
    fth_keyed_free(&process->sequences);
    free(process);
}

/* ---- the table ---- */

static uint64_t accesses(const struct pattern *pattern)
{
    return pattern->count[0] + pattern->count[1];
}

/* "shared, strided cyclic": X-Y classes are about all files, see sharing.c. */
static const char *how_shared(const struct run *run, const struct shared *shared)
{
    const struct pattern *all = &shared->all;
    if (run->survey->process_count < 2)
        return NULL;
    if (shared->processes == 1)
        return "by one";
    if (!shared->interlocked)
        return "in segments";
    if (all->stride && all->stride != UINT64_MAX &&
        fth_share(all->strided + all->consecutive, accesses(all)) > 0.8)
        return "strided cyclic";
    return shared->writers ? "mixed" : "all read the same";
}

static void add_row(struct fth_table *table, const struct run *run, const struct key *key,
                    const struct shared *shared)
{
    const struct pattern *all = &shared->all;
    uint64_t count = accesses(all);
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, FILE_PATH, fth_cell_text(run->survey->files[key->file].path));
    fth_table_set(table, row, LAYER, fth_cell_text(run->survey->works->layers[key->layer]));
    const uint64_t counts[] = {shared->processes, all->count[0], all->count[1],
                               all->bytes[0],     all->bytes[1], fth_sizes_median(&all->sizes)};
    for (size_t i = 0; i < 6; i++)
        fth_table_increase(table, row, RANKS + i, counts[i]);
    fth_table_set(table, row, CONSECUTIVE, fth_percent(all->consecutive, count));
    fth_table_set(table, row, STRIDED, fth_percent(all->strided, count));
    fth_table_set(table, row, MONOTONIC, fth_percent(all->monotonic, count));
    fth_table_set(table, row, RANDOM, fth_percent(all->random, count));
    if (all->stride && all->stride != UINT64_MAX)
        fth_table_increase(table, row, STRIDE, all->stride);
    if (all->placed)
        fth_table_set(table, row, UNALIGNED, fth_percent(all->unaligned, all->placed));
    fth_table_set(table, row, TIME, fth_cell_integer(all->time));
    fth_table_set(table, row, SHARED, fth_cell_text(how_shared(run, shared)));
}

/* ---- findings ---- */

static struct fth_finding *tell(const struct run *run, struct fth_results *results,
                                const struct key *key, const struct shared *shared,
                                const char *kind, const char *title, int64_t severity)
{
    struct fth_finding *finding =
        fth_tell(run->survey, results, key->file, &shared->worst.example, kind, title, severity);
    finding->ranks.total = shared->processes;
    return finding;
}

/* What small accesses cost beyond their bytes. */
static int64_t cost_of_number(const struct run *run, const struct pattern *pattern)
{
    int64_t needed = fth_speed_time(&run->best, pattern->bytes[0] + pattern->bytes[1]);
    return pattern->time > needed ? pattern->time - needed : 0;
}

static void find_small(const struct run *run, struct fth_results *results, const struct key *key,
                       const struct shared *shared)
{
    const struct pattern *all = &shared->all;
    uint64_t count = accesses(all), median = fth_sizes_median(&all->sizes);
    double scattered = 1 - fth_share(all->consecutive, count);
    int64_t severity = cost_of_number(run, all);
    const char *layer = run->survey->works->layers[key->layer],
               *verb = all->count[1] > all->count[0] ? "writes" : "reads";
    if (2 * all->together > count ||
        (double)accesses(&shared->worst) < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        (double)median >= fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL) ||
        !fth_is_worth(run->survey, severity))
        return;
    if (key->of_stream) {
        struct fth_finding *finding = tell(run, results, key, shared, "small_stdio_buffer",
                                           "Buffers of stdio are small", severity);
        fth_finding_say(finding, "%s %s of about %s leave the buffers of streams one by one.",
                        FTH_COUNT(count), verb, FTH_BYTES(median));
        fth_finding_advise(finding, "A larger buffer, setvbuf(stream, NULL, _IOFBF, 1 << 20) "
                                    "before the first use, or fewer fflush.");
        return;
    }
    if (scattered >= fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD)) {
        bool alone =
            fth_share(all->alone, count) > 0.5 && shared->processes > 1 && shared->interlocked;
        struct fth_finding *finding =
            alone ? tell(run, results, key, shared, "independent_instead_of_collective",
                         "Independent instead of collective I/O", severity)
                  : tell(run, results, key, shared, "small_accesses",
                         "Many small accesses here and there", severity);
        fth_finding_say(finding,
                        "%s %s of about %s on layer %s by %s, %.0f %% of them not where the one "
                        "before ended%s.",
                        FTH_COUNT(count), verb, FTH_BYTES(median), layer,
                        FTH_SEVERAL(shared->processes, "process", "processes"), 100 * scattered,
                        alone ? "; the pieces of processes lie between one another, and each "
                                "process accesses its own by itself"
                              : "");
        if (alone)
            fth_finding_advise(
                finding, "Set a file view for the pieces of a process and use the collective call "
                         "(its name ends in _all): it makes few large accesses of all of them.");
        else
            fth_finding_advise(
                finding, "%s",
                shared->processes > 1
                    ? "Collective I/O, or gather pieces in memory and access them together."
                    : "Gather pieces in memory and access them together, or change the layout so "
                      "that they lie in a row.");
        return;
    }
    struct fth_finding *finding =
        tell(run, results, key, shared, "small_in_a_row", "Many small accesses in a row", severity);
    fth_finding_say(finding, "%s %s of about %s on layer %s, each where the one before ended.",
                    FTH_COUNT(count), verb, FTH_BYTES(median), layer);
    fth_finding_advise(finding, "A buffer in between: stdio, or one access of many pieces.");
}

static void find_unaligned(const struct run *run, struct fth_results *results,
                           const struct key *key, const struct shared *shared)
{
    const struct pattern *all = &shared->all;
    if ((double)all->placed < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) ||
        fth_share(all->unaligned, all->placed) <
            fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) ||
        !shared->writers || shared->processes < 2)
        return;
    int64_t severity = (int64_t)((double)all->time * fth_share(all->unaligned, all->placed) / 2);
    if (!fth_is_worth(run->survey, severity))
        return;
    uint64_t block = run->survey->files[key->file].place.stripe_size;
    block = block ? block : run->survey->files[key->file].place.system->block_size;
    struct fth_finding *finding =
        tell(run, results, key, shared, "unaligned", "Accesses are not aligned", severity);
    fth_finding_say(
        finding,
        "%.0f %% of %s begin within a block or stripe of %s: two of them may need the same one.",
        100 * fth_share(all->unaligned, all->placed),
        FTH_SEVERAL(all->placed, "access", "accesses"), FTH_BYTES(block));
    fth_finding_advise(
        finding, "Begin the parts of processes at multiples of it (H5Pset_alignment, "
                 "nc_set_alignment, striping_unit), or set the stripe size to that of the parts.");
}

static void find_repeated(const struct run *run, struct fth_results *results, const struct key *key,
                          const struct shared *shared)
{
    const struct pattern *all = &shared->all;
    if (!all->bytes[0] || shared->writers)
        return;
    if (fth_share(shared->repeated, all->bytes[0]) >=
        fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD)) {
        int64_t severity =
            (int64_t)((double)all->time * fth_share(shared->repeated, all->bytes[0]));
        if (!fth_is_worth(run->survey, severity))
            return;
        struct fth_finding *finding = tell(run, results, key, shared, "read_again",
                                           "The same bytes are read again", severity);
        fth_finding_say(finding, "%s of %s were read before by the same process.",
                        FTH_BYTES(shared->repeated), FTH_BYTES(all->bytes[0]));
        fth_finding_advise(finding, "Keep them in memory.");
        return;
    }
    int64_t severity = (int64_t)((double)all->time * fth_share(shared->everybody, all->bytes[0]));
    if (shared->readers < 2 ||
        fth_share(shared->everybody, all->bytes[0]) <
            fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) ||
        !shared->interlocked || run->survey->rank_count < 2 || !fth_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding = tell(run, results, key, shared, "read_by_all",
                                       "All processes read the same bytes", severity);
    fth_finding_say(finding, "%s read %s in all of %s that there are.",
                    FTH_SEVERAL(shared->readers, "process", "processes"), FTH_BYTES(all->bytes[0]),
                    FTH_BYTES(all->behind[0] - all->first[0]));
    fth_finding_advise(
        finding,
        "Let one process read and send it to the others (MPI_Bcast), or a collective read.");
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t i = 0; i < fth_keyed_count(&run->shared); i++) {
        struct key key;
        const struct shared *shared = fth_keyed_item(&run->shared, i);
        memcpy(&key, fth_keyed_key(&run->shared, i), sizeof key);
        if (run->survey->files[key.file].noise)
            continue;
        add_row(table, run, &key, shared);
        if (2 * shared->all.top < accesses(&shared->all)) /* those above are told */
            continue;
        find_small(run, results, &key, shared);
        find_unaligned(run, results, &key, shared);
        find_repeated(run, results, &key, shared);
    }
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    fth_keyed_free(&run->shared);
    free(run);
}

const struct fth_pass fth_pass_patterns = {"patterns", begin, open_process, call, merge, finish};
