/* What processes do to files, as workflows need it: not how, but when, and to which bytes. */
#include "workflow/gather/file_uses.h"

#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

static const struct fth_column use_columns[FTH_USE_COLUMNS] = {
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"first_read", "first read", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"last_read", "last read", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"read_from", "from", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"read_to", "to", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"first_write", "first written", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"last_write", "last written", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"written_from", "from", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"written_to", "to", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"fresh", "made anew", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"opened", "opened", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"closed", "closed", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"reading", "reading", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"writing", "writing", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape use_shape = {"file_uses", "Uses of files", use_columns,
                                           FTH_USE_COLUMNS, 0};

static const struct fth_column change_columns[FTH_CHANGE_COLUMNS] = {
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"kind", "change", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"to", "to", FTH_UNIT_PATH, FTH_SHOW_UNLESS_NULL},
    {"to_host", "host", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"time", "at", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape change_shape = {"name_changes", "Changes of names", change_columns,
                                              FTH_CHANGE_COLUMNS, 0};

/* Accesses of one direction. */
struct moved {
    uint64_t calls, bytes, from, to;
    int64_t first, last; /* ns */
};

struct use {
    struct moved moved[2]; /* read, written */
    bool fresh, mapped;
    bool was_opened, was_closed;
    int64_t opened, closed; /* ns, if they were */
    int64_t spent[2];       /* ns in calls that read, wrote */
};

struct kept_use {
    uint32_t file; /* of the process */
    struct use use;
};

struct change {
    const char *kind;
    uint32_t file, other;
    int64_t time;
};

/* A file that was made anew by an open whose path may have led elsewhere. */
struct making {
    uint64_t handle;
    uint32_t file; /* FTH_NO_FILE: none */
    int64_t start, end;
};

struct process {
    size_t proc;
    struct making making;
    struct fth_indexed now; /* of struct use, by file: since its name changed last */
    uint32_t kept_count, change_count;
    struct kept_use *kept; /* before that */
    struct change *changes;
};

struct run {
    const struct fth_survey *survey;
    struct fth_table *uses, *changes;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->uses = fth_table_new(&use_shape);
    run->changes = fth_table_new(&change_shape);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    (void)state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->now.size = sizeof(struct use);
    process->making.file = FTH_NO_FILE;
    return process;
}

static struct use *use_of(struct process *process, uint32_t file)
{
    return fth_indexed_get(&process->now, file, 0);
}

static uint32_t file_of(const struct fth_frame *frame)
{
    return frame->file.behind_links != FTH_NO_FILE ? frame->file.behind_links : frame->file.number;
}

static bool is_used(const struct use *use)
{
    return use->moved[0].calls || use->moved[1].calls;
}

/* From now on its name is another file. */
static void close_use(struct process *process, uint32_t file)
{
    struct use *use = use_of(process, file);
    if (is_used(use)) {
        FTH_GROW(process->kept, process->kept_count);
        process->kept[process->kept_count++] = (struct kept_use){file, *use};
    }
    *use = (struct use){0};
}

static void add(struct moved *moved, int64_t first, int64_t last, uint64_t bytes, uint64_t from,
                uint64_t to)
{
    if (!moved->calls || first < moved->first)
        moved->first = first;
    if (!moved->calls || last > moved->last)
        moved->last = last;
    if (!moved->calls || from < moved->from)
        moved->from = from;
    if (!moved->calls || to > moved->to)
        moved->to = to;
    moved->calls++;
    moved->bytes += bytes;
}

/* Whoever maps a file may read all of it, and write to it if the handle allows. */
static void map(struct use *use, const struct fth_frame *frame)
{
    add(&use->moved[0], frame->times.start, frame->times.end, 0, 0, UINT64_MAX);
    use->mapped |= (frame->file.access & FTH_ACCESS_WRITE) != 0;
    if (frame->file.access & FTH_ACCESS_WRITE)
        add(&use->moved[1], frame->times.start, frame->times.end, 0, 0, UINT64_MAX);
}

static void change(struct process *process, const char *kind, const struct fth_frame *frame)
{
    FTH_GROW(process->changes, process->change_count);
    process->changes[process->change_count++] =
        (struct change){kind, frame->file.number, frame->file.other, frame->times.start};
}

static void name(struct process *process, const struct fth_frame *frame)
{
    bool links = frame->function->links_name;
    if (frame->file.other == FTH_NO_FILE) {
        if (links)
            change(process, "pointed", frame);
        return; /* else a folder was made */
    }
    if (!links)
        close_use(process, frame->file.number);
    close_use(process, frame->file.other);
    change(process, links ? "linked" : "renamed", frame);
}

/* That writes its first zero bytes. */
static void make_anew(struct process *process, uint32_t file)
{
    if (use_of(process, file)->moved[1].calls)
        close_use(process, file);
    struct use *use = use_of(process, file);
    use->fresh = use->was_opened = true;
    use->opened = process->making.end;
    add(&use->moved[1], process->making.start, process->making.end, 0, 0, 0);
}

/* What is opened behind the first access is no matter of that. */
static void note_open(struct process *process, const struct fth_frame *frame)
{
    struct use *use = use_of(process, frame->file.number);
    if (is_used(use))
        return;
    use->was_opened = true;
    use->opened = frame->times.end;
}

static void note_close(struct process *process, const struct fth_frame *frame)
{
    if (!(frame->file.access & FTH_ACCESS_WRITE))
        return;
    struct use *use = use_of(process, file_of(frame));
    use->was_closed = true;
    use->closed = frame->times.end;
}

/* The use of the file that a path led to, which was opened by that path. */
static struct use *use_behind(struct process *process, const struct fth_frame *frame)
{
    struct use *use = use_of(process, file_of(frame));
    if (frame->file.behind_links == FTH_NO_FILE || use->was_opened || is_used(use))
        return use;
    const struct use *opened = use_of(process, frame->file.number);
    bool was_opened = opened->was_opened;
    int64_t time = opened->opened;
    use = use_of(process, frame->file.behind_links);
    use->was_opened = was_opened;
    use->opened = time;
    return use;
}

/* Where the path of an open led to is known with the next call on its handle, or by its path. */
static void finish_making(struct process *process, const struct fth_frame *frame)
{
    uint32_t file = process->making.file;
    if (file == FTH_NO_FILE)
        return;
    bool same = frame && frame->file.behind_links != FTH_NO_FILE &&
                (frame->file.handle == process->making.handle || frame->file.number == file);
    make_anew(process, same ? frame->file.behind_links : file);
    process->making.file = FTH_NO_FILE;
}

static void begin_making(struct process *process, const struct fth_frame *frame)
{
    finish_making(process, NULL);
    process->making = (struct making){frame->file.handle, frame->file.number, frame->times.start,
                                      frame->times.end};
}

static void note_spent(struct use *use, const struct fth_frame *frame)
{
    FTH_ADD_SATURATING(use->spent[frame->writes], frame->times.all);
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->file.number == FTH_NO_FILE || !frame->class->system || !frame->class->data)
        return;
    if (!frame->data.bytes) {
        if (frame->file.to_others)
            note_spent(use_of(process, file_of(frame)), frame);
        return;
    }
    finish_making(process, frame);
    uint64_t from = frame->data.first, to = frame->data.behind,
             on = (uint64_t)frame->data.step * (frame->calls - 1);
    bool placed = to > from && !frame->data.unplaced;
    if (placed && frame->data.step < 0)
        from += on;
    else if (placed)
        to += on;
    bool several = frame->calls > 1;
    struct use *use = use_behind(process, frame);
    note_spent(use, frame);
    add(&use->moved[frame->writes], several ? frame->times.began : frame->times.start,
        several ? frame->times.last : frame->times.end, frame->data.bytes * frame->calls,
        placed ? from : 0, placed ? to : UINT64_MAX);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    uint32_t file = frame->file.number;
    if (!frame->class->io || frame->failed || file == FTH_NO_FILE || frame->file.object)
        return;
    finish_making(process, frame);
    switch (frame->class->kind) {
    case FTH_CALLS_OPEN:
        if (!(frame->file.creation & FTH_OPEN_DIRECTORY))
            note_open(process, frame);
        if (frame->file.creation & (FTH_TRUNCATE | FTH_EXCLUSIVE) &&
            !(frame->file.creation & FTH_OPEN_DIRECTORY))
            begin_making(process, frame);
        break;
    case FTH_CALLS_CLOSE:
        note_close(process, frame);
        break;
    case FTH_CALLS_MAP:
        map(use_behind(process, frame), frame);
        break;
    case FTH_CALLS_NAME:
        name(process, frame);
        break;
    case FTH_CALLS_DELETE:
        close_use(process, file);
        change(process, "deleted", frame);
        break;
    default:
        break;
    }
}

/* ---- all processes ---- */

/* Pipes are no files of any folder, but what goes through them joins steps. */
static bool counts(const struct fth_survey_file *file)
{
    return !file->noise || !strncmp(file->path, "pipe:", 5);
}

static const char *host_of(const struct fth_survey_file *file)
{
    return file->host                                                    ? file->host
           : file->placed && file->place.system->scope == FTH_SCOPE_NODE ? file->place.system->host
                                                                         : NULL;
}

static void put_moved(struct fth_table *table, size_t row, size_t column, const struct moved *moved)
{
    bool placed = moved->to != UINT64_MAX;
    if (!moved->calls)
        return;
    fth_table_set(table, row, column, fth_cell_integer(moved->first));
    fth_table_set(table, row, column + 1, fth_cell_integer(moved->last));
    fth_table_set(table, row, column + 2, fth_cell_integer((int64_t)moved->bytes));
    fth_table_set(table, row, column + 3,
                  placed ? fth_cell_integer((int64_t)moved->from) : fth_cell_null());
    fth_table_set(table, row, column + 4,
                  placed ? fth_cell_integer((int64_t)moved->to) : fth_cell_null());
}

/* Did another program take its place? */
static bool was_replaced(const struct run *run, size_t proc)
{
    return !strcmp(fth_trace_process(run->survey->trace, proc)->how_ended, "exec");
}

static void put_use(const struct run *run, size_t proc, const struct use *use, uint32_t number)
{
    const struct fth_survey_file *file = &run->survey->files[number];
    if (!counts(file) || (!is_used(use) && !(use->was_opened && was_replaced(run, proc))))
        return;
    size_t row = fth_table_add_row(run->uses);
    fth_table_set(run->uses, row, FTH_USE_PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(run->uses, row, FTH_USE_PATH, fth_cell_text(file->path));
    fth_table_set(run->uses, row, FTH_USE_HOST, fth_cell_text(host_of(file)));
    put_moved(run->uses, row, FTH_USE_FIRST_READ, &use->moved[0]);
    put_moved(run->uses, row, FTH_USE_FIRST_WRITE, &use->moved[1]);
    fth_table_set(run->uses, row, FTH_USE_READING, fth_cell_integer(use->spent[0]));
    fth_table_set(run->uses, row, FTH_USE_WRITING, fth_cell_integer(use->spent[1]));
    fth_table_set(run->uses, row, FTH_USE_FRESH, fth_cell_integer(use->fresh));
    if (use->was_opened)
        fth_table_set(run->uses, row, FTH_USE_OPENED, fth_cell_integer(use->opened));
    /* What goes through memory goes on behind a close. */
    if (use->was_closed && !use->mapped)
        fth_table_set(run->uses, row, FTH_USE_CLOSED, fth_cell_integer(use->closed));
}

static void put_change(const struct run *run, size_t proc, const struct change *change,
                       const uint32_t *files)
{
    const struct fth_survey_file *file = &run->survey->files[files[change->file]], *other = NULL;
    if (!counts(file))
        return;
    size_t row = fth_table_add_row(run->changes);
    fth_table_set(run->changes, row, FTH_CHANGE_PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(run->changes, row, FTH_CHANGE_KIND, fth_cell_text(change->kind));
    fth_table_set(run->changes, row, FTH_CHANGE_PATH, fth_cell_text(file->path));
    fth_table_set(run->changes, row, FTH_CHANGE_HOST, fth_cell_text(host_of(file)));
    fth_table_set(run->changes, row, FTH_CHANGE_TIME, fth_cell_integer(change->time));
    if (change->other != FTH_NO_FILE) {
        other = &run->survey->files[files[change->other]];
        fth_table_set(run->changes, row, FTH_CHANGE_TO, fth_cell_text(other->path));
        fth_table_set(run->changes, row, FTH_CHANGE_TO_HOST, fth_cell_text(host_of(other)));
    }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    const struct run *run = run_state;
    struct process *process = state;
    finish_making(process, NULL);
    for (uint32_t i = 0; i < process->kept_count; i++)
        put_use(run, process->proc, &process->kept[i].use, files[process->kept[i].file]);
    for (uint32_t i = 0; i < process->now.count; i++)
        put_use(run, process->proc, fth_indexed_item(&process->now, i),
                files[fth_indexed_at(&process->now, i)->number]);
    for (uint32_t i = 0; i < process->change_count; i++)
        put_change(run, process->proc, &process->changes[i], files);
    fth_indexed_free(&process->now);
    free(process->kept);
    free(process->changes);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    fth_results_add(results, run->uses);
    fth_results_add(results, run->changes);
    free(run);
}

const struct fth_pass fth_pass_file_uses = {"file uses", begin, open_process, call, merge, finish,
                                            each,        NULL,  NULL,         NULL, NULL};
