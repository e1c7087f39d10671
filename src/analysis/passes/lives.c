/* What becomes of files: who writes, who reads what was written, what is made and deleted again, what is renamed before it is safe on disk, who does the I/O of all, and files that nobody asked a library for. */
#include "analysis/passes/passes.h"

#include "analysis/passes/telling.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

enum column { FILE_PATH, ROLE, READERS, WRITERS, READ, WRITTEN, REREAD, DELETED };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"role", "what it is like", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"readers", "readers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"writers", "writers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read_back", "read after writing", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"deleted", "deleted", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"files_by_role", "What files were for", columns, 8, 0};

enum sharing_column { S_DIRECTION, S_PROCESSES, S_OF, S_FILES, S_CLASS, S_BYTES };
static const struct fth_column sharing_columns[] = {
    {"direction", "", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"processes", "processes", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"of", "of", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"files", "files", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"class", "class", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape sharing_shape = {"sharing", "How processes share files",
                                               sharing_columns, 6, 0};

/* Of one process, on the system. */
struct life {
    uint64_t bytes[2], calls[2];
    int64_t time[2];
    int64_t first_write, last_write,
        last_sync;      /* ns: starts of the writes, ends of the synchronizations; -1: none */
    uint64_t read_back; /* bytes that were read after this process had written to the file */
    int64_t read_back_time;
    bool appends; /* each write begins where the last one ended */
    uint64_t next;
    bool created, deleted;
    uint32_t renamed_to; /* + 1; 0: not renamed while it was not safe */
    struct fth_example example, rename;
    uint64_t unexpected; /* openings inside a call on another file */
    int64_t unexpected_time;
    const struct fth_function *unexpected_in;
    struct fth_example unexpected_example;
};

struct process {
    struct fth_keyed lives; /* by file */
};

struct shared {
    struct life all;
    uint64_t readers, writers, deleters;
    int64_t first_write; /* of all; -1 */
    uint64_t renamed;    /* by so many processes while not safe */
    uint32_t renamed_to; /* of the run */
};

struct run {
    const struct fth_survey *survey;
    struct fth_keyed files;       /* of struct shared */
    uint64_t bytes[2], movers[2]; /* of all; processes that moved any */
    uint64_t most_bytes[2];       /* by one process */
    int64_t most_time[2];
    struct fth_example most_example[2];
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct shared);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->lives.size = sizeof(struct life);
    return process;
}

static struct life *life_of(struct process *process, uint32_t file)
{
    uint32_t before = fth_keyed_count(&process->lives);
    struct life *life = fth_keyed_get(&process->lives, &file, sizeof file);
    if (fth_keyed_count(&process->lives) > before) {
        life->first_write = life->last_write = life->last_sync = -1;
        life->appends = true;
    }
    return life;
}

static void move(struct life *life, const struct fth_frame *frame)
{
    int writes = frame->writes;
    life->bytes[writes] += frame->bytes;
    life->calls[writes]++;
    life->time[writes] += frame->end - frame->start;
    fth_example_see(&life->example, frame);
    if (!writes) {
        if (life->first_write >= 0) {
            life->read_back += frame->bytes;
            life->read_back_time += frame->end - frame->start;
        }
        return;
    }
    life->appends &= life->first_write < 0 || (frame->ranges && frame->first == life->next);
    life->next = frame->behind;
    if (life->first_write < 0)
        life->first_write = frame->start;
    life->last_write = frame->start;
}

static void look_at_opening(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    if (!above || above->file == FTH_NO_FILE || above->file == frame->file)
        return;
    struct life *life = life_of(process, frame->file);
    life->unexpected++;
    life->unexpected_time +=
        above->end - above->start < frame->end - frame->start ? 0 : frame->end - frame->start;
    life->unexpected_in = above->function;
    fth_example_see(&life->unexpected_example, frame);
}

static void rename_file(struct process *process, const struct fth_frame *frame)
{
    struct life *life = life_of(process, frame->file);
    if (frame->other == FTH_NO_FILE || frame->function->links_name || life->last_write < 0 ||
        life->last_sync >= life->last_write)
        return;
    life->renamed_to = frame->other + 1;
    fth_example_see(&life->rename, frame);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_work *work = frame->work;
    if (!work->io || frame->failed || frame->file == FTH_NO_FILE)
        return;
    if (work->data && work->system && !frame->below[0].calls && !frame->below[1].calls)
        move(life_of(process, frame->file), frame);
    else if (work->kind == FTH_WORK_SYNC && !work->buffered)
        life_of(process, frame->file)->last_sync = frame->end;
    else if (work->kind == FTH_WORK_DELETE)
        life_of(process, frame->file)->deleted = true;
    else if (work->kind == FTH_WORK_NAME)
        rename_file(process, frame);
    else if (work->kind == FTH_WORK_OPEN)
        look_at_opening(process, frame);
}

/* ---- all of them ---- */

static void add_life(struct shared *shared, const struct life *life, const uint32_t *files)
{
    struct life *all = &shared->all;
    for (int writes = 0; writes < 2; writes++) {
        all->bytes[writes] += life->bytes[writes];
        all->calls[writes] += life->calls[writes];
        all->time[writes] += life->time[writes];
    }
    shared->readers += life->calls[0] > 0;
    shared->writers += life->calls[1] > 0;
    shared->deleters += life->deleted;
    all->read_back += life->read_back;
    all->read_back_time += life->read_back_time;
    all->appends |= life->calls[1] && life->appends;
    all->unexpected += life->unexpected;
    all->unexpected_time += life->unexpected_time;
    if (life->unexpected)
        all->unexpected_in = life->unexpected_in;
    fth_example_merge(&all->unexpected_example, &life->unexpected_example);
    fth_example_merge(&all->example, &life->example);
    if (life->renamed_to) {
        shared->renamed++;
        shared->renamed_to = files[life->renamed_to - 1];
        fth_example_merge(&all->rename, &life->rename);
    }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    uint64_t bytes[2] = {0, 0};
    int64_t time[2] = {0, 0};
    struct fth_example example = {0};
    for (uint32_t i = 0; i < fth_keyed_count(&process->lives); i++) {
        uint32_t file = files[*(const uint32_t *)fth_keyed_key(&process->lives, i)];
        const struct life *life = fth_keyed_item(&process->lives, i);
        add_life(fth_keyed_get(&run->files, &file, sizeof file), life, files);
        for (int writes = 0; writes < 2 && !run->survey->files[file].noise; writes++) {
            bytes[writes] += life->bytes[writes];
            time[writes] += life->time[writes];
        }
        fth_example_merge(&example, &life->example);
    }
    for (int writes = 0; writes < 2; writes++) {
        run->bytes[writes] += bytes[writes];
        run->movers[writes] += bytes[writes] > 0;
        if (bytes[writes] > run->most_bytes[writes]) {
            run->most_bytes[writes] = bytes[writes];
            run->most_time[writes] = time[writes];
            run->most_example[writes] = example;
        }
    }
    fth_keyed_free(&process->lives);
    free(process);
}

/* ---- findings ---- */

static struct fth_finding *tell(const struct run *run, struct fth_results *results, uint32_t file,
                                const struct fth_example *example, const char *kind,
                                const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_add(&results->findings, kind, title);
    finding->severity = severity;
    fth_tell_file(finding, run->survey, file);
    fth_tell_example(finding, run->survey, example);
    return finding;
}

static void find_file(const struct run *run, struct fth_results *results, uint32_t file,
                      const struct shared *shared)
{
    const struct life *all = &shared->all;
    const struct fth_survey_file *facts = &run->survey->files[file];
    bool on_network = facts->placed && facts->place.system->scope == FTH_SCOPE_SHARED;
    if (shared->renamed) {
        struct fth_finding *finding = tell(run, results, file, &all->rename, "renamed_before_sync",
                                           "Renamed before it was safe on disk", 0);
        finding->wrong = true;
        fth_finding_say(finding,
                        "The file is written, and renamed to %s without fsync in between: after a "
                        "crash the new name may have an empty or torn file.",
                        run->survey->files[shared->renamed_to].path);
        fth_finding_advise(finding, "fsync(descriptor) before rename.");
    }
    if (all->read_back && fth_is_worth(run->survey, all->read_back_time)) {
        struct fth_finding *finding = tell(run, results, file, &all->example, "read_back",
                                           "What was written is read back", all->read_back_time);
        fth_finding_say(finding, "%s are read from the file by processes that have written to it.",
                        FTH_BYTES(all->read_back));
        fth_finding_advise(finding, "keep what is needed in memory, or on storage of the node.");
    }
    if (shared->deleters && all->calls[1] && on_network &&
        fth_is_worth(run->survey, all->time[0] + all->time[1])) {
        struct fth_finding *finding = tell(
            run, results, file, &all->example, "temporary_on_network",
            "A temporary file is on a file system of the network", all->time[0] + all->time[1]);
        fth_finding_say(finding, "It is written (%s) and deleted again on %s.",
                        FTH_BYTES(all->bytes[1]), facts->place.system->type);
        fth_finding_advise(finding, "storage of the node (TMPDIR), or memory.");
    }
    if (shared->deleters && all->calls[1] && !all->calls[0] && !shared->renamed &&
        fth_is_worth(run->survey, all->time[1])) {
        struct fth_finding *finding = tell(run, results, file, &all->example, "written_never_read",
                                           "Written, never read, and deleted", all->time[1]);
        fth_finding_say(finding,
                        "%s are written to a file that is deleted before anybody reads them.",
                        FTH_BYTES(all->bytes[1]));
        fth_finding_advise(finding, "is the file needed at all?");
    }
    if ((double)all->unexpected >= fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) &&
        fth_is_worth(run->survey, all->unexpected_time)) {
        struct fth_finding *finding =
            tell(run, results, file, &all->unexpected_example, "unexpected_file",
                 "A library opens a file that nobody asked for", all->unexpected_time);
        fth_finding_say(finding,
                        "It is opened %s times inside of calls like %s that are about other files.",
                        FTH_COUNT(all->unexpected), all->unexpected_in->name);
        fth_finding_advise(finding, "look for a setting of the library, or a newer version of it.");
    }
}

/* One process does the I/O of a parallel program. */
static void find_serial(const struct run *run, struct fth_results *results)
{
    for (int writes = 0; writes < 2; writes++) {
        int64_t severity = run->survey->rank_count > 1
                               ? run->most_time[writes] * (int64_t)(run->survey->rank_count - 1)
                               : 0;
        if (run->survey->rank_count < 2 || run->movers[writes] != 1 ||
            !fth_is_worth(run->survey, run->most_time[writes]))
            continue;
        struct fth_finding *finding =
            tell(run, results, FTH_NO_FILE, &run->most_example[writes], "serial_io",
                 writes ? "One process writes for all" : "One process reads for all", severity);
        fth_finding_say(finding,
                        "One of %zu ranks moves all %s; the others may wait for it for %s.",
                        run->survey->rank_count, FTH_BYTES(run->bytes[writes]),
                        FTH_TIME(run->most_time[writes]));
        fth_finding_advise(
            finding,
            "parallel I/O: MPI-IO, parallel HDF5 or NetCDF, or a file for each group of ranks.");
    }
}

/* ---- tables ---- */

static const char *role_of(const struct shared *shared)
{
    const struct life *all = &shared->all;
    if (shared->deleters && all->calls[1])
        return "scratch";
    if (all->calls[0] && all->calls[1])
        return all->read_back ? "written and read back" : "updated";
    if (all->calls[0])
        return "input";
    if (!all->calls[1])
        return "opened only";
    if (shared->writers == 1 && all->appends && all->calls[1] >= 16 &&
        all->bytes[1] / all->calls[1] < 4096)
        return "log";
    return "output";
}

static void add_row(struct fth_table *table, const struct run *run, uint32_t file,
                    const struct shared *shared)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, FILE_PATH, fth_cell_text(run->survey->files[file].path));
    fth_table_set(table, row, ROLE, fth_cell_text(role_of(shared)));
    const uint64_t counts[] = {shared->readers,      shared->writers,       shared->all.bytes[0],
                               shared->all.bytes[1], shared->all.read_back, shared->deleters};
    for (size_t i = 0; i < 6; i++)
        fth_table_increase(table, row, READERS + i, counts[i]);
}

/* N: all processes, M: some, 1 (Chen Wang 2022, 4.7). */
static const char *class_of(uint64_t processes, uint64_t of, uint64_t files)
{
    if (processes == 1)
        return files == 1 ? "1-1" : "1-M";
    if (processes == of)
        return files == 1 ? "N-1" : files >= of ? "N-N" : "N-M";
    return files == 1 ? "M-1" : "M-M";
}

static void add_sharing(struct fth_table *table, const struct run *run, const uint64_t *files)
{
    for (int writes = 0; writes < 2; writes++) {
        if (!run->movers[writes])
            continue;
        uint64_t of =
            run->survey->rank_count ? run->survey->rank_count : run->survey->process_count;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, S_DIRECTION, fth_cell_text(writes ? "write" : "read"));
        const uint64_t counts[] = {run->movers[writes], of, files[writes]};
        for (size_t i = 0; i < 3; i++)
            fth_table_increase(table, row, S_PROCESSES + i, counts[i]);
        fth_table_set(table, row, S_CLASS,
                      fth_cell_text(class_of(run->movers[writes], of, files[writes])));
        fth_table_increase(table, row, S_BYTES, run->bytes[writes]);
    }
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape), *sharing = fth_table_new(&sharing_shape);
    uint64_t files[2] = {0, 0};
    for (uint32_t i = 0; i < fth_keyed_count(&run->files); i++) {
        uint32_t file = *(const uint32_t *)fth_keyed_key(&run->files, i);
        const struct shared *shared = fth_keyed_item(&run->files, i);
        if (run->survey->files[file].noise) {
            if (shared->all.unexpected)
                find_file(run, results, file, shared);
            continue;
        }
        files[0] += shared->all.calls[0] > 0;
        files[1] += shared->all.calls[1] > 0;
        add_row(table, run, file, shared);
        find_file(run, results, file, shared);
    }
    find_serial(run, results);
    fth_table_sort_by_sum(table, (size_t[]){READ, WRITTEN}, 2);
    add_sharing(sharing, run, files);
    fth_results_add(results, table);
    fth_results_add(results, sharing);
    fth_keyed_free(&run->files);
    free(run);
}

const struct fth_pass fth_pass_lives = {"lives", begin, open_process, call, merge, finish};
