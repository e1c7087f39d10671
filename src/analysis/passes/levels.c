/* From layer to layer: what the data calls of each function become below, on the files of the
 * system.
 *
 * For each file and function: how many calls of the system one of its calls needs (fan-out), how
 * many bytes those move beyond the ones asked for (amplification, data sieving, read before write),
 * whether all processes that ask also reach the system or some do it for others (aggregation,
 * collective buffering), and what the messages in between take. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/extents/access_sizes.h"
#include "analysis/passes/tuning_hints.h"
#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"

#include <string.h>

enum column {
    FILE_PATH,
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

struct level {
    uint64_t calls, bytes, ranges; /* of the function */
    int64_t time, messages;
    struct fth_moved below[2];
    uint64_t views;    /* calls through a file view with holes */
    uint64_t together; /* collective calls */
    uint64_t alike;    /* calls that became one of the system with the same bytes */
    uint64_t groups;   /* calls on a file that a group has open */
    uint64_t processes, reach;
    uint64_t split; /* calls that are not collective inside of collective ones */
    uint64_t asked; /* of the calls: by the program itself */
    struct small {
        uint64_t calls, asked, bytes;
        int64_t time;
        struct fth_sizes sizes;
        struct fth_example example;
    } small; /* small calls of libraries with arrays */
    struct fth_example example;
};

/* The functions of stdio that read a file, or write it. They share buffers: what one of them moves
 * on the system may be for another one, or for one that seeks. */
struct stream {
    uint64_t functions, bytes; /* that move bytes; that these moved */
    bool vague;                /* of some it is not known how many */
    struct fth_moved below;    /* of these and of those that seek */
    const struct level *first; /* the one that moved most */
    const struct level *most;  /* the one that moved most on the system */
};

struct process {
    struct fth_indexed levels; /* of struct level, by file and index of the function */
    struct fth_speed best;
    double small; /* FTH_THRESHOLD_SMALL */
    size_t proc;
    uint64_t bytes; /* that it moved on the system */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed levels;  /* of struct level, by file and index of the function */
    struct fth_indexed streams; /* of struct stream, by file and whether it is written */
    struct fth_speed best;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->levels.size = sizeof(struct level);
    run->streams.size = sizeof(struct stream);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->small = fth_threshold_of(run->survey, FTH_THRESHOLD_SMALL);
    process->levels.size = sizeof(struct level);
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
        struct level *level =
            fth_indexed_get(&process->levels, above->file.number, above->class->index);
        level->split += frame->calls;
    }
}

/* It may fill the buffer of a stream. */
static bool seeks(const struct fth_call_class *class)
{
    return class->stream && class->kind == FTH_CALLS_SEEK;
}

static void see_small(struct small *small, const struct fth_frame *frame)
{
    small->calls += frame->calls;
    small->asked += fth_frame_asked(frame) == frame ? frame->calls : 0;
    small->bytes += frame->data.bytes;
    FTH_ADD_SATURATING(small->time, frame->times.all);
    fth_sizes_add(&small->sizes, frame->data.bytes / frame->calls, frame->calls);
    fth_example_see(&small->example, frame);
}

static void add_small(struct small *sum, struct small *more)
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
        fth_speed_add(&process->best, frame->data.best.bytes, frame->data.best.time);
        return;
    }
    note_split(process, frame);
    struct level *level =
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
        struct level *more = fth_indexed_item(&process->levels, i);
        struct level *level = fth_indexed_get(&run->levels, files[entry->number], entry->sort);
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
    fth_speed_add(&run->best, process->best.bytes, process->best.time);
    fth_indexed_free(&process->levels);
    free(process);
}

/* ---- findings ---- */

struct story {
    const struct run *run;
    struct fth_results *results;
    uint32_t file;
    const struct fth_function *function;
    bool writes;
    const struct level *level;
    uint64_t system_calls, system_bytes; /* in the direction of the function */
    int64_t system_time;
    const struct stream *stream; /* of functions of stdio; else NULL */
};

static struct fth_finding *add_finding(const struct story *story, const char *kind,
                                       const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_write(story->run->survey, story->results, story->file,
                                                    &story->level->example, kind, title, severity);
    fth_finding_spread(finding, story->level->processes);
    finding->classes = FTH_WORKS_MOVING;
    return finding;
}

/* Time on the system beyond what so many bytes need. */
static int64_t excess(const struct story *story, uint64_t bytes)
{
    int64_t needed = fth_speed_time(&story->run->best, bytes);
    return story->system_time > needed ? story->system_time - needed : 0;
}

static void find_fan_out(const struct story *story)
{
    const struct level *level = story->level;
    double fan = fth_share(story->system_calls, level->calls);
    uint64_t mean = level->bytes / level->calls,
             mean_below = story->system_calls ? story->system_bytes / story->system_calls : 0;
    int64_t severity = excess(story, story->system_bytes);
    if (fan < fth_threshold_of(story->run->survey, FTH_THRESHOLD_FAN) || mean_below >= mean ||
        (double)story->system_calls < fth_threshold_of(story->run->survey, FTH_THRESHOLD_MANY) ||
        level->reach < level->processes || !fth_finding_is_worth(story->run->survey, severity))
        return;
    struct fth_finding *finding =
        add_finding(story, "fan_out", "One call becomes many system calls", severity);
    fth_finding_say(finding, "%s of %s, of %s%s, %s %s of the system, of %s on average.",
                    FTH_SEVERAL(level->calls, "call", "calls"), story->function->name,
                    FTH_BYTES(mean), level->calls == 1 ? "" : " on average",
                    level->calls == 1 ? "becomes" : "become",
                    FTH_SEVERAL(story->system_calls, "call", "calls"), FTH_BYTES(mean_below));
    fth_finding_advise(finding, "%s",
                       level->ranges > 2 * level->calls
                           ? "The bytes of a call are not contiguous. Use a collective call, or "
                             "change the layout of the file or of its chunks."
                           : fth_tuning_hint(story->run->survey, story->results, &level->example,
                                             story->file, story->function->layer, FTH_HINT_BUFFER));
}

static void find_surplus(const struct story *story)
{
    const struct level *level = story->level;
    double most = 1 + fth_threshold_of(story->run->survey, FTH_THRESHOLD_AMPLIFIED);
    if (!level->bytes || (double)story->system_bytes <= most * (double)level->bytes ||
        level->together)
        return;
    uint64_t surplus = story->system_bytes - level->bytes;
    double useless = fth_share(surplus, story->system_bytes);
    int64_t surplus_time = fth_saturating_integer((double)story->system_time * useless);
    uint64_t saved = level->ranges > story->system_calls ? level->ranges - story->system_calls : 0;
    int64_t gain =
        story->system_calls
            ? (int64_t)saved * (excess(story, story->system_bytes) / (int64_t)story->system_calls)
            : 0;
    bool sieving = level->views || level->ranges > level->calls;
    if (sieving && gain > surplus_time) {
        struct fth_finding *finding =
            add_finding(story, "data_sieving", "Data sieving is at work", gain);
        finding->effective = true;
        fth_finding_say(finding, "%s transfers %s to access %s, and saves %s of the system.",
                        story->function->name, FTH_BYTES(story->system_bytes),
                        FTH_BYTES(level->bytes), FTH_SEVERAL(saved, "call", "calls"));
        return;
    }
    /* a library unpacks, converts and copies all that it has read for the few bytes that were asked
     * for */
    if (!sieving && (double)level->time * useless > (double)surplus_time)
        surplus_time = fth_saturating_integer((double)level->time * useless);
    if (!fth_finding_is_worth(story->run->survey, surplus_time))
        return;
    struct fth_finding *finding =
        sieving ? add_finding(story, "harmful_data_sieving", "Data sieving transfers too much",
                              surplus_time)
                : add_finding(story, "amplification", "More bytes are transferred than requested",
                              surplus_time);
    fth_finding_say(finding, "Of %s that the system transfers for %s%s, %s were requested (%s).",
                    FTH_BYTES(story->system_bytes), story->function->name,
                    story->stream && story->stream->below.calls != level->below[story->writes].calls
                        ? " and other calls on streams"
                        : "",
                    FTH_BYTES(level->bytes),
                    fth_phrase_percent(100 * fth_share(level->bytes, story->system_bytes)).text);
    fth_finding_advise(finding, "%s",
                       fth_tuning_hint(story->run->survey, story->results, &level->example,
                                       story->file, story->function->layer, FTH_HINT_UNUSED));
}

/* Of functions of stdio all together: none of them has a buffer of its own. */
static void find_amplification(const struct story *story)
{
    const struct stream *stream = story->stream;
    if (!stream) {
        find_surplus(story);
        return;
    }
    if (stream->first != story->level || stream->vague)
        return;
    struct level level = *story->level;
    level.bytes = stream->bytes;
    level.example = stream->most->example;
    struct story all = *story;
    all.level = &level;
    all.system_calls = stream->below.calls;
    all.system_bytes = stream->below.bytes;
    all.system_time = stream->below.time;
    find_surplus(&all);
}

static void find_read_before_write(const struct story *story)
{
    const struct level *level = story->level;
    const struct fth_moved *reads = &level->below[0];
    if (!story->writes || reads->bytes * 2 < level->bytes ||
        !fth_finding_is_worth(story->run->survey, reads->time))
        return;
    struct fth_finding *finding =
        add_finding(story, "read_before_write", "Writes read first", reads->time);
    fth_finding_say(finding,
                    "%s reads %s from the file to write %s: it reads the gaps between the pieces "
                    "too, and writes them back (read-modify-write).",
                    story->function->name, FTH_BYTES(reads->bytes), FTH_BYTES(level->bytes));
    fth_finding_advise(
        finding, "%s",
        story->run->survey->rank_count > 1
            ? "Use collective writes without holes, write whole chunks or blocks at once, or turn "
              "data sieving off for writes (hint romio_ds_write=disable)."
            : fth_tuning_hint(story->run->survey, story->results, &level->example, story->file,
                              story->function->layer, FTH_HINT_UNUSED));
}

/* What a library does for small calls takes longer than their bytes. What programs ask of MPI-IO
 * and of the system is judged by where in the file it is (patterns). */
static void find_small_calls(const struct story *story)
{
    const struct level *level = story->level;
    const struct small *small = &level->small;
    const struct fth_survey *survey = story->run->survey;
    int64_t needed = fth_speed_time(&story->run->best, small->bytes);
    if (!small->calls || 2 * small->calls < level->calls || 2 * small->asked < small->calls ||
        level->together ||
        (double)(small->calls / level->processes) < fth_threshold_of(survey, FTH_THRESHOLD_MANY) ||
        small->time <= needed || !fth_finding_is_worth(survey, small->time - needed))
        return;
    struct level only = *level;
    only.example = small->example;
    struct story of_small = *story;
    of_small.level = &only;
    struct fth_finding *finding = add_finding(&of_small, "small_library_calls",
                                              "Many small library calls", small->time - needed);
    fth_finding_list_add(&finding->functions, story->function->name);
    fth_finding_say(
        finding, "%s of %s %s take %s. The library's work per call takes longer than the transfer.",
        FTH_SEVERAL(small->calls, "call", "calls"), story->function->name, FTH_SIZES(&small->sizes),
        FTH_EACH(small->time, small->calls, small->example.time));
    fth_finding_advise(finding, "%s",
                       fth_tuning_hint(survey, story->results, &small->example, story->file,
                                       story->function->layer, FTH_HINT_LARGER));
}

static void find_split(const struct story *story)
{
    const struct level *level = story->level;
    if (!fth_finding_is_worth(story->run->survey, level->time))
        return;
    struct fth_finding *finding = add_finding(story, "collective_ran_independently",
                                              "Collective calls did independent I/O", level->time);
    fth_finding_say(finding,
                    "%s of %s were collective. They became %s of MPI-IO that %s: no process did "
                    "I/O for others.",
                    FTH_SEVERAL(level->together, "call", "calls"), story->function->name,
                    FTH_SEVERAL(level->split, "call", "calls"),
                    level->split == 1 ? "is not" : "are not");
    fth_finding_advise(
        finding,
        "The library could not do collective I/O. Possible causes: the type in memory differs from "
        "the type in the file, filters, or a dataset that is neither contiguous nor chunked (HDF5: "
        "H5Pget_mpio_no_collective_cause returns the cause).");
}

static void find_aggregation(const struct story *story)
{
    const struct level *level = story->level;
    if (!level->together || level->processes < 2 || !level->reach)
        return;
    if (2 * level->split >= level->together && level->reach == level->processes) {
        find_split(story);
        return;
    }
    uint64_t piece = level->ranges ? level->bytes / level->ranges : level->bytes / level->calls;
    uint64_t below = story->system_calls ? story->system_bytes / story->system_calls : 0;
    if (fth_share(level->reach, level->processes) <=
            fth_threshold_of(story->run->survey, FTH_THRESHOLD_PROXIES) ||
        (level->alike < level->calls / 2 &&
         (double)below >=
             fth_threshold_of(story->run->survey, FTH_THRESHOLD_GATHERS) * (double)piece)) {
        struct fth_finding *finding =
            add_finding(story, "collective_buffering", "Collective buffering is at work", 0);
        finding->effective = true;
        fth_finding_say(
            finding, "%s: %s of %s %s the I/O for all; %s of %s become %s of %s.",
            story->function->name, FTH_COUNT(level->reach),
            FTH_SEVERAL(level->processes, "process", "processes"),
            level->reach == 1 ? "does" : "do",
            FTH_SEVERAL(level->ranges ? level->ranges : level->calls, "piece", "pieces"),
            FTH_BYTES(piece), FTH_SEVERAL(story->system_calls, "access", "accesses"),
            FTH_BYTES(below));
        fth_finding_advise(finding, "The hints cb_nodes and cb_buffer_size set the number of these "
                                    "processes and the size of their buffers.");
        return;
    }
    int64_t severity = excess(story, story->system_bytes);
    if (level->reach < level->processes || level->alike < level->calls ||
        (double)below >= fth_threshold_of(story->run->survey, FTH_THRESHOLD_SMALL) ||
        !fth_finding_is_worth(story->run->survey, severity))
        return;
    struct fth_finding *finding = add_finding(story, "collective_ran_independently",
                                              "Collective calls did independent I/O", severity);
    fth_finding_say(
        finding,
        "Each of %s of %s became one access of the same %s: no process did I/O for others.",
        FTH_SEVERAL(level->calls, "call", "calls"), story->function->name, FTH_BYTES(below));
    fth_finding_advise(
        finding,
        "Collective buffering may be off, or have nothing to combine. Try the hints "
        "romio_cb_write=enable and romio_cb_read=enable, or (OMPIO) another fcoll component.");
}

static void find_messages(const struct story *story)
{
    const struct level *level = story->level;
    double most = fth_threshold_of(story->run->survey, FTH_THRESHOLD_MESSAGES);
    if ((double)level->messages < most * (double)level->time ||
        !fth_finding_is_worth(story->run->survey, level->messages) ||
        fth_share(level->reach, level->processes) < 1)
        return;
    struct fth_finding *finding = add_finding(
        story, "messages_inside_io", "I/O calls spend their time in messages", level->messages);
    fth_finding_say(finding, "Messages take %.0f %% of the time in %s.",
                    100 * (double)level->messages / (double)level->time, story->function->name);
    fth_finding_advise(finding,
                       "Processes may wait for one another there. See which rank is late (`fathom "
                       "path`), and compare with fewer aggregators or with independent calls.");
}

/* Are the bytes on the system known to be for those that the function moved? */
static bool knows_surplus(const struct story *story)
{
    const struct stream *stream = story->stream;
    return !stream ||
           (!stream->vague && stream->functions == 1 && stream->below.calls == story->system_calls);
}

static void add_row(struct fth_table *table, const struct story *story)
{
    const struct level *level = story->level;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, FILE_PATH,
                  fth_cell_text(story->run->survey->files[story->file].path));
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

static void add_to_stream(struct stream *stream, const struct level *level,
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
        const struct level *level = fth_indexed_item(&run->levels, i);
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
    struct fth_table *table = fth_table_new(&shape);
    sum_streams_up(run);
    for (uint32_t i = 0; i < run->levels.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->levels, i);
        uint32_t file = entry->number;
        const struct level *level = fth_indexed_item(&run->levels, i);
        const struct fth_call_class *class = &run->survey->classes->list[entry->sort];
        bool writes = class->kind == FTH_CALLS_WRITE;
        const struct fth_moved *below = &level->below[writes];
        struct story story = {
            run,          results,
            file,         fth_trace_function(run->survey->trace, entry->sort),
            writes,       level,
            below->calls, below->bytes,
            below->time,  class->stream ? fth_indexed_get(&run->streams, file, writes) : NULL};
        if (run->survey->files[file].noise || !class->data)
            continue;
        add_row(table, &story);
        find_fan_out(&story);
        find_amplification(&story);
        find_read_before_write(&story);
        find_small_calls(&story);
        find_aggregation(&story);
        find_messages(&story);
    }
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    for (uint32_t i = 0; i < run->levels.count; i++)
        fth_sizes_free(&((struct level *)fth_indexed_item(&run->levels, i))->small.sizes);
    fth_indexed_free(&run->streams);
    fth_indexed_free(&run->levels);
    free(run);
}

const struct fth_pass fth_pass_levels = {"levels", begin, open_process, call, merge,
                                         finish,   NULL,  NULL,         NULL, NULL};
