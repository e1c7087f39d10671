/* How much was moved, and how fast: by layer, by file system and by file; and how many files were
 * only read, only written, or both. Rates are per second that a process spent in such calls:
 * several processes at once move more per second of the run. Bytes of files and file systems are
 * those that reached them: of the calls on descriptors. */
#include "analysis/passes/passes.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

enum rate_column {
    R_OF,
    R_NAME,
    R_HOST,
    R_READ,
    R_WRITTEN,
    R_CALLS,
    R_READ_RATE,
    R_WRITE_RATE,
    R_CALL_RATE
};
static const struct fth_column rate_columns[] = {
    {"of", "of", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"name", "name", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"read_rate", "read/s", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"write_rate", "written/s", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"call_rate", "calls/s", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape file_rate_shape = {
    "file_rates", "Transfer rates of files by system calls, per second in these calls",
    rate_columns, sizeof rate_columns / sizeof *rate_columns, 3};
static const struct fth_shape rate_shape = {"rates", "Transfer rates, per second in these calls",
                                            rate_columns,
                                            sizeof rate_columns / sizeof *rate_columns, 3};

enum use { UNUSED, READ_ONLY, WRITTEN_ONLY, BOTH, USES };
static const char *const use_names[USES] = {"neither read nor written", "only read", "only written",
                                            "read and written"};

enum use_column { U_USE, U_FILES, U_READ, U_WRITTEN, U_MEAN, U_LARGEST };
static const struct fth_column use_columns[] = {
    {"use", "files that were", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"files", "files", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"mean_size", "mean size", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"largest_size", "largest", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape use_shape = {
    "file_uses",
    "Uses of files (not of the system) by system calls, and how far they were accessed",
    use_columns, sizeof use_columns / sizeof *use_columns, 1};

/* [0] reads, [1] writes. */
struct moved {
    uint64_t bytes[2], calls;
    /* of those, by calls that return when it is done, and their time: what only starts a transfer
     * does not take as long as that */
    uint64_t waited[2];
    int64_t time[2], all_time;
    uint64_t behind; /* of a file: the last byte that was accessed, plus 1 */
};

struct process {
    struct moved *layers;
    struct fth_indexed files; /* of struct moved */
};

struct run {
    const struct fth_survey *survey;
    struct moved *layers;
    struct fth_indexed files;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->layers = fth_new(survey->classes->layer_count + 1, sizeof *run->layers);
    run->files.size = sizeof(struct moved);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    (void)proc;
    process->layers = fth_new(run->survey->classes->layer_count + 1, sizeof *process->layers);
    process->files.size = sizeof(struct moved);
    return process;
}

static void add_data(struct moved *moved, const struct fth_frame *frame, bool writes)
{
    if (!frame->class->data || frame->failed)
        return;
    moved->bytes[writes] += frame->data.bytes;
    if (frame->function->starts)
        return;
    moved->waited[writes] += frame->data.bytes;
    FTH_ADD_SATURATING(moved->time[writes], frame->times.all);
}

static void add_frame(struct moved *moved, const struct fth_frame *frame, bool writes)
{
    moved->calls += frame->calls;
    FTH_ADD_SATURATING(moved->all_time, frame->times.all);
    add_data(moved, frame, writes);
}

/* A call that copies is one of both files. */
static void add_file(struct process *process, const struct fth_frame *frame)
{
    add_frame(fth_indexed_get(&process->files, frame->file.number, 0), frame, frame->writes);
    if (frame->file.other != FTH_NO_FILE && frame->copies && frame->data.bytes)
        add_frame(fth_indexed_get(&process->files, frame->file.other, 0), frame, !frame->writes);
}

/* A layer that calls itself (stdio in stdio) counts once. */
static bool is_inside_own_layer(const struct fth_frame *frame)
{
    for (const struct fth_frame *around = frame->around; around; around = around->around)
        if (around->class->layer == frame->class->layer)
            return true;
    return false;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io || frame->class->region)
        return;
    struct moved *layer = &process->layers[frame->class->layer];
    if (!is_inside_own_layer(frame)) {
        add_frame(layer, frame, frame->writes);
        if (frame->copies)
            add_data(layer, frame, !frame->writes);
    }
    if (frame->file.number != FTH_NO_FILE && frame->class->system)
        add_file(process, frame);
}

/* Several in a row are `step` behind one another. */
static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->file.number == FTH_NO_FILE || !frame->class->system || !frame->class->data)
        return;
    struct moved *moved = fth_indexed_get(&process->files, frame->file.number, 0);
    uint64_t on = frame->data.step > 0 ? (uint64_t)frame->data.step * (frame->calls - 1) : 0;
    if (frame->data.behind && frame->data.behind + on > moved->behind)
        moved->behind = frame->data.behind + on;
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

static void add(struct moved *sum, const struct moved *more)
{
    for (int i = 0; i < 2; i++) {
        sum->bytes[i] += more->bytes[i];
        sum->waited[i] += more->waited[i];
        FTH_ADD_SATURATING(sum->time[i], more->time[i]);
    }
    sum->calls += more->calls;
    FTH_ADD_SATURATING(sum->all_time, more->all_time);
    if (more->behind > sum->behind)
        sum->behind = more->behind;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (size_t i = 0; i < run->survey->classes->layer_count; i++)
        add(&run->layers[i], &process->layers[i]);
    for (uint32_t i = 0; i < process->files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&process->files, i);
        add(fth_indexed_get(&run->files, files[entry->number], 0),
            fth_indexed_item(&process->files, i));
    }
    fth_indexed_free(&process->files);
    free(process->layers);
    free(process);
}

/* ---- tables ---- */

static struct fth_cell per_second(uint64_t amount, int64_t time)
{
    double rate = time > 0 ? (double)amount * 1e9 / (double)time : 0;
    return time > 0 && amount && rate < 9e18 ? fth_cell_integer((int64_t)rate) : fth_cell_null();
}

static void add_rates(struct fth_table *table, const char *of, const char *name, const char *host,
                      const struct moved *moved)
{
    struct fth_cell key[] = {fth_cell_text(of), fth_cell_text(name), fth_cell_text(host)};
    if (!moved->calls && !moved->bytes[0] && !moved->bytes[1])
        return;
    size_t row = fth_table_group(table, key);
    fth_table_increase(table, row, R_READ, moved->bytes[0]);
    fth_table_increase(table, row, R_WRITTEN, moved->bytes[1]);
    fth_table_increase(table, row, R_CALLS, moved->calls);
    fth_table_set(table, row, R_READ_RATE, per_second(moved->waited[0], moved->time[0]));
    fth_table_set(table, row, R_WRITE_RATE, per_second(moved->waited[1], moved->time[1]));
    fth_table_set(table, row, R_CALL_RATE, per_second(moved->calls, moved->all_time));
}

struct system {
    const char *type;
    struct moved moved;
};

struct systems {
    struct system *list;
    size_t count;
};

static void add_system(struct systems *systems, const char *type, const struct moved *moved)
{
    size_t at = 0;
    while (at < systems->count && strcmp(systems->list[at].type, type) != 0)
        at++;
    if (at == systems->count) {
        FTH_GROW(systems->list, systems->count);
        systems->list[systems->count++] = (struct system){.type = type};
    }
    add(&systems->list[at].moved, moved);
}

static enum use use_of(const struct moved *moved)
{
    return !moved->bytes[0] && !moved->bytes[1] ? UNUSED
           : !moved->bytes[1]                   ? READ_ONLY
           : !moved->bytes[0]                   ? WRITTEN_ONLY
                                                : BOTH;
}

static struct fth_table *uses(const struct run *run)
{
    struct fth_table *table = fth_table_new(&use_shape);
    struct {
        uint64_t files, read, written, size, largest;
    } sums[USES] = {0};
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct moved *moved = fth_indexed_item(&run->files, i);
        if (run->survey->files[fth_indexed_at(&run->files, i)->number].noise)
            continue;
        enum use use = use_of(moved);
        sums[use].files++;
        sums[use].read += moved->bytes[0];
        sums[use].written += moved->bytes[1];
        sums[use].size += moved->behind;
        if (moved->behind > sums[use].largest)
            sums[use].largest = moved->behind;
    }
    for (int i = 0; i < USES; i++) {
        struct fth_cell key = fth_cell_text(use_names[i]);
        if (!sums[i].files)
            continue;
        size_t row = fth_table_group(table, &key);
        fth_table_increase(table, row, U_FILES, sums[i].files);
        fth_table_increase(table, row, U_READ, sums[i].read);
        fth_table_increase(table, row, U_WRITTEN, sums[i].written);
        fth_table_increase(table, row, U_MEAN, sums[i].size / sums[i].files);
        fth_table_increase(table, row, U_LARGEST, sums[i].largest);
    }
    return table;
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    const struct fth_survey *survey = run->survey;
    struct fth_table *rates = fth_table_new(&rate_shape), *files = fth_table_new(&file_rate_shape);
    struct systems systems = {0};
    for (size_t i = 0; i < survey->classes->layer_count; i++)
        add_rates(rates, "layer", survey->classes->layers[i], NULL, &run->layers[i]);
    for (uint32_t i = 0; i < run->files.count; i++) {
        const struct moved *moved = fth_indexed_item(&run->files, i);
        const struct fth_survey_file *file = &survey->files[fth_indexed_at(&run->files, i)->number];
        add_system(&systems, file->placed ? file->place.system->type : "not known", moved);
        if (!file->noise)
            add_rates(files, "file", file->path, file->host, moved);
    }
    for (size_t i = 0; i < systems.count; i++)
        add_rates(rates, "file system", systems.list[i].type, NULL, &systems.list[i].moved);
    fth_results_add(results, rates);
    fth_table_sort_by_sum(files, (size_t[]){R_READ, R_WRITTEN}, 2);
    fth_results_add(results, files);
    fth_results_add(results, uses(run));
    free(systems.list);
    fth_indexed_free(&run->files);
    free(run->layers);
    free(run);
}

const struct fth_pass fth_pass_volume = {
    "volume", begin, open_process,         call, merge, finish, each, by_file,
    NULL,     NULL,  fth_pass_takes_rounds};
