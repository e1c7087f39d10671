/* Calls whose number depends on who comes first, and not on what the program does: polling, what
 * goes through pipes and sockets, signals to whoever is still there, the end of a process, attempts
 * that may be repeated, what MPI and its launcher do for themselves; memory of the allocator and of
 * threads, which has no file; and all that a process did whose output nobody read to the end. How
 * often a process makes them differs from run to run. The table has their number by process,
 * function and file, and the bytes of those of sessions and of such a process, for those who
 * compare runs. */
#include "analysis/passes/passes.h"

#include "analysis/select/noise.h"
#include "base/indexed.h"
#include "base/memory.h"
#include "model/reading/trace_functions.h"

#include <errno.h>
#include <string.h>

static const struct fth_column columns[FTH_UNSTEADY_COLUMNS] = {
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape shape = {"unsteady", "Calls whose number depends on timing", columns,
                                       FTH_UNSTEADY_COLUMNS, FTH_UNSTEADY_CALLS};

/* By file of the process and function; those about no file by 0 and function. */
struct calls {
    const struct fth_function *function;
    uint64_t steady, unsteady;
    uint64_t bytes_read, bytes_written; /* of all of them */
};

enum { FEW_CALLS = 3 /* on most files: open, read, close */ };
struct process {
    size_t proc;
    bool is_cut;                          /* by the end of whoever read what it wrote */
    struct fth_indexed of_files, of_none; /* of struct calls */
};

struct run {
    const struct fth_survey *survey;
    struct fth_table *table;
};

static const char ended_by_sigpipe[] = "signal 13";

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->table = fth_table_new(&shape);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    struct process *process = fth_new(1, sizeof *process);
    (void)state;
    process->proc = proc;
    process->of_files.size = process->of_none.size = sizeof(struct calls);
    process->of_files.expected = FEW_CALLS * fth_indexed_bytes(&process->of_files);
    return process;
}

static bool may_be_tried_again(int64_t error)
{
    return error == EAGAIN || error == EINTR || error == ETIMEDOUT || error == EINPROGRESS;
}

/* Who lets others go on does it as often as they wait; who asks for a level polls. A signal goes to
 * those who are still there. */
static bool is_about_others(const struct fth_function *function)
{
    return function->orders &&
           (!strcmp(function->orders, "up") || !strcmp(function->orders, "level") ||
            !strcmp(function->orders, "signal"));
}

/* A folder has as many entries as others have put there. */
static bool is_unsteady(const struct fth_frame *frame)
{
    if (frame->of_library || (frame->failed && may_be_tried_again(frame->error_number)))
        return true;
    switch (frame->class->kind) {
    case FTH_CALLS_POLL:
    case FTH_CALLS_PROBE:
    case FTH_CALLS_TEST:
    case FTH_CALLS_LIST:
        return true;
    case FTH_CALLS_MAP:
        return frame->file.number == FTH_NO_FILE && frame->file.about == FTH_NO_FILE;
    case FTH_CALLS_READ:
    case FTH_CALLS_WRITE:
        return frame->file.to_others;
    default:
        return frame->activity == FTH_ACTIVITY_WAITING || is_about_others(frame->function);
    }
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    uint32_t known = frame->file.number == FTH_NO_FILE ? frame->file.about : frame->file.number;
    struct calls *calls = known == FTH_NO_FILE
                              ? fth_indexed_get(&process->of_none, 0, frame->class->index)
                              : fth_indexed_get(&process->of_files, known, frame->class->index);
    calls->function = frame->function;
    *(is_unsteady(frame) ? &calls->unsteady : &calls->steady) += frame->calls;
    calls->bytes_read += frame->reads ? frame->data.bytes : 0;
    calls->bytes_written += frame->writes ? frame->data.bytes : 0;
    process->is_cut |= frame->failed && frame->error_number == EPIPE;
}

static struct fth_indexed *by_file(void *state)
{
    return &((struct process *)state)->of_files;
}

static void add(const struct run *run, size_t proc, const struct calls *calls, const char *path,
                bool all)
{
    const struct fth_process *facts = fth_trace_process(run->survey->trace, proc);
    bool ranked = facts->rank != FTH_NO_RANK;
    const struct fth_cell key[] = {
        ranked ? fth_cell_integer(facts->world) : fth_cell_null(),
        ranked ? fth_cell_integer(facts->rank) : fth_cell_null(),
        fth_cell_integer((int64_t)proc),
        fth_cell_text(calls->function->layer),
        fth_cell_text(calls->function->name),
        fth_cell_text(path),
    };
    size_t row = fth_table_group(run->table, key);
    fth_table_increase(run->table, row, FTH_UNSTEADY_CALLS,
                       calls->unsteady + (all ? calls->steady : 0));
    fth_table_increase(run->table, row, FTH_UNSTEADY_READ, all ? calls->bytes_read : 0);
    fth_table_increase(run->table, row, FTH_UNSTEADY_WRITTEN, all ? calls->bytes_written : 0);
}

/* A process ends by itself, or by a signal of another one. */
static bool ends_process(const struct run *run, const struct fth_function *function)
{
    return fth_trace_row(run->survey->trace, function)->flags & FTH_CALL_NORETURN;
}

/* files NULL: they are about none. */
static void add_calls(const struct run *run, const struct process *process,
                      const struct fth_indexed *all, const uint32_t *files)
{
    for (uint32_t place = 0; place < all->count; place++) {
        uint32_t file = fth_indexed_at(all, place)->number;
        const struct calls *calls = fth_indexed_item(all, place);
        const char *path = files ? run->survey->files[files[file]].path : NULL;
        bool takes_all = process->is_cut || ends_process(run, calls->function) ||
                         (path && fth_analysis_is_of_session(path));
        if (calls->unsteady || takes_all)
            add(run, process->proc, calls, path, takes_all);
    }
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    const struct run *run = run_state;
    struct process *process = state;
    const char *end = fth_trace_process(run->survey->trace, process->proc)->how_ended;
    process->is_cut |= end && !strcmp(end, ended_by_sigpipe);
    add_calls(run, process, &process->of_none, NULL);
    add_calls(run, process, &process->of_files, files);
    fth_indexed_free(&process->of_files);
    fth_indexed_free(&process->of_none);
    free(process);
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    fth_results_add(results, run->table);
    free(run);
}

const struct fth_pass fth_pass_unsteady = {
    "unsteady", begin, open_process,         call, merge, finish, NULL, by_file,
    NULL,       NULL,  fth_pass_takes_rounds};
