/* The life of files: who writes them, who reads the written data, which files are created and
 * deleted again, which are renamed before they are synced to disk, and which ones a library
 * opens unasked. */
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "analysis/passes/file_presence.h"
#include "base/indexed.h"
#include "base/memory.h"

#include <string.h>

enum column { FILE_PATH, ROLE, READERS, WRITERS, READ, WRITTEN, REREAD, DELETED };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"role", "role", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"readers", "readers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"writers", "writers", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_read_back", "read after writing", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"deleted", "deleted", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"files_by_role", "Roles of files", columns, 8, 0};

/* Of one process, on the system. */
struct life {
    uint64_t bytes[2], calls[2];
    int64_t time[2];
    int64_t first_write, last_write,
        last_sync; /* ns: starts of the writes, ends of the synchronizations; -1: none */
    /* it is also read or written by other means than calls with its bytes: it is mapped, or the
     * other end of a copy from or to nobody knows where */
    bool elsewhere;
    bool appends; /* each write begins where the last one ended */
    uint64_t next;
    bool created, deleted;
    uint32_t renamed_to; /* + 1; 0: not renamed while it was not safe */
    int64_t renamed_at;  /* ns */
    bool replaces;       /* a file that was there */
    bool unseen;         /* the process has not seen whether a file was there */
    struct fth_example examples[2], rename;
    uint64_t unexpected; /* openings inside a call on another file */
    int64_t unexpected_time;
    const struct fth_function *unexpected_in;
    struct fth_example unexpected_example;
};

struct process {
    struct fth_indexed lives; /* by file */
    struct fth_presences presences;
};

struct shared {
    struct life all;
    uint64_t readers, writers, deleters;
    uint64_t movers, finders; /* that read or write; in which a library opens it unasked */
    int64_t first_write;      /* of all; -1 */
    uint64_t renamed;         /* by so many processes while not safe */
    uint32_t renamed_to;      /* of the run */
    bool synced;              /* made safe on disk at all */
    bool synced_early;        /* of those: made safe, and then written to once more */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed files; /* of struct shared */
    struct fth_presences presences;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->files.size = sizeof(struct shared);
    fth_presences_open(&run->presences);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->lives.size = sizeof(struct life);
    fth_presences_open(&process->presences);
    return process;
}

static struct life *life_of(struct process *process, uint32_t file)
{
    uint32_t before = process->lives.count;
    struct life *life = fth_indexed_get(&process->lives, file, 0);
    if (process->lives.count > before) {
        life->first_write = life->last_write = life->last_sync = -1;
        life->appends = true;
    }
    return life;
}

static void add_moved(struct life *life, const struct fth_frame *frame)
{
    int writes = frame->writes;
    life->bytes[writes] += frame->calls * frame->data.bytes;
    life->calls[writes] += frame->calls;
    FTH_ADD_SATURATING(life->time[writes], frame->times.all);
    fth_example_see(&life->examples[writes], frame);
}

static void write_on(struct life *life, const struct fth_frame *frame)
{
    bool in_a_row =
        frame->calls == 1 || (frame->data.ranges &&
                              frame->data.first + (uint64_t)frame->data.step == frame->data.behind);
    life->appends &= in_a_row && (life->first_write < 0 ||
                                  (frame->data.ranges && frame->data.first == life->next));
    life->next = frame->data.behind + (frame->calls - 1) * (uint64_t)frame->data.step;
    if (life->first_write < 0)
        life->first_write = frame->times.began;
    life->last_write = frame->times.last;
}

static void look_at_opening(struct process *process, const struct fth_frame *frame)
{
    const struct fth_frame *above = fth_frame_above(frame);
    if (!above || above->file.number == FTH_NO_FILE || above->file.number == frame->file.number)
        return;
    struct life *life = life_of(process, frame->file.number);
    life->unexpected++;
    life->unexpected_time +=
        above->times.end - above->times.start < frame->times.end - frame->times.start
            ? 0
            : frame->times.end - frame->times.start;
    life->unexpected_in = above->function;
    fth_example_see(&life->unexpected_example, frame);
}

static bool is_safe(struct process *process, uint32_t file)
{
    const struct life *life = life_of(process, file);
    return life->last_write >= 0 && life->last_sync >= life->last_write;
}

static void rename_file(struct process *process, const struct fth_frame *frame)
{
    struct life *life = life_of(process, frame->file.number);
    if (frame->file.other == FTH_NO_FILE || frame->function->links_name || life->last_write < 0 ||
        life->last_sync >= life->last_write)
        return;
    life->renamed_to = frame->file.other + 1;
    enum fth_presence presence = fth_presence_of(&process->presences, frame->file.other);
    life->renamed_at = frame->times.start;
    life->replaces |= presence == FTH_WORTH_KEEPING;
    life->unseen = presence == FTH_NOT_SEEN;
    fth_example_see(&life->rename, frame);
}

static bool moves_itself(const struct fth_frame *frame)
{
    return frame->class->data && frame->class->system && !frame->data.below[0].calls &&
           !frame->data.below[1].calls;
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    const struct fth_call_class *class = frame->class;
    if (frame->of_library || frame->file.number == FTH_NO_FILE)
        return;
    if (moves_itself(frame)) {
        struct life *life = life_of(process, frame->file.number);
        add_moved(life, frame);
        if (frame->writes)
            write_on(life, frame);
        if (frame->file.other != FTH_NO_FILE && frame->file.other_first < 0)
            life_of(process, frame->file.other)->elsewhere = true;
    } else if (class->kind == FTH_CALLS_SYNC && !class->buffered) {
        life_of(process, frame->file.number)->last_sync = frame->times.end;
        fth_presence_keep(&process->presences, frame->file.number, frame->times.end);
    }
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
            if (!call->writes || i >= frame->all->calls || call->of_library || !moves_itself(call))
                continue;
            call->times.began = call->times.last = frame->times[i * turns->apart].start;
            write_on(life_of(state, call->file.number), call);
            call->data.first += (uint64_t)frame->all->data.step;
            call->data.behind += (uint64_t)frame->all->data.step;
        }
}

static void take(struct process *process, const struct fth_frame *frame)
{
    const struct fth_call_class *class = frame->class;
    if (class->kind == FTH_CALLS_DELETE)
        life_of(process, frame->file.number)->deleted = true;
    else if (class->kind == FTH_CALLS_MAP)
        life_of(process, frame->file.number)->elsewhere = true;
    else if (class->kind == FTH_CALLS_NAME)
        rename_file(process, frame);
    else if (class->kind == FTH_CALLS_OPEN)
        look_at_opening(process, frame);
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (!frame->class->io || frame->of_library || frame->file.number == FTH_NO_FILE ||
        frame->file.object)
        return;
    if (!frame->failed)
        take(process, frame);
    bool renames = frame->class->kind == FTH_CALLS_NAME && !frame->failed;
    fth_presence_see(&process->presences, frame, renames && is_safe(process, frame->file.number));
}

static void expect(void *state, uint32_t file)
{
    fth_indexed_expect(&((const struct process *)state)->lives, file);
}

/* ---- all of them ---- */

static void add_life(struct shared *shared, const struct life *life, const uint32_t *files)
{
    struct life *all = &shared->all;
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
    shared->finders += life->unexpected > 0;
    all->elsewhere |= life->elsewhere;
    shared->synced |= life->last_sync >= 0;
    all->appends |= life->calls[1] && life->appends;
    all->unexpected += life->unexpected;
    FTH_ADD_SATURATING(all->unexpected_time, life->unexpected_time);
    if (life->unexpected)
        all->unexpected_in = life->unexpected_in;
    fth_example_merge(&all->unexpected_example, &life->unexpected_example);
    if (life->renamed_to) {
        shared->renamed++;
        shared->synced_early |= life->last_sync >= 0;
        all->replaces |= life->replaces;
        all->unseen |= life->unseen;
        all->renamed_at = life->renamed_at;
        shared->renamed_to = files[life->renamed_to - 1];
        fth_example_merge(&all->rename, &life->rename);
    }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->lives.count; i++) {
        uint32_t file = files[fth_indexed_at(&process->lives, i)->number];
        add_life(fth_indexed_get(&run->files, file, 0), fth_indexed_item(&process->lives, i),
                 files);
    }
    fth_presences_join(&run->presences, &process->presences, run->survey, files);
    fth_indexed_free(&process->lives);
    fth_presences_close(&process->presences);
    free(process);
}

/* ---- findings ---- */

static bool is_program(const struct run *run, const char *path)
{
    for (size_t proc = 0; proc < fth_trace_process_count(run->survey->trace); proc++)
        if (strcmp(fth_trace_process(run->survey->trace, proc)->executable, path) == 0)
            return true;
    return false;
}

/* Of the bytes that were written, at least so many were not read before the file was deleted. */
static uint64_t unread(const struct life *all, const struct fth_fate *fate)
{
    uint64_t surplus = all->bytes[1] > all->bytes[0] ? all->bytes[1] - all->bytes[0] : 0;
    return fate->never_read > surplus ? fate->never_read : surplus;
}

static void find_never_read(const struct run *run, struct fth_results *results, uint32_t file,
                            const struct shared *shared, const struct fth_fate *fate)
{
    const struct life *all = &shared->all;
    uint64_t bytes = unread(all, fate);
    double share = fth_share(bytes, all->bytes[1]);
    int64_t severity = fth_saturating_integer((double)all->time[1] * share);
    if (!shared->deleters || shared->renamed || all->elsewhere ||
        share < fth_threshold_of(run->survey, FTH_THRESHOLD_SPREAD) ||
        !fth_finding_is_worth(run->survey, severity) ||
        is_program(run, run->survey->files[file].path))
        return;
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &all->examples[1], "written_never_read",
                          "Written, never read, and deleted", severity);
    finding->classes = FTH_CALLS_BIT(FTH_CALLS_WRITE);
    fth_finding_spread(finding, shared->writers);
    fth_finding_say(finding,
                    "Of %s written to the file, %s are never read before the file is deleted.",
                    FTH_BYTES(all->bytes[1]), FTH_BYTES(bytes));
    fth_finding_advise(
        finding, "%s",
        shared->synced ? "The data is synced to disk first, like a journal. Use larger "
                         "transactions, or a log that is kept (SQLite: PRAGMA journal_mode=WAL)."
                       : "Check whether this data is needed at all.");
}

static void find_file(const struct run *run, struct fth_results *results, uint32_t file,
                      const struct shared *shared, const struct fth_fate *fate)
{
    const struct life *all = &shared->all;
    find_never_read(run, results, file, shared, fate);
    const struct fth_survey_file *facts = &run->survey->files[file];
    bool on_network = facts->placed && facts->place.system->scope == FTH_SCOPE_SHARED;
    if (shared->deleters && all->calls[1] && on_network &&
        fth_finding_is_worth(run->survey, all->time[0] + all->time[1])) {
        struct fth_finding *finding = fth_finding_write(
            run->survey, results, file, &all->examples[1], "temporary_on_network",
            "A temporary file is on a network file system", all->time[0] + all->time[1]);
        finding->classes = FTH_CALLS_BIT(FTH_CALLS_READ) | FTH_CALLS_BIT(FTH_CALLS_WRITE);
        fth_finding_spread(finding, shared->movers);
        fth_finding_say(finding, "It is written (%s) and deleted again on %s.",
                        FTH_BYTES(all->bytes[1]), facts->place.system->type);
        fth_finding_advise(finding, "Put it on node-local storage (TMPDIR) or in memory.");
    }
}

/* What was at the name that a file was renamed to. */
static enum fth_presence renamed_over(struct run *run, const struct shared *shared)
{
    const struct life *all = &shared->all;
    if (all->replaces)
        return FTH_WORTH_KEEPING;
    return all->unseen ? fth_presence_before(&run->presences, run->survey, shared->renamed_to,
                                             all->renamed_at)
                       : FTH_MADE_HERE;
}

static void find_renamed(const struct run *run, struct fth_results *results, uint32_t file,
                         const struct shared *shared, enum fth_presence before)
{
    struct fth_finding *finding =
        fth_finding_write(run->survey, results, file, &shared->all.rename, "renamed_before_sync",
                          "Renamed before it was synced to disk", 0);
    fth_finding_spread(finding, shared->renamed);
    bool matters = shared->synced_early || before == FTH_WORTH_KEEPING || before == FTH_NOT_SEEN;
    finding->wrong = matters;
    finding->behind = !shared->synced_early; /* who asks for no safety may not want it */
    finding->aside = !matters;
    fth_finding_say(
        finding,
        "The file is written and then renamed to %s %s. After a crash the file of the new name may "
        "be empty or incomplete%s.%s",
        run->survey->files[shared->renamed_to].path,
        shared->synced_early ? "after an fsync that came before the last bytes were written"
                             : "without an fsync in between",
        before == FTH_WORTH_KEEPING ? ", and the old file is gone" : "",
        before == FTH_NOT_SEEN ? " Whether an older file was replaced is not known: no call looked "
                                 "for this name before."
                               : "");
    fth_finding_advise(finding, "%s",
                       shared->synced_early
                           ? "Flush the buffers first: fflush(stream), fsync(fileno(stream)), "
                             "fclose(stream), and then rename."
                           : "Call fsync(descriptor) before rename.");
}

/* First those that take away most: their text is that of the finding. */
static void find_all_renamed(struct run *run, struct fth_results *results)
{
    static const enum fth_presence ranks[] = {FTH_WORTH_KEEPING, FTH_NOT_SEEN, FTH_MADE_HERE,
                                              FTH_MISSING};
    for (size_t rank = 0; rank < sizeof ranks / sizeof *ranks; rank++)
        for (uint32_t i = 0; i < run->files.count; i++) {
            uint32_t file = fth_indexed_at(&run->files, i)->number;
            const struct shared *shared = fth_indexed_item(&run->files, i);
            if (run->survey->files[file].noise || !shared->renamed)
                continue;
            enum fth_presence before = renamed_over(run, shared);
            if (before == ranks[rank])
                find_renamed(run, results, file, shared, before);
        }
}

/* Files that calls on other files open, one finding for each function that does so. */
static void find_unexpected(const struct run *run, struct fth_results *results)
{
    for (size_t function = 0; function < run->survey->classes->count; function++) {
        const struct fth_function *in = fth_trace_function(run->survey->trace, function);
        struct fth_finding *finding = NULL;
        uint64_t times = 0;
        for (uint32_t i = 0; i < run->files.count; i++) {
            const struct shared *shared = fth_indexed_item(&run->files, i);
            const struct life *all = &shared->all;
            if (!all->unexpected || all->unexpected_in != in ||
                (double)all->unexpected < fth_threshold_of(run->survey, FTH_THRESHOLD_MANY))
                continue;
            if (!finding)
                finding = fth_finding_write(
                    run->survey, results, FTH_NO_FILE, &all->unexpected_example, "unexpected_file",
                    "A library opens files that the program did not ask for", 0);
            FTH_ADD_SATURATING(finding->severity, all->unexpected_time);
            times += all->unexpected;
            fth_finding_spread(finding, shared->finders);
            fth_finding_write_file(finding, run->survey, fth_indexed_at(&run->files, i)->number);
        }
        if (!finding)
            continue;
        finding->classes = FTH_CALLS_BIT(FTH_CALLS_OPEN);
        fth_finding_say(finding, "They are opened %s times inside calls of %s on other files.",
                        FTH_COUNT(times), in->name);
        fth_finding_advise(
            finding,
            "Look for a setting of the library that prevents this, or try a newer version.");
        if (!fth_finding_is_worth(run->survey, finding->severity))
            fth_finding_drop(&results->findings);
    }
}

/* ---- tables ---- */

static const char *role_of(const struct shared *shared, const struct fth_fate *fate)
{
    const struct life *all = &shared->all;
    if (shared->deleters && all->calls[1])
        return "scratch";
    if (all->calls[0] && all->calls[1])
        return fate->read_back   ? "written and read back"
               : fate->passed_on ? "passed on"
                                 : "updated";
    if (all->calls[0])
        return !fate->exact ? "input" : fate->read_again ? "input, read again" : "input, read once";
    if (!all->calls[1])
        return "opened only";
    if (shared->writers == 1 && all->appends && all->calls[1] >= 16 &&
        all->bytes[1] / all->calls[1] < 4096)
        return "log";
    return 2 * fate->written_again >= fate->covered && fate->covered ? "checkpoint" : "output";
}

static void add_row(struct fth_table *table, const struct run *run, uint32_t file,
                    const struct shared *shared, const struct fth_fate *fate)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, FILE_PATH, fth_cell_text(run->survey->files[file].path));
    fth_table_set(table, row, ROLE, fth_cell_text(role_of(shared, fate)));
    const uint64_t counts[] = {shared->readers, shared->writers, shared->all.bytes[0],
                               shared->all.bytes[1]};
    for (size_t i = 0; i < 4; i++)
        fth_table_increase(table, row, READERS + i, counts[i]);
    if (fate->exact)
        fth_table_increase(table, row, REREAD, fate->read_back);
    fth_table_increase(table, row, DELETED, shared->deleters);
}

static struct fth_fate fate_of(struct fth_results *results, uint32_t file)
{
    results->fates.size = sizeof(struct fth_fate); /* of a pass that did not run there are none */
    return *(const struct fth_fate *)fth_indexed_get(&results->fates, file, 0);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    for (uint32_t i = 0; i < run->files.count; i++) {
        uint32_t file = fth_indexed_at(&run->files, i)->number;
        const struct shared *shared = fth_indexed_item(&run->files, i);
        if (run->survey->files[file].noise)
            continue;
        const struct fth_fate fate = fate_of(results, file);
        add_row(table, run, file, shared, &fate);
        find_file(run, results, file, shared, &fate);
    }
    find_all_renamed(run, results);
    find_unexpected(run, results);
    fth_table_sort_by_sum(table, (size_t[]){READ, WRITTEN}, 2);
    fth_results_add(results, table);
    fth_indexed_free(&run->files);
    fth_presences_close(&run->presences);
    free(run);
}

const struct fth_pass fth_pass_file_lifetimes = {
    "file_lifetimes", begin, open_process, call, merge, finish, each, expect, NULL, turns};
