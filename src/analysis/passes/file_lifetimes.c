/* The life of files: who writes them, who reads the written data, which files are created and
 * deleted again, which are renamed before they are synced to disk, and which ones a library
 * opens unasked. */
#include "analysis/passes/file_lifetimes.h"
#include "analysis/passes/named_folders.h"
#include "analysis/passes/passes.h"
#include "analysis/survey/run_files.h"
#include "base/memory.h"
#include "base/saturating.h"

#include <string.h>

enum column { FILE_PATH, FILE_HOST, ROLE, READERS, WRITERS, READ, WRITTEN, REREAD, DELETED };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"role", "role", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"readers", "readers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"writers", "writers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read_back", "read after writing", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"deleted", "deleted", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"files_by_role", "Roles of files", columns,
                                       sizeof columns / sizeof *columns, 0};

struct process {
    struct fth_indexed files; /* struct fth_file_life, by file */
    struct fth_presences presences;
    size_t proc;
    struct fth_syncs syncs; /* of all files */
};

static void *begin(const struct fth_survey *survey)
{
    struct fth_file_lifetimes_run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct fth_shared_file_life);
    fth_presences_open(&run->presences);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->syncs = fth_file_safety_none.syncs;
    process->files.size = sizeof(struct fth_file_life);
    fth_presences_open(&process->presences);
    return process;
}

static struct fth_file_life *life_of(struct process *process, uint32_t file)
{
    uint32_t before = process->files.count;
    struct fth_file_life *life = fth_indexed_get(&process->files, file, 0);
    if (process->files.count > before) {
        life->first_write = -1;
        life->safety = fth_file_safety_none;
        life->appends = true;
    }
    return life;
}

static void add_moved(struct fth_file_life *life, const struct fth_frame *frame)
{
    int writes = frame->writes;
    life->bytes[writes] += frame->calls * frame->data.bytes;
    life->calls[writes] += frame->calls;
    FTH_ADD_SATURATING(life->time[writes], frame->times.all);
    fth_example_see(&life->examples[writes], frame);
}

static void write_on(struct fth_file_life *life, const struct fth_frame *frame)
{
    bool in_a_row =
        frame->calls == 1 || (frame->data.ranges &&
                              frame->data.first + (uint64_t)frame->data.step == frame->data.behind);
    life->appends &= frame->data.appends ||
                     (in_a_row && (life->first_write < 0 ||
                                   (frame->data.ranges && frame->data.first == life->next)));
    life->next = frame->data.ranges
                     ? frame->data.behind + (frame->calls - 1) * (uint64_t)frame->data.step
                     : UINT64_MAX;
    if (life->first_write < 0)
        life->first_write = frame->times.began;
    fth_file_safety_write(&life->safety, frame);
}

static struct fth_unexpected_openings *unexpected_of(struct fth_file_life *life)
{
    if (!life->unexpected)
        life->unexpected = fth_new(1, sizeof *life->unexpected);
    return life->unexpected;
}

static void look_at_opening(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    if (!above || above->file.number == FTH_NO_FILE || above->file.number == frame->file.number)
        return;
    struct fth_unexpected_openings *unexpected =
        unexpected_of(life_of(process, frame->file.number));
    unexpected->count++;
    unexpected->time +=
        above->times.end - above->times.start < frame->times.end - frame->times.start
            ? 0
            : frame->times.end - frame->times.start;
    unexpected->in = above->function;
    fth_example_see(&unexpected->example, frame);
}

/* What it has done to the file, also by syncs of all files. */
static struct fth_file_safety safety_of(struct process *process, uint32_t file)
{
    struct fth_file_safety safety = life_of(process, file)->safety;
    if (process->syncs.last > safety.syncs.last)
        safety.syncs.last = process->syncs.last;
    return safety;
}

static void rename_file(struct process *process, const struct fth_frame *frame)
{
    if (frame->file.other == FTH_NO_FILE || frame->function->links_name)
        return;
    struct fth_file_safety safety = safety_of(process, frame->file.number);
    struct fth_file_life *life = life_of(process, frame->file.number);
    struct fth_syncs syncs = life->safety.syncs;
    life->safety = fth_file_safety_none;
    life->safety.syncs = syncs;
    life->safety.moved = true;
    if (fth_file_safety_holds(&safety))
        return;
    enum fth_presence presence = fth_presence_of(&process->presences, frame->file.other);
    if (!life->renaming)
        life->renaming = fth_new(1, sizeof *life->renaming);
    struct fth_renaming *renaming = life->renaming;
    renaming->to = frame->file.other + 1;
    renaming->at = frame->times.start;
    renaming->replaces |= presence == FTH_WORTH_KEEPING;
    renaming->unseen = presence == FTH_NOT_SEEN || presence == FTH_PERHAPS_MADE ||
                       presence == FTH_FOUND; /* another process may have made it */
    renaming->safety = safety;
    fth_example_see(&renaming->example, frame);
}

/* A part of a file that is written to disk is not all of what is needed to find it there. */
static bool makes_safe(const struct fth_frame *frame)
{
    if (frame->class->kind != FTH_CALLS_SYNC || frame->class->buffered)
        return false;
    for (size_t i = 0; i < frame->function->parameter_count; i++)
        if (strcmp(frame->function->parameters[i].role, "offset") == 0)
            return false;
    return true;
}

static void sync_file(struct process *process, const struct fth_frame *frame)
{
    if (fth_frame_syncs_all(frame))
        fth_syncs_see(&process->syncs, frame->times.end);
    if (frame->file.number == FTH_NO_FILE)
        return;
    struct fth_file_safety *safety = &life_of(process, frame->file.number)->safety;
    fth_syncs_see(&safety->syncs, frame->times.end);
    safety->synced = !safety->moved;
    fth_presence_keep(&process->presences, frame->file.number, frame->times.end);
}

static bool moves_itself(const struct fth_frame *frame)
{
    return frame->class->data && frame->class->system && !frame->data.below[0].calls &&
           !frame->data.below[1].calls;
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->of_library)
        return;
    if (makes_safe(frame)) {
        sync_file(process, frame);
        return;
    }
    if (!moves_itself(frame))
        return;
    struct fth_file_life *life = life_of(process, frame->file.number);
    add_moved(life, frame);
    if (frame->writes)
        write_on(life, frame);
    if (frame->file.other != FTH_NO_FILE && frame->file.other_first < 0)
        life_of(process, frame->file.other)->elsewhere = true;
}

/* Of calls without others inside. */
static void turns(void *state, const struct fth_frames_in_turn *turns)
{
    struct fth_frame calls[FTH_MOST_ROUND];
    for (uint32_t k = 0; k < turns->count; k++)
        calls[k] = *turns->frames[k].first;
    for (uint32_t k = 0; k < turns->count; k++)
        if (!calls[k].of_library && moves_itself(&calls[k]))
            add_moved(life_of(state, calls[k].file.number), turns->frames[k].all);
    for (uint64_t i = 0; i < turns->frames[0].all->calls; i++)
        for (uint32_t k = 0; k < turns->count; k++) {
            const struct fth_frame_in_turn *frame = &turns->frames[k];
            struct fth_frame *call = &calls[k];
            if (i >= frame->all->calls || call->of_library)
                continue;
            call->times.began = call->times.last = frame->times[i * turns->apart].start;
            call->times.end = frame->times[i * turns->apart].end;
            if (makes_safe(call))
                sync_file(state, call);
            if (!call->writes || !moves_itself(call))
                continue;
            write_on(life_of(state, call->file.number), call);
            call->data.first += (uint64_t)frame->all->data.step;
            call->data.behind += (uint64_t)frame->all->data.step;
        }
}

static void take(struct process *process, const struct fth_frame *frame)
{
    const struct fth_call_class *class = frame->class;
    if (class->kind == FTH_CALLS_DELETE) {
        life_of(process, frame->file.number)->deleted = true;
    } else if (class->kind == FTH_CALLS_MAP) {
        life_of(process, frame->file.number)->elsewhere = true;
        life_of(process, frame->file.number)->mapped = true;
    } else if (class->kind == FTH_CALLS_NAME) {
        rename_file(process, frame);
        if (frame->file.other != FTH_NO_FILE)
            life_of(process, frame->file.other)->named = true;
    } else if (class->kind == FTH_CALLS_OPEN) {
        life_of(process, frame->file.number)->safety.moved = false;
        look_at_opening(process, frame);
    }
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io || frame->of_library || frame->file.number == FTH_NO_FILE ||
        frame->file.object)
        return;
    bool renames = frame->class->kind == FTH_CALLS_NAME && !frame->failed;
    const struct fth_file_safety safety =
        renames ? safety_of(process, frame->file.number) : fth_file_safety_none;
    bool is_safe = fth_file_safety_holds(&safety);
    if (!frame->failed)
        take(process, frame);
    fth_presence_see(&process->presences, frame, is_safe);
}

/* Files that are opened, accessed and closed; nothing that is synced, renamed or deleted. */
static bool rounds(const void *state, const struct fth_frame *frames, uint32_t count)
{
    static const unsigned others = FTH_CALLS_BIT(FTH_CALLS_SYNC) | FTH_CALLS_BIT(FTH_CALLS_NAME) |
                                   FTH_CALLS_BIT(FTH_CALLS_DELETE) | FTH_CALLS_BIT(FTH_CALLS_MAP);
    bool some = false;
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        some |= (others >> frames[i].class->kind & 1) != 0;
    return !some;
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->files;
}

/* ---- all of them ---- */

static void add_unexpected(struct fth_unexpected_openings *sum,
                           const struct fth_unexpected_openings *more)
{
    sum->count += more->count;
    FTH_ADD_SATURATING(sum->time, more->time);
    sum->in = more->in;
    fth_example_merge(&sum->example, &more->example);
}

static void add_life(struct fth_shared_file_life *shared, const struct fth_file_life *life,
                     size_t proc, const uint32_t *files)
{
    struct fth_file_life *all = &shared->all;
    for (int writes = 0; writes < 2; writes++) {
        all->bytes[writes] += life->bytes[writes];
        all->calls[writes] += life->calls[writes];
        FTH_ADD_SATURATING(all->time[writes], life->time[writes]);
        fth_example_merge(&all->examples[writes], &life->examples[writes]);
    }
    shared->readers += life->calls[0] > 0;
    shared->writers += life->calls[1] > 0;
    shared->deleters += life->deleted;
    shared->movers += life->calls[0] || life->calls[1];
    shared->finders += life->unexpected != NULL;
    all->elsewhere |= life->elsewhere;
    all->named |= life->named;
    all->mapped |= life->mapped;
    fth_shared_safety_add(&shared->safety, proc, &life->safety, life->renaming, files);
    all->appends |= life->calls[1] && life->appends;
    if (life->unexpected)
        add_unexpected(unexpected_of(all), life->unexpected);
}

static void free_life(struct fth_file_life *life)
{
    free(life->renaming);
    free(life->unexpected);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct fth_file_lifetimes_run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->files.count; i++) {
        uint32_t file = files[fth_indexed_at(&process->files, i)->number];
        struct fth_file_life *life = fth_indexed_item(&process->files, i);
        add_life(fth_indexed_get(&run->files, file, 0), life, process->proc, files);
        free_life(life);
    }
    fth_shared_safety_sync(&run->of_all, process->proc, &process->syncs);
    fth_presences_join(&run->presences, &process->presences, run->survey, files);
    fth_indexed_free(&process->files);
    fth_presences_close(&process->presences);
    free(process);
}

/* ---- the table ---- */

/* Of files below a folder that got its name from another one, too. */
static void name_below_folders(struct fth_file_lifetimes_run *run)
{
    const struct fth_survey_file *files = run->survey->files;
    struct fth_named_folders folders = {0};
    for (uint32_t i = 0; i < run->files.count; i++)
        if (((const struct fth_shared_file_life *)fth_indexed_item(&run->files, i))->all.named)
            fth_named_folders_add(&folders, &files[fth_indexed_at(&run->files, i)->number]);
    for (uint32_t i = 0; i < run->files.count; i++) {
        struct fth_shared_file_life *shared = fth_indexed_item(&run->files, i);
        shared->all.named |=
            fth_named_folders_hold(&folders, &files[fth_indexed_at(&run->files, i)->number]);
    }
    fth_named_folders_free(&folders);
}

static const char *role_of(const struct fth_shared_file_life *shared, const struct fth_fate *fate)
{
    const struct fth_file_life *all = &shared->all;
    if (shared->deleters && all->calls[1])
        return "scratch";
    if (all->calls[0] && all->calls[1] &&
        (!fate->exact || fate->may_be_cut)) /* what of what is not known */
        return "read and written";
    if (all->calls[0] && all->calls[1])
        return fate->read_back   ? "written and read back"
               : fate->passed_on ? "passed on"
                                 : "updated";
    if (all->calls[0] && all->named) /* what was in it before may be of this run */
        return "read under a new name";
    if (all->calls[0] && all->mapped) /* it may be written through memory */
        return "read and mapped";
    if (all->calls[0])
        return !fate->exact ? "input" : fate->read_again ? "input, read again" : "input, read once";
    if (!all->calls[1])
        return "opened only";
    if (shared->writers == 1 && all->appends && all->calls[1] >= 16 &&
        all->bytes[1] / all->calls[1] < 2048) /* half of what streams write at once */
        return "log";
    return 2 * fate->written_again >= fate->covered && fate->covered ? "checkpoint" : "output";
}

static void add_row(struct fth_table *table, const struct fth_file_lifetimes_run *run,
                    uint32_t file, const struct fth_shared_file_life *shared,
                    const struct fth_fate *fate)
{
    size_t row = fth_table_add_row(table);
    fth_run_files_put(table, row, FILE_PATH, &run->survey->files[file]);
    fth_table_set(table, row, ROLE, fth_cell_text(role_of(shared, fate)));
    const uint64_t counts[] = {shared->readers, shared->writers, shared->all.bytes[0],
                               shared->all.bytes[1]};
    for (size_t i = 0; i < 4; i++)
        fth_table_increase(table, row, READERS + i, counts[i]);
    if (fate->exact && !fate->may_be_cut)
        fth_table_increase(table, row, REREAD, fate->read_back);
    fth_table_increase(table, row, DELETED, shared->deleters);
}

static void finish(void *state, struct fth_results *results)
{
    struct fth_file_lifetimes_run *run = state;
    struct fth_table *table = fth_results_table_of_files(results, &shape);
    name_below_folders(run);
    fth_file_lifetimes_find(run, results);
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct fth_fate fate = fth_file_lifetimes_fate(results, file);
        if (!run->survey->files[file].noise)
            add_row(table, run, file, fth_indexed_item(&run->files, i), &fate);
    }
    fth_table_sort_by_sum(table, (size_t[]){READ, WRITTEN}, 2);
    fth_results_add(results, table);
    for (uint32_t i = 0; i < run->files.count; i++) {
        struct fth_shared_file_life *shared = fth_indexed_item(&run->files, i);
        fth_shared_safety_free(&shared->safety);
        free(shared->renaming);
        free_life(&shared->all);
    }
    fth_shared_safety_free(&run->of_all);
    fth_indexed_free(&run->files);
    fth_presences_close(&run->presences);
    free(run);
}

const struct fth_pass fth_pass_file_lifetimes = {
    "file_lifetimes", begin, open_process, call, merge, finish, each, by_file, NULL, turns, rounds};
