/* Where the time of all threads went: the time of calls without that of the calls inside of them,
 * by layer and by process. Calls that wait for others (fth_activity) have a row of their own. What
 * is left of the lifetimes of threads is the program's own; of processes that were only watched in
 * some phases it is not known. */
#include "analysis/passes/passes.h"
#include "analysis/select/select.h"
#include "base/saturating.h"

#include "base/memory.h"

#include <string.h>

enum time_column { T_LAYER, T_CALLS, T_TIME, T_SHARE };
static const struct fth_column time_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape time_shape = {"time", "Where the time went", time_columns, 4, 1};

enum rank_column {
    R_WORLD,
    R_RANK,
    R_PROC,
    R_PROGRAM,
    R_LIFE,
    R_THREADS,
    R_THREAD_TIME,
    R_IO,
    R_MESSAGES,
    R_WAITING,
    R_OTHER,
    R_OWN,
    R_UNKNOWN
};
static const struct fth_column rank_columns[] = {
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"life", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"threads", "threads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_SAME},
    {"thread_time", "thread time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"waiting", "waiting", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"other", "other calls", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"own", "its own", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"unknown", "not known", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
};
static const struct fth_shape rank_shape = {"time_by_process",
                                            "Where the time of each process went", rank_columns,
                                            sizeof rank_columns / sizeof *rank_columns, 0};

struct spent {
    uint64_t calls;
    int64_t time;
};

struct process {
    size_t proc, layer_count;
    struct spent *layers; /* exclusive, without what waits */
    struct spent waiting;
    int64_t io, messages, other;
};

struct run {
    const struct fth_survey *survey;
    struct spent *layers, waiting;
    int64_t unknown;
    bool is_watched;
    struct fth_table *ranks;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->layers = fth_new(survey->classes->layer_count + 1, sizeof *run->layers);
    run->ranks = fth_table_new(&rank_shape);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->layer_count = run->survey->classes->layer_count;
    process->layers = fth_new(process->layer_count + 1, sizeof *process->layers);
    return process;
}

static int64_t *part_of(struct process *process, enum fth_activity activity)
{
    return activity < FTH_ACTIVITY_IO_KINDS    ? &process->io
           : activity == FTH_ACTIVITY_MESSAGES ? &process->messages
           : activity == FTH_ACTIVITY_WAITING  ? &process->waiting.time
                                               : &process->other;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    bool waits = frame->activity == FTH_ACTIVITY_WAITING;
    struct spent *layer = &process->layers[frame->class->layer];
    *(waits ? &process->waiting.calls : &layer->calls) += frame->calls;
    if (frame->device || frame->class->region)
        return;
    int64_t *part = part_of(process, frame->activity);
    FTH_ADD_SATURATING(*part, frame->times.own);
    if (!waits)
        FTH_ADD_SATURATING(layer->time, frame->times.own);
}

/* `rest`: ns outside of recorded calls. */
static void put_rest(struct run *run, size_t row, size_t proc, int64_t rest)
{
    bool is_watched = fth_analysis_is_watched(run->survey->trace, proc);
    rest = rest > 0 ? rest : 0;
    fth_table_set(run->ranks, row, R_OWN, is_watched ? fth_cell_null() : fth_cell_integer(rest));
    fth_table_set(run->ranks, row, R_UNKNOWN, fth_cell_integer(is_watched ? rest : 0));
    run->is_watched |= is_watched;
    FTH_ADD_SATURATING(run->unknown, is_watched ? rest : 0);
}

static void add_process(struct run *run, const struct process *process)
{
    const struct fth_process *facts = fth_trace_process(run->survey->trace, process->proc);
    const struct fth_survey_lifetime *lifetime = &run->survey->lifetimes[process->proc];
    const char *slash = strrchr(facts->executable, '/');
    int64_t in_calls =
        fth_saturating_sum(fth_saturating_sum(process->io, process->messages),
                           fth_saturating_sum(process->waiting.time, process->other));
    size_t row = fth_table_add_row(run->ranks);
    if (facts->rank != FTH_NO_RANK) {
        fth_table_set(run->ranks, row, R_WORLD, fth_cell_integer(facts->world));
        fth_table_set(run->ranks, row, R_RANK, fth_cell_integer(facts->rank));
    }
    fth_table_set(run->ranks, row, R_PROC, fth_cell_integer((int64_t)process->proc));
    fth_table_set(run->ranks, row, R_PROGRAM, fth_cell_text(slash ? slash + 1 : facts->executable));
    fth_table_set(run->ranks, row, R_LIFE, fth_cell_integer(facts->end - facts->start));
    fth_table_set(run->ranks, row, R_THREADS, fth_cell_integer((int64_t)lifetime->threads));
    const int64_t times[] = {lifetime->time, process->io, process->messages, process->waiting.time,
                             process->other};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        fth_table_set(run->ranks, row, R_THREAD_TIME + i, fth_cell_integer(times[i]));
    put_rest(run, row, process->proc, lifetime->time - in_calls);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    (void)files;
    struct run *run = run_state;
    struct process *process = state;
    add_process(run, process);
    run->waiting.calls += process->waiting.calls;
    FTH_ADD_SATURATING(run->waiting.time, process->waiting.time);
    for (size_t i = 0; i < process->layer_count; i++) {
        run->layers[i].calls += process->layers[i].calls;
        FTH_ADD_SATURATING(run->layers[i].time, process->layers[i].time);
    }
    free(process->layers);
    free(process);
}

static void add_row(struct fth_table *table, const char *layer, const struct spent *spent,
                    int64_t whole)
{
    struct fth_cell key = fth_cell_text(layer);
    size_t row = fth_table_group(table, &key);
    if (spent->calls)
        fth_table_set(table, row, T_CALLS, fth_cell_integer((int64_t)spent->calls));
    fth_table_set(table, row, T_TIME, fth_cell_integer(spent->time));
    if (whole > 0)
        fth_table_set(table, row, T_SHARE,
                      fth_cell_real(100.0 * (double)spent->time / (double)whole));
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    const struct fth_survey *survey = run->survey;
    const struct fth_call_classes *classes = survey->classes;
    struct fth_table *table = fth_table_new(&time_shape);
    int64_t in_calls = run->waiting.time;
    for (size_t i = 0; i < classes->layer_count; i++)
        FTH_ADD_SATURATING(in_calls, run->layers[i].time);
    results->in_calls = in_calls;
    /* Clocks that were off may make calls longer than the lifetimes of threads: shares add up all
     * the same. */
    int64_t whole = survey->lifetime.time > in_calls ? survey->lifetime.time : in_calls;
    for (size_t i = 0; i < classes->layer_count; i++)
        if (run->layers[i].calls)
            add_row(table, classes->layers[i], &run->layers[i], whole);
    if (run->waiting.calls)
        add_row(table, "waiting", &run->waiting, whole);
    fth_table_sort_by_sum(table, (size_t[]){T_TIME}, 1);
    int64_t rest = whole - in_calls, unknown = run->unknown < rest ? run->unknown : rest;
    if (run->is_watched)
        add_row(table, FTH_TIME_NOT_KNOWN, &(struct spent){.time = unknown}, whole);
    add_row(table, survey->selection->where ? "all else" : "the program's own",
            &(struct spent){.time = rest - unknown}, whole);
    fth_results_add(results, table);
    fth_results_add(results, run->ranks);
    free(run->layers);
    free(run);
}

const struct fth_pass fth_pass_spent = {
    "spent", begin, open_process,         call, merge, finish, NULL, NULL,
    NULL,    NULL,  fth_pass_takes_rounds};
