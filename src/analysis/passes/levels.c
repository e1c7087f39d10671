/* From layer to layer: what the data calls of each function become below, on the files of the
 * system.
 *
 * For each file and function: how many calls of the system one of its calls needs (fan-out), how
 * many bytes those move beyond the ones asked for (amplification, data sieving, read before write),
 * whether all processes that ask also reach the system or some do it for others (aggregation,
 * collective buffering), and what the messages in between take. */
#include "analysis/survey/run_files.h"
#include "analysis/passes/levels.h"

#include "analysis/passes/passes.h"
#include "base/indexed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

enum column {
    FILE_PATH,
    FILE_HOST,
    FUNC,
    LAYER,
    PROCESSES,
    REACH,
    CALLS,
    BYTES,
    BELOW_CALLS,
    BELOW_BYTES,
    FAN,
    AMPLIFIED,
    TIME,
    BELOW_TIME,
    MESSAGES
};
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"reach", "that reach the system", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"system_calls", "system calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"system_bytes", "system bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"fan_out", "per call", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
    {"amplification", "system bytes per byte", FTH_UNIT_RATIO, FTH_SHOW_UNLESS_NULL},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"system_time", "system time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "in messages", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"levels", "What data calls became in the system", columns,
                                       sizeof columns / sizeof *columns, 0};

struct process {
    struct fth_indexed levels; /* of struct fth_level, by file and index of the function */
    struct fth_speed best[2];  /* of reads, of writes */
    double small;              /* FTH_THRESHOLD_SMALL */
    size_t proc;
    uint64_t bytes; /* that it moved on the system */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed levels;  /* of struct fth_level, by file and index of the function */
    struct fth_indexed streams; /* of struct fth_level_stream, by file and whether it is written */
    struct fth_speed best[2];   /* of reads, of writes */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->levels.size = sizeof(struct fth_level);
    run->streams.size = sizeof(struct fth_level_stream);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->small = fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    process->levels.size = sizeof(struct fth_level);
    process->proc = proc;
    return process;
}

static void add_moved(struct fth_moved *sum, const struct fth_moved *more)
{
    sum->calls += more->calls;
    sum->bytes += more->bytes;
    FTH_ADD_SATURATING(sum->time, more->time);
}

/* A library was asked to do it together, and asks MPI-IO for each process by itself. */
static void note_split(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    if (!frame->collective && fth_frame_has_group(frame) && above && above->collective &&
        above->class->data && above->file.number != FTH_NO_FILE) {
        struct fth_level *level =
            fth_indexed_get(&process->levels, above->file.number, above->class->index);
        level->split += frame->calls;
    }
}

/* It may fill the buffer of a stream. */
static bool seeks(const struct fth_call_class *class)
{
    return class->stream && class->kind == FTH_CALLS_SEEK;
}

static void see_small(struct fth_level_small *small, const struct fth_frame *frame)
{
    small->calls += frame->calls;
    small->asked += fth_frame_asked(frame) == frame ? frame->calls : 0;
    small->bytes += frame->data.bytes;
    FTH_ADD_SATURATING(small->time, frame->times.all);
    fth_sizes_add(&small->sizes, frame->data.bytes / frame->calls, frame->calls);
    fth_example_see(&small->example, frame);
}

static void add_small(struct fth_level_small *sum, struct fth_level_small *more)
{
    sum->calls += more->calls;
    sum->asked += more->asked;
    sum->bytes += more->bytes;
    FTH_ADD_SATURATING(sum->time, more->time);
    fth_sizes_merge(&sum->sizes, &more->sizes);
    fth_sizes_free(&more->sizes);
    fth_example_merge(&sum->example, &more->example);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if ((!frame->class->data && !seeks(frame->class)) || frame->of_library || frame->failed ||
        frame->file.number == FTH_NO_FILE)
        return;
    if (frame->class->system) {
        fth_speed_add(&process->best[frame->writes], frame->data.best.bytes, frame->data.best.time);
        return;
    }
    note_split(process, frame);
    struct fth_level *level =
        fth_indexed_get(&process->levels, frame->file.number, frame->class->index);
    level->calls += frame->calls;
    level->bytes += frame->data.bytes;
    level->ranges += frame->data.ranges;
    FTH_ADD_SATURATING(level->time, frame->times.all);
    FTH_ADD_SATURATING(level->messages, frame->times.messages);
    for (int writes = 0; writes < 2; writes++)
        add_moved(&level->below[writes], &frame->data.below[writes]);
    level->views += frame->data.through_view ? frame->calls : 0;
    level->together += frame->collective ? frame->calls : 0;
    level->groups += fth_frame_has_group(frame) ? frame->calls : 0;
    level->alike += frame->data.alike;
    level->asked += fth_frame_asked(frame) == frame ? frame->calls : 0;
    if (frame->class->buffered && !frame->class->stream &&
        (double)(frame->data.bytes / frame->calls) < process->small)
        see_small(&level->small, frame);
    fth_example_see(&level->example, frame);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->levels.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&process->levels, i);
        struct fth_level *more = fth_indexed_item(&process->levels, i);
        struct fth_level *level = fth_indexed_get(&run->levels, files[entry->number], entry->sort);
        level->calls += more->calls;
        level->bytes += more->bytes;
        level->ranges += more->ranges;
        FTH_ADD_SATURATING(level->time, more->time);
        FTH_ADD_SATURATING(level->messages, more->messages);
        level->views += more->views;
        level->together += more->together;
        level->groups += more->groups;
        level->alike += more->alike;
        level->asked += more->asked;
        level->split += more->split;
        add_small(&level->small, &more->small);
        level->processes++;
        level->reach += more->below[0].calls + more->below[1].calls > 0;
        for (int writes = 0; writes < 2; writes++)
            add_moved(&level->below[writes], &more->below[writes]);
        fth_example_merge(&level->example, &more->example);
    }
    for (int writes = 0; writes < 2; writes++)
        fth_speed_add(&run->best[writes], process->best[writes].bytes, process->best[writes].time);
    fth_indexed_free(&process->levels);
    free(process);
}

/* Are the bytes on the system known to be for those that the function moved? */
static bool knows_surplus(const struct fth_level_story *story)
{
    const struct fth_level_stream *stream = story->stream;
    return !stream ||
           (!stream->vague && stream->functions == 1 && stream->below.calls == story->system_calls);
}

static void add_row(struct fth_table *table, const struct fth_level_story *story)
{
    const struct fth_level *level = story->level;
    size_t row = fth_table_add_row(table);
    fth_run_files_put(table, row, FILE_PATH, &story->survey->files[story->file]);
    fth_table_set(table, row, FUNC, fth_cell_text(story->function->name));
    fth_table_set(table, row, LAYER, fth_cell_text(story->function->layer));
    const uint64_t counts[] = {level->processes, level->reach,        level->calls,
                               level->bytes,     story->system_calls, story->system_bytes};
    for (size_t i = 0; i < 6; i++)
        fth_table_increase(table, row, PROCESSES + i, counts[i]);
    fth_table_set(table, row, FAN,
                  (struct fth_cell){.type = FTH_CELL_REAL,
                                    .real = fth_share(story->system_calls, level->calls)});
    if (level->bytes && knows_surplus(story))
        fth_table_set(table, row, AMPLIFIED,
                      (struct fth_cell){.type = FTH_CELL_REAL,
                                        .real = fth_share(story->system_bytes, level->bytes)});
    fth_table_set(table, row, TIME, fth_cell_integer(level->time));
    fth_table_set(table, row, BELOW_TIME, fth_cell_integer(story->system_time));
    fth_table_set(table, row, MESSAGES, fth_cell_integer(level->messages));
}

static void add_to_stream(struct fth_level_stream *stream, const struct fth_level *level,
                          const struct fth_call_class *class, bool writes)
{
    const struct fth_moved *below = &level->below[writes];
    add_moved(&stream->below, below);
    if (!stream->most || below->bytes > stream->most->below[writes].bytes)
        stream->most = level;
    if (!class->data)
        return;
    stream->functions++;
    stream->bytes += level->bytes;
    stream->vague |= !level->bytes || class->refills;
    if (!stream->first || level->bytes > stream->first->bytes)
        stream->first = level;
}

static void sum_streams_up(struct run *run)
{
    for (uint32_t i = 0; i < run->levels.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->levels, i);
        const struct fth_level *level = fth_indexed_item(&run->levels, i);
        const struct fth_call_class *class = &run->survey->classes->list[entry->sort];
        for (int writes = 0; writes < 2; writes++)
            if (class->stream && (seeks(class) || writes == (class->kind == FTH_CALLS_WRITE)))
                add_to_stream(fth_indexed_get(&run->streams, entry->number, (uint64_t)writes),
                              level, class, writes);
    }
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_results_table_of_files(results, &shape);
    sum_streams_up(run);
    for (uint32_t i = 0; i < run->levels.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->levels, i);
        uint32_t file = entry->number;
        const struct fth_level *level = fth_indexed_item(&run->levels, i);
        const struct fth_call_class *class = &run->survey->classes->list[entry->sort];
        bool writes = class->kind == FTH_CALLS_WRITE;
        const struct fth_moved *below = &level->below[writes];
        struct fth_level_story story = {
            .survey = run->survey,
            .best = run->best,
            .results = results,
            .file = file,
            .function = fth_trace_function(run->survey->trace, entry->sort),
            .writes = writes,
            .level = level,
            .system_calls = below->calls,
            .system_bytes = below->bytes,
            .system_time = below->time,
            .stream = class->stream ? fth_indexed_get(&run->streams, file, writes) : NULL,
        };
        if (run->survey->files[file].noise || !class->data)
            continue;
        add_row(table, &story);
        fth_level_find(&story);
    }
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    for (uint32_t i = 0; i < run->levels.count; i++)
        fth_sizes_free(&((struct fth_level *)fth_indexed_item(&run->levels, i))->small.sizes);
    fth_indexed_free(&run->streams);
    fth_indexed_free(&run->levels);
    free(run);
}

const struct fth_pass fth_pass_levels = {
    "levels", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,     NULL,  fth_pass_takes_rounds};
