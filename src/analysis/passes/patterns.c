/* Patterns of access: for each file and layer, how the accesses of each process follow one another,
 * how large they are, and how processes share the file.
 *
 * Findings are about the uppermost layer that says where its bytes are. */
#include "analysis/survey/run_files.h"
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/pattern_names.h"
#include "base/memory.h"

#include <string.h>

enum column {
    FILE_PATH,
    FILE_HOST,
    LAYER,
    THROUGH,
    RANKS,
    PATTERN, /* FTH_PATTERN_CELLS of them */
    LAST_OF_PATTERN = PATTERN + FTH_PATTERN_CELLS - 1,
    STRIDE,
    UNALIGNED,
    TIME,
    SHARED
};
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"through", "through", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    FTH_PATTERN_COLUMNS,
    {"stride", "stride", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    {"unaligned", "unaligned", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_NULL},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"shared", "how shared", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
};
static const struct fth_shape shape = {"patterns", "Access patterns of files", columns,
                                       sizeof columns / sizeof *columns, 0};

/* Pieces of files whose bytes are kept apart (24 bytes each, but for a few of each file). */
enum { ROOM_OF_PROCESS = 1 << 18, ROOM_OF_RUN = 1 << 20 };

struct process {
    size_t proc;
    double small;                /* bytes: accesses below are small */
    struct fth_pattern_names of; /* its files */
    struct fth_speed best[2];    /* of reads, of writes */
    int64_t room;                /* for what is known of the bytes of files */
};

/* ---- a process ---- */

static void *begin(const struct fth_survey *survey)
{
    struct fth_patterns_run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->shared.size = sizeof(struct fth_patterns);
    run->elsewhere.size = sizeof(unsigned);
    run->followed.size = sizeof(bool);
    run->room = ROOM_OF_RUN;
    run->processes = fth_patterns_processes_new();
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct fth_patterns_run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->small = fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    process->of = fth_pattern_names_none();
    process->room = ROOM_OF_PROCESS;
    return process;
}

static bool is_top(const struct fth_frame *frame)
{
    for (const struct fth_frame *around = fth_frame_around(frame); around;
         around = fth_frame_around(around))
        if (around->data.ranges)
            return false;
    return true;
}

static uint64_t piece_of(const struct fth_frame *frame)
{
    return frame->data.bytes / frame->data.ranges;
}

static bool is_small(const struct process *process, const struct fth_frame *frame)
{
    return (double)piece_of(frame) < process->small;
}

static struct fth_small_accesses *small_of(struct fth_pattern *pattern)
{
    if (!pattern->small)
        pattern->small = fth_new(1, sizeof *pattern->small);
    return pattern->small;
}

/* The first of the calls, or as many as it says, all a step apart. */
static void follow(struct fth_pattern_sequence *sequence, const struct fth_frame *frame,
                   uint64_t first, uint64_t calls, bool small)
{
    struct fth_rhythm_counts *counts = &sequence->pattern.order;
    uint64_t before = counts->consecutive;
    fth_rhythm_follow(&sequence->rhythm, counts, first, frame->data.behind - frame->data.first,
                      calls);
    if (small)
        small_of(&sequence->pattern)->consecutive += counts->consecutive - before;
}

/* The second one may be otherwise far from the first than that from the one before; and the third,
 * of which the second is known, is like all that are behind it. */
static void follow_all(struct fth_pattern_sequence *sequence, const struct fth_frame *frame,
                       bool small)
{
    uint64_t first = frame->data.first, step = (uint64_t)frame->data.step;
    follow(sequence, frame, first, 1, small);
    if (frame->calls > 1)
        follow(sequence, frame, first + step, 1, small);
    if (frame->calls > 2)
        follow(sequence, frame, first + 2 * step, frame->calls - 2, small);
}

static uint64_t unaligned(const struct fth_frame *frame)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < frame->calls; i++)
        count += (frame->data.first + i * (uint64_t)frame->data.step) % frame->file.block != 0;
    return count;
}

/* How many of so many numbers, each `step` behind the one before, are multiples of 2^power. */
static uint64_t multiples(int64_t first, int64_t step, uint64_t count, unsigned power)
{
    for (; power && count; power--) {
        if (step % 2) { /* every second one is even */
            uint64_t odd = (uint64_t)first & 1;
            count = (count - odd + 1) / 2;
            first += odd ? step : 0;
            step *= 2;
        } else if (first & 1) {
            return 0;
        }
        first /= 2;
        step /= 2;
    }
    return count;
}

static void align(struct fth_pattern *pattern, const struct fth_frame *frame)
{
    for (int i = 0; i < FTH_ALIGNMENTS; i++)
        pattern->aligned[i] +=
            frame->calls == 1
                ? (uint64_t)((frame->data.first & (((uint64_t)1 << fth_alignments[i]) - 1)) == 0)
                : multiples((int64_t)frame->data.first, frame->data.step, frame->calls,
                            fth_alignments[i]);
}

static void widen(struct fth_pattern *pattern, int writes, uint64_t first, uint64_t behind)
{
    bool none = pattern->behind[writes] <= pattern->first[writes];
    if (none || first < pattern->first[writes])
        pattern->first[writes] = first;
    if (none || behind > pattern->behind[writes])
        pattern->behind[writes] = behind;
}

static void count_maker(struct fth_makers *makers, const struct fth_function *function,
                        uint64_t accesses)
{
    for (int i = 0; i < FTH_MAKERS; i++) {
        struct fth_maker *maker = &makers->list[i];
        if (maker->function && maker->function != function)
            continue;
        maker->function = function;
        maker->accesses += accesses;
        return;
    }
}

/* What finding small ones takes. */
static void add_small(struct fth_small_accesses *small, const struct fth_frame *frame,
                      bool of_stream)
{
    uint64_t calls = frame->calls;
    small->count[frame->writes] += calls;
    small->bytes[frame->writes] += calls * frame->data.bytes;
    FTH_ADD_SATURATING(small->time, frame->times.all);
    small->together += frame->collective ? calls : 0;
    small->synced += frame->writes && frame->file.synced ? calls : 0;
    small->alone += !frame->collective && fth_frame_has_group(frame) ? calls : 0;
    if (of_stream) {
        enum fth_call_class_kind around = frame->around->class->kind;
        small->closed += around == FTH_CALLS_CLOSE || around == FTH_CALLS_OPEN;
        small->flushed += around == FTH_CALLS_SYNC || around == FTH_CALLS_SEEK;
    }
    fth_sizes_add(&small->sizes, piece_of(frame), calls);
    count_maker(&small->makers, fth_frame_asked(frame)->function, calls);
    fth_example_see(&small->example, frame);
}

static bool is_of_stream(const struct fth_frame *frame)
{
    return frame->around && frame->around->class->stream;
}

static struct fth_pattern_sequence *sequence_of(struct process *process,
                                                const struct fth_frame *frame)
{
    struct fth_pattern_sequence *sequence = fth_indexed_get(
        &process->of.sequences, fth_followed_first(&process->of.names, frame->file.number),
        fth_pattern_sort(frame->class->layer, is_of_stream(frame)));
    sequence->reuse.extents.room = &process->room;
    return sequence;
}

/* Whatever is said of the bytes of the file is said of those of the other accesses. */
static void add_unplaced(struct process *process, const struct fth_frame *frame)
{
    struct fth_pattern_sequence *sequence = sequence_of(process, frame);
    struct fth_pattern *pattern = &sequence->pattern;
    pattern->unplaced[frame->writes] += frame->calls;
    pattern->unplaced_bytes[frame->writes] += frame->calls * frame->data.bytes;
    pattern->system = frame->class->system;
    FTH_ADD_SATURATING(pattern->time, frame->times.all);
    fth_reuse_see_unplaced(&sequence->reuse);
}

/* All but how they follow one another. NULL: they are of no sequence. */
static struct fth_pattern_sequence *add_accesses(struct process *process,
                                                 const struct fth_frame *frame)
{
    if (frame->file.number == FTH_NO_FILE || frame->of_library || frame->failed ||
        !frame->data.bytes)
        return NULL;
    if (frame->data.unplaced && !frame->file.to_others)
        add_unplaced(process, frame);
    if (!frame->data.ranges || frame->data.behind <= frame->data.first)
        return NULL;
    int writes = frame->writes;
    bool of_stream = is_of_stream(frame);
    struct fth_pattern_sequence *sequence = sequence_of(process, frame);
    struct fth_pattern *pattern = &sequence->pattern;
    uint64_t calls = frame->calls, way = (calls - 1) * (uint64_t)frame->data.step;
    align(pattern, frame);
    pattern->count[writes] += calls;
    pattern->bytes[writes] += calls * frame->data.bytes;
    widen(pattern, writes, frame->data.first, frame->data.behind);
    widen(pattern, writes, frame->data.first + way, frame->data.behind + way);
    pattern->ranges += calls * frame->data.ranges;
    FTH_ADD_SATURATING(pattern->time, frame->times.all);
    FTH_ADD_SATURATING(pattern->read_time, writes ? 0 : frame->times.all);
    pattern->system = frame->class->system;
    pattern->top += is_top(frame) ? calls : 0;
    if (is_small(process, frame))
        add_small(small_of(pattern), frame, of_stream);
    if (frame->file.block) {
        pattern->placed += calls;
        pattern->unaligned += unaligned(frame);
    }
    fth_sizes_add(&pattern->sizes, piece_of(frame), calls);
    fth_speed_add(&process->best[frame->writes], frame->data.best.bytes, frame->data.best.time);
    fth_example_see(&pattern->example, frame);
    if (!writes)
        fth_example_see(&pattern->read_example, frame);
    return sequence;
}

static void each(void *state, const struct fth_frame *frame)
{
    struct fth_pattern_sequence *sequence = add_accesses(state, frame);
    if (!sequence)
        return;
    follow_all(sequence, frame, is_small(state, frame));
    fth_reuse_see(&sequence->reuse, frame);
}

static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    struct fth_pattern_sequence *sequences[FTH_MOST_ROUND];
    struct fth_frame calls[FTH_MOST_ROUND];
    for (uint32_t k = 0; k < turns->count; k++) {
        sequences[k] = add_accesses(state, turns->frames[k].all);
        calls[k] = *turns->frames[k].first;
    }
    for (uint64_t i = 0; i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count; k++) {
            const struct fth_frame_in_turn *frame = &turns->frames[k];
            const struct fth_again_time *time = &frame->times[i * turns->apart];
            struct fth_frame *call = &calls[k];
            if (!sequences[k] || i >= frame->all->calls)
                continue;
            call->times.all = call->times.first = time->end - time->start;
            call->times.began = call->times.last = call->times.start = time->start;
            call->times.end = time->end;
            follow(sequences[k], call, call->data.first, 1, is_small(state, call));
            fth_reuse_see(&sequences[k]->reuse, call);
            call->data.first += (uint64_t)frame->all->data.step;
            call->data.behind += (uint64_t)frame->all->data.step;
        }
}

static void call(void *state, const struct fth_frame *frame)
{
    fth_pattern_names_see(&((struct process *)state)->of, frame);
}

static bool rounds(const void *state, const struct fth_frame *frames, uint32_t count)
{
    const struct process *process = state;
    bool changes = false;
    for (uint32_t i = 0; i < count; i++)
        changes |= fth_pattern_names_change(&process->of, &frames[i]);
    return !changes;
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->of.sequences;
}

/* ---- all of them ---- */

static void add_small_ones(struct fth_small_accesses *sum, const struct fth_small_accesses *more)
{
    for (int writes = 0; writes < 2; writes++) {
        sum->count[writes] += more->count[writes];
        sum->bytes[writes] += more->bytes[writes];
    }
    sum->consecutive += more->consecutive;
    sum->alone += more->alone;
    sum->together += more->together;
    sum->flushed += more->flushed;
    sum->closed += more->closed;
    sum->synced += more->synced;
    FTH_ADD_SATURATING(sum->time, more->time);
    fth_sizes_merge(&sum->sizes, &more->sizes);
    for (int i = 0; i < FTH_MAKERS && more->makers.list[i].function; i++)
        count_maker(&sum->makers, more->makers.list[i].function, more->makers.list[i].accesses);
}

void fth_pattern_add(struct fth_pattern *sum, const struct fth_pattern *more)
{
    for (int writes = 0; writes < 2; writes++) {
        sum->count[writes] += more->count[writes];
        sum->bytes[writes] += more->bytes[writes];
        sum->unplaced[writes] += more->unplaced[writes];
        sum->unplaced_bytes[writes] += more->unplaced_bytes[writes];
        if (more->count[writes])
            widen(sum, writes, more->first[writes], more->behind[writes]);
    }
    fth_rhythm_add(&sum->order, &more->order);
    for (int i = 0; i < FTH_ALIGNMENTS; i++)
        sum->aligned[i] += more->aligned[i];
    sum->ranges += more->ranges;
    sum->placed += more->placed;
    sum->unaligned += more->unaligned;
    sum->system |= more->system;
    sum->top += more->top;
    FTH_ADD_SATURATING(sum->time, more->time);
    FTH_ADD_SATURATING(sum->read_time, more->read_time);
    fth_sizes_merge(&sum->sizes, &more->sizes);
    if (more->small)
        add_small_ones(small_of(sum), more->small);
}

void fth_pattern_free(struct fth_pattern *pattern)
{
    fth_sizes_free(&pattern->sizes);
    if (pattern->small)
        fth_sizes_free(&pattern->small->sizes);
    free(pattern->small);
}

/* Bytes of one direction that were accessed more than once: a process that moves more bytes than
 * lie between its first and its last one has. */
static uint64_t surplus(const struct fth_pattern *pattern, int writes)
{
    uint64_t hull = pattern->behind[writes] - pattern->first[writes];
    return pattern->bytes[writes] > hull ? pattern->bytes[writes] - hull : 0;
}

static void compare_hulls(struct fth_patterns *shared, const struct fth_pattern *pattern)
{
    int writes = pattern->count[1] > 0;
    uint64_t first = pattern->first[writes], behind = pattern->behind[writes];
    if (shared->processes && first < shared->hull_behind && shared->hull_first < behind)
        shared->interlocked = true;
    shared->hull_first = first;
    shared->hull_behind = behind;
}

static void see_worst(struct fth_pattern_worst *worst, int64_t time, uint64_t accesses,
                      const struct fth_example *example)
{
    if (time >= worst->time)
        *worst = (struct fth_pattern_worst){time, accesses, *example};
}

static void add_process(struct fth_patterns *shared, const struct fth_pattern *pattern)
{
    uint64_t read = pattern->bytes[0] - surplus(pattern, 0);
    shared->users++;
    if (!fth_pattern_accesses(pattern)) {
        fth_pattern_add(&shared->all, pattern);
        return;
    }
    compare_hulls(shared, pattern);
    shared->processes++;
    shared->readers += pattern->count[0] > 0;
    shared->writers += pattern->count[1] > 0;
    shared->repeated += surplus(pattern, 0);
    shared->everybody += read < shared->most_read ? read : shared->most_read;
    shared->most_read = read > shared->most_read ? read : shared->most_read;
    uint64_t small = fth_small_count(fth_pattern_small(pattern));
    shared->small_users += small > 0;
    see_worst(&shared->worst, pattern->time, fth_pattern_accesses(pattern), &pattern->example);
    if (small)
        see_worst(&shared->worst_small, pattern->small->time, small, &pattern->small->example);
    fth_example_merge(&shared->read_example, &pattern->read_example);
    fth_pattern_add(&shared->all, pattern);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct fth_patterns_run *run = run_state;
    struct process *process = state;
    struct fth_indexed layers = {.size = sizeof(struct fth_pattern)};
    int64_t error = fth_trace_process(run->survey->trace, process->proc)->clock_error;
    for (uint32_t i = 0; i < process->of.sequences.count; i++) {
        struct fth_pattern_key key = fth_pattern_key_at(&process->of.sequences, i);
        struct fth_pattern_sequence *sequence = fth_indexed_item(&process->of.sequences, i);
        bool several_names;
        key.file = files[fth_followed_last(&process->of.names, key.file, &several_names)];
        struct fth_patterns *shared =
            fth_indexed_get(&run->shared, key.file, fth_pattern_sort(key.layer, key.of_stream));
        shared->several_names |= several_names;
        add_process(shared, &sequence->pattern);
        if (!run->survey->files[key.file].noise)
            fth_pattern_add(fth_indexed_get(&layers, key.layer, 0), &sequence->pattern);
        shared->reuse.extents.room = &run->room;
        fth_reuse_add(&shared->reuse, &sequence->reuse, error);
        fth_pattern_free(&sequence->pattern);
    }
    fth_pattern_names_merge(run, &process->of, files);
    fth_patterns_processes_add(run->processes, run->survey, process->proc, &layers);
    for (uint32_t i = 0; i < layers.count; i++)
        fth_pattern_free(fth_indexed_item(&layers, i));
    fth_indexed_free(&layers);
    for (int writes = 0; writes < 2; writes++)
        fth_speed_add(&run->best[writes], process->best[writes].bytes, process->best[writes].time);
    fth_pattern_names_free(&process->of);
    free(process);
}

/* ---- the table ---- */

static void add_row(struct fth_table *table, const struct fth_patterns_run *run,
                    const struct fth_pattern_key *key, const struct fth_patterns *shared)
{
    const struct fth_pattern *all = &shared->all;
    size_t row = fth_table_add_row(table);
    fth_run_files_put(table, row, FILE_PATH, &run->survey->files[key->file]);
    fth_table_set(table, row, LAYER, fth_cell_text(run->survey->classes->layers[key->layer]));
    fth_table_set(table, row, THROUGH, fth_cell_text(fth_patterns_through(key)));
    fth_table_increase(table, row, RANKS, shared->users);
    fth_pattern_put(table, row, PATTERN, all);
    if (all->order.stride && all->order.stride != UINT64_MAX)
        fth_table_increase(table, row, STRIDE, all->order.stride);
    if (all->placed)
        fth_table_set(table, row, UNALIGNED, fth_finding_percent(all->unaligned, all->placed));
    fth_table_set(table, row, TIME, fth_cell_integer(all->time));
    if (shared->users == shared->processes)
        fth_table_set(table, row, SHARED, fth_cell_text(fth_patterns_shared(run, shared)));
}

static void finish(void *state, struct fth_results *results)
{
    struct fth_patterns_run *run = state;
    struct fth_table *table = fth_results_table_of_files(results, &shape);
    struct fth_patterns_together tables = fth_patterns_together_new(results);
    struct fth_patterns_sizes sizes = fth_patterns_sizes_new(results);
    fth_pattern_names_tell_apart(run);
    for (uint32_t i = 0; i < run->shared.count; i++) {
        const struct fth_pattern_key key = fth_pattern_key_at(&run->shared, i);
        const struct fth_patterns *shared = fth_indexed_item(&run->shared, i);
        if (run->survey->files[key.file].noise)
            continue;
        add_row(table, run, &key, shared);
        fth_patterns_together_add(&tables, results, run, &key, shared);
        if (!fth_pattern_accesses(&shared->all))
            continue;
        fth_patterns_sizes_add(&sizes, run, &key, &shared->all);
        if (2 * shared->all.top < fth_pattern_accesses(&shared->all)) /* those above are reported */
            continue;
        fth_patterns_find(run, results, &key, shared);
    }
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    fth_results_add(results, run->processes);
    fth_patterns_together_end(&tables, results);
    fth_patterns_sizes_end(&sizes, results);
    for (uint32_t i = 0; i < run->shared.count; i++) {
        struct fth_patterns *shared = fth_indexed_item(&run->shared, i);
        fth_extents_empty(&shared->reuse.extents);
        fth_pattern_free(&shared->all);
    }
    fth_indexed_free(&run->shared);
    fth_indexed_free(&run->elsewhere);
    fth_indexed_free(&run->followed);
    free(run);
}

const struct fth_pass fth_pass_patterns = {"patterns", begin,   open_process, call,  merge, finish,
                                           each,       by_file, NULL,         turns, rounds};
