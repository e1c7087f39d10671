/* Metadata: which calls on names and attributes there are and who makes them, files that are opened
 * again and again, and openings that take some processes much longer than others.
 *
 * Only calls that are not inside another call of I/O are somebody's decision; the census has all of
 * them, by the layer that made them. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/metadata.h"
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
static const struct fth_shape shape = {"metadata", "Metadata calls and who made them", columns, 6,
                                       3};

enum { MOST_OPENERS = 1 << 16 };

/* Calls that do not only open, access and close a file. */
struct asking {
    uint64_t deletions, renamings, missed;
    int64_t deleting_time; /* of calls that delete it */
    int64_t missed_time;
    struct fth_example missing; /* a call that failed */
    uint64_t asked; /* calls that list it, or ask for or change its name and attributes, by name */
    int64_t asked_time;
    uint64_t only_asked; /* of these, those that leave the file and its names as they are */
    int64_t only_asked_time;
    struct fth_example asking;
    uint64_t operations[FTH_METADATA_OPERATIONS]; /* of those that asked or missed */
};

struct handling {
    uint64_t opens, transfers, bytes, bytes_read;
    uint64_t behind; /* the last byte that the system accessed for it, plus 1; 0: not known */
    int64_t metadata_time, transfer_time, all_time; /* all: syncs, locks and the like, too */
    int64_t own_time;            /* of metadata, without messages: waits for other processes */
    int64_t own_open, own_close; /* the same of the first opening, of the last closing */
    int64_t opening_time;        /* of calls that open and close */
    uint64_t overlapping;        /* opens while the file was open already */
    int64_t now_open;
    uint64_t metadata, objects;           /* calls; those about something in the file */
    struct fth_example example, heaviest; /* opening; call of metadata */
    bool writes, reads;                   /* how it is opened */
    bool may_make;                        /* the first opening would have made the file */
    struct fth_openings openings;
    int64_t first_time;    /* of its first opening, as struct fth_first_opening has it */
    struct asking *asking; /* NULL: there are none of these */
};

struct process {
    struct fth_keyed census;
    /* of struct handling, by file and the layer of the calls that were asked */
    struct fth_indexed files;
    struct fth_speed best[2]; /* of reads, of writes */
};

static void *begin(const struct fth_survey *survey)
{
    struct fth_metadata_run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->census.size = sizeof(struct fth_census);
    run->files.size = sizeof(struct fth_metadata);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->census.size = sizeof(struct fth_census);
    process->files.size = sizeof(struct handling);
    return process;
}

/* ---- a process ---- */

static bool is_metadata(const struct fth_call_class *class)
{
    return FTH_CLASSES_METADATA >> class->kind & 1;
}

/* Closing a file writes what the library has kept so far: that is no metadata. */
static int64_t time_of(const struct fth_frame *frame)
{
    return frame->times.all -
           (frame->class->kind == FTH_CALLS_CLOSE ? frame->data.below[1].time : 0);
}

static void count(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    struct fth_census_key key = {frame->class->index,
                                 above               ? above->class->layer
                                 : frame->of_library ? (uint16_t)FTH_BY_LIBRARY
                                                     : (uint16_t)FTH_BY_PROGRAM,
                                 0};
    struct fth_census *census = fth_keyed_get(&process->census, &key, sizeof key);
    census->calls += frame->calls;
    census->errors += frame->failed ? frame->calls : 0;
    FTH_ADD_SATURATING(census->time, time_of(frame));
}

static struct asking *asking_of(struct handling *handling)
{
    if (!handling->asking)
        handling->asking = fth_new(1, sizeof *handling->asking);
    return handling->asking;
}

/* Of several in rounds, each of which is closed in its round: how many files are open is the same
 * before each of them. */
static void handle_open(struct handling *handling, const struct fth_frame *frame)
{
    if (!handling->opens) {
        int64_t time = frame->calls > 1 ? frame->times.first : time_of(frame);
        /* waits for the others of a collective one are reported as such */
        handling->first_time = frame->collective ? frame->times.inside : time;
        handling->may_make = frame->file.creation & FTH_CREATE;
        handling->own_open = time - frame->times.messages;
    }
    handling->opens += frame->calls;
    handling->overlapping += handling->now_open > 0 ? frame->calls : 0;
    handling->now_open++;
    handling->writes |= (frame->file.access & FTH_ACCESS_WRITE) != 0;
    handling->reads |= (frame->file.access & FTH_ACCESS_READ) != 0;
    fth_example_see(&handling->example, frame);
}

/* Is it about names and attributes of files, whether or not somebody opens them? */
static bool asks(const struct fth_frame *frame)
{
    static const unsigned by_name = FTH_CALLS_BIT(FTH_CALLS_STAT) | FTH_CALLS_BIT(FTH_CALLS_NAME) |
                                    FTH_CALLS_BIT(FTH_CALLS_DELETE) |
                                    FTH_CALLS_BIT(FTH_CALLS_PERMISSION);
    if (frame->file.object)
        return false;
    return frame->class->kind == FTH_CALLS_LIST ||
           (by_name >> frame->class->kind & 1 && frame->class->path_count);
}

static enum fth_metadata_operation operation_of(const struct fth_frame *frame)
{
    switch (frame->class->kind) {
    case FTH_CALLS_LIST:
        return FTH_METADATA_LISTS;
    case FTH_CALLS_OPEN:
        return FTH_METADATA_OPENS;
    case FTH_CALLS_NAME:
        return frame->class->path_count > 1 ? FTH_METADATA_RENAMES : FTH_METADATA_MAKES;
    case FTH_CALLS_DELETE:
        return FTH_METADATA_DELETES;
    case FTH_CALLS_PERMISSION:
        return FTH_METADATA_CHANGES;
    default:
        return FTH_METADATA_ASKS;
    }
}

static void see_opening(struct fth_openings *openings, const struct fth_frame *frame, int64_t time)
{
    bool closes = frame->class->kind == FTH_CALLS_CLOSE;
    if (frame->file.object)
        return;
    struct fth_opening_sum *sum = closes ? &openings->closing : &openings->opening;
    int64_t longest = frame->calls == 1 ? time : frame->times.end - frame->times.start;
    sum->calls += frame->calls;
    FTH_ADD_SATURATING(sum->time, time);
    if (longest > sum->longest) {
        sum->longest = longest;
        sum->inside = frame->times.inside;
    }
    sum->written += frame->data.below[1].bytes;
    fth_example_see(&sum->example, frame);
    openings->collective += frame->collective ? frame->calls : 0;
    FTH_ADD_SATURATING(openings->below, frame->times.inside - frame->times.messages -
                                            (closes ? frame->data.below[1].time : 0));
}

static void handle(struct process *process, const struct fth_frame *frame)
{
    uint64_t layer = frame->class->layer;
    struct handling *handling = fth_indexed_get(&process->files, frame->file.number, layer);
    int64_t time = frame->times.all;
    if (frame->class->data) {
        if (frame->file.other != FTH_NO_FILE) {
            struct handling *other = fth_indexed_get(&process->files, frame->file.other, layer);
            other->bytes += frame->data.bytes;
            other->bytes_read += frame->writes ? frame->data.bytes : 0;
        }
        handling->transfers += frame->is_part ? 1 : frame->calls;
        handling->bytes += frame->data.bytes;
        handling->bytes_read += frame->writes ? 0 : frame->data.bytes;
        FTH_ADD_SATURATING(handling->transfer_time, time);
        fth_speed_add(&process->best[frame->writes], frame->data.best.bytes, frame->data.best.time);
        return;
    }
    if (!is_metadata(frame->class) || frame->locks || frame->unlocks)
        return;
    FTH_ADD_SATURATING(handling->transfer_time, time - time_of(frame));
    time = time_of(frame);
    if (asks(frame)) {
        struct asking *asking = asking_of(handling);
        asking->asked += frame->calls;
        asking->operations[operation_of(frame)] += frame->calls;
        FTH_ADD_SATURATING(asking->asked_time, time - frame->times.messages);
        fth_example_see(&asking->asking, frame);
        if (frame->class->kind != FTH_CALLS_NAME && frame->class->kind != FTH_CALLS_DELETE) {
            /* the others change what is done with the file */
            asking->only_asked += frame->calls;
            FTH_ADD_SATURATING(asking->only_asked_time, time);
            return;
        }
    }
    handling->metadata += frame->calls;
    handling->objects += frame->file.object ? frame->calls : 0;
    FTH_ADD_SATURATING(handling->metadata_time, time);
    FTH_ADD_SATURATING(handling->own_time, time - frame->times.messages);
    if (frame->class->kind == FTH_CALLS_OPEN || frame->class->kind == FTH_CALLS_CLOSE) {
        FTH_ADD_SATURATING(handling->opening_time, time);
        see_opening(&handling->openings, frame, time);
    }
    fth_example_see(&handling->heaviest, frame);
    if (frame->file.object)
        return;
    if (frame->class->kind == FTH_CALLS_DELETE) {
        asking_of(handling)->deletions += frame->calls;
        FTH_ADD_SATURATING(asking_of(handling)->deleting_time, time);
    }
    if (frame->class->kind == FTH_CALLS_NAME && frame->file.other != FTH_NO_FILE)
        asking_of(handling)->renamings += frame->calls;
    if (frame->class->kind == FTH_CALLS_OPEN && !frame->class->reopens) {
        handle_open(handling, frame);
    } else if (frame->class->kind == FTH_CALLS_CLOSE && handling->now_open) {
        const struct fth_frame last =
            frame->calls > 1 ? fth_frame_of_round(frame, frame->calls - 1) : *frame;
        handling->now_open--;
        handling->own_close = time_of(&last) - last.times.messages;
    }
}

/* A call that failed. */
static void miss(struct process *process, const struct fth_frame *frame)
{
    static const unsigned with_names =
        FTH_CALLS_BIT(FTH_CALLS_OPEN) | FTH_CALLS_BIT(FTH_CALLS_STAT) |
        FTH_CALLS_BIT(FTH_CALLS_NAME) | FTH_CALLS_BIT(FTH_CALLS_DELETE) |
        FTH_CALLS_BIT(FTH_CALLS_LIST);
    if (!(with_names >> frame->class->kind & 1))
        return;
    struct asking *asking =
        asking_of(fth_indexed_get(&process->files, frame->file.number, frame->class->layer));
    asking->missed += frame->calls;
    asking->operations[operation_of(frame)] += frame->calls;
    FTH_ADD_SATURATING(asking->missed_time, frame->times.all - frame->times.messages);
    fth_example_see(&asking->missing, frame);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io)
        return;
    if (is_metadata(frame->class))
        count(process, frame);
    if (frame->file.number == FTH_NO_FILE || frame->of_library || fth_frame_asked(frame) != frame)
        return;
    struct handling *handling =
        fth_indexed_get(&process->files, frame->file.number, frame->class->layer);
    FTH_ADD_SATURATING(handling->all_time, frame->times.all);
    if (frame->failed)
        miss(process, frame);
    else
        handle(process, frame);
}

/* How far the system accesses it. Several in a row are `step` behind one another. */
static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->file.number == FTH_NO_FILE || frame->of_library || !frame->class->system ||
        !frame->class->data)
        return;
    uint64_t on = frame->data.step > 0 ? (uint64_t)frame->data.step * (frame->calls - 1) : 0;
    struct handling *handling =
        fth_indexed_get(&process->files, frame->file.number, fth_frame_asked(frame)->class->layer);
    if (frame->data.behind && frame->data.behind + on > handling->behind)
        handling->behind = frame->data.behind + on;
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

/* ---- all of them ---- */

/* ns of the one opening that is left, or the one closing. It does all that has to be done, as the
 * first opening and the last closing do, and takes the mean at least. */
static int64_t kept(const struct fth_opening_sum *sum, int64_t own)
{
    int64_t mean = sum->calls ? sum->time / (int64_t)sum->calls : 0;
    return own > mean ? own : mean;
}

/* What more openings, closings and other metadata cost than one opening and one closing. Waits for
 * other processes are reported as such. */
static int64_t spared(const struct handling *handling)
{
    int64_t time = handling->own_time - kept(&handling->openings.opening, handling->own_open) -
                   kept(&handling->openings.closing, handling->own_close);
    return time > 0 ? time : 0;
}

/* What opening it once, closing it once and not deleting it in between would spare. */
static int64_t spared_if_kept(const struct handling *handling)
{
    int64_t deleting_time = handling->asking ? handling->asking->deleting_time : 0;
    int64_t time = fth_saturating_sum(handling->opening_time, deleting_time) -
                   kept(&handling->openings.opening, handling->own_open) -
                   kept(&handling->openings.closing, handling->own_close);
    return time > 0 ? time : 0;
}

static void merge_asking(struct fth_metadata *shared, const struct asking *asking)
{
    shared->askers += asking->asked || asking->missed;
    shared->deletions += asking->deletions;
    shared->renamings += asking->renamings;
    FTH_ADD_SATURATING(shared->deleting_time, asking->deleting_time);
    shared->asked += asking->asked;
    shared->only_asked += asking->only_asked;
    FTH_ADD_SATURATING(shared->only_asked_time, asking->only_asked_time);
    FTH_ADD_SATURATING(shared->asked_time, asking->asked_time);
    for (int i = 0; i < FTH_METADATA_OPERATIONS; i++)
        shared->operations[i] += asking->operations[i];
    shared->missed += asking->missed;
    FTH_ADD_SATURATING(shared->missed_time, asking->missed_time);
    fth_example_merge(&shared->missing, &asking->missing);
    fth_example_merge(&shared->asking, &asking->asking);
}

static void merge_file(struct fth_metadata_run *run, struct fth_metadata *shared,
                       const struct handling *handling)
{
    uint64_t renamings = handling->asking ? handling->asking->renamings : 0;
    bool again = (double)handling->opens >= fth_threshold_of(run->survey, FTH_THRESHOLD_REOPENED) &&
                 handling->overlapping * 2 < handling->opens &&
                 renamings * 2 < handling->opens; /* else it is another file each time */
    bool asked = handling->asking && handling->asking->asked;
    shared->processes += handling->metadata || asked || handling->transfers || handling->bytes;
    shared->openers += handling->opens > 0;
    if (handling->asking)
        merge_asking(shared, handling->asking);
    shared->movers += handling->opens && (handling->transfers || handling->bytes);
    shared->opens += handling->opens;
    shared->metadata += handling->metadata;
    shared->objects += handling->objects;
    shared->transfers += handling->transfers;
    shared->bytes += handling->bytes;
    if (handling->behind > shared->behind)
        shared->behind = handling->behind;
    shared->bytes_read += handling->bytes_read;
    shared->spared += spared(handling);
    FTH_ADD_SATURATING(shared->own_time, handling->own_time);
    FTH_ADD_SATURATING(shared->opening_time, handling->opening_time);
    fth_openings_add(&shared->openings, &handling->openings);
    FTH_ADD_SATURATING(shared->metadata_time, handling->metadata_time);
    FTH_ADD_SATURATING(shared->transfer_time, handling->transfer_time);
    FTH_ADD_SATURATING(shared->all_time, handling->all_time);
    if (again) {
        shared->reopeners++;
        shared->reopenings += handling->opens;
        fth_example_merge(&shared->reopening, &handling->example);
        FTH_ADD_SATURATING(shared->severity, spared_if_kept(handling));
    }
    fth_example_merge(&shared->example, &handling->example);
    fth_example_merge(&shared->heaviest, &handling->heaviest);
    if (!handling->opens || shared->opener_count == MOST_OPENERS)
        return;
    FTH_GROW(shared->first_openings, shared->opener_count);
    shared->first_openings[shared->opener_count++] =
        (struct fth_first_opening){handling->first_time, handling->may_make, handling->example};
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct fth_metadata_run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < fth_keyed_count(&process->census); i++) {
        const struct fth_census *more = fth_keyed_item(&process->census, i);
        struct fth_census *census = fth_keyed_get(&run->census, fth_keyed_key(&process->census, i),
                                                  sizeof(struct fth_census_key));
        census->calls += more->calls;
        census->errors += more->errors;
        FTH_ADD_SATURATING(census->time, more->time);
    }
    uint64_t opened = 0;
    for (uint32_t i = 0; i < process->files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&process->files, i);
        const struct handling *handling = fth_indexed_item(&process->files, i);
        uint32_t file = files[entry->number];
        opened += !run->survey->files[file].noise && handling->opens;
        merge_file(run, fth_indexed_get(&run->files, file, entry->sort), handling);
        free(handling->asking);
    }
    if (opened > run->most_files)
        run->most_files = opened;
    for (int writes = 0; writes < 2; writes++)
        fth_speed_add(&run->best[writes], process->best[writes].bytes, process->best[writes].time);
    fth_keyed_free(&process->census);
    fth_indexed_free(&process->files);
    free(process);
}

/* ---- the table ---- */

static void add_census(const struct fth_metadata_run *run, struct fth_table *table)
{
    for (uint32_t i = 0; i < fth_keyed_count(&run->census); i++) {
        struct fth_census_key key;
        const struct fth_census *census = fth_keyed_item(&run->census, i);
        memcpy(&key, fth_keyed_key(&run->census, i), sizeof key);
        const struct fth_function *function = fth_trace_function(run->survey->trace, key.function);
        struct fth_cell cells[] = {
            fth_cell_text(function->name), fth_cell_text(function->layer),
            fth_cell_text(key.by == FTH_BY_PROGRAM   ? "the program or a library"
                          : key.by == FTH_BY_LIBRARY ? "a library, for itself"
                                                     : run->survey->classes->layers[key.by])};
        size_t row = fth_table_group(table, cells);
        fth_table_increase(table, row, CALLS, census->calls);
        fth_table_increase(table, row, FAILED, census->errors);
        fth_table_increase(table, row, TIME, (uint64_t)census->time);
    }
}

static void finish(void *state, struct fth_results *results)
{
    struct fth_metadata_run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    add_census(run, table);
    fth_table_sort_by_sum(table, (size_t[]){TIME}, 1);
    fth_results_add(results, table);
    fth_metadata_find(run, results);
    for (uint32_t i = 0; i < run->files.count; i++)
        free(((struct fth_metadata *)fth_indexed_item(&run->files, i))->first_openings);
    fth_keyed_free(&run->census);
    fth_indexed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_metadata = {
    "metadata", begin, open_process,         call, merge, finish, each, by_file,
    NULL,       NULL,  fth_pass_takes_rounds};
