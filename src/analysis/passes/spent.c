/* Where the time went: the time of calls without that of the calls inside of them, by layer and by process. What is left of a process's life is the program's own.
 *
 * Only the thread that made the first call counts: what other threads do goes on beside it. */
#include "analysis/passes/passes.h"

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

enum rank_column { R_WORLD, R_RANK, R_PROC, R_PROGRAM, R_LIFE, R_IO, R_MESSAGES, R_OTHER, R_OWN };
static const struct fth_column rank_columns[] = {
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"life", "lasted", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"other", "other calls", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"own", "its own", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape rank_shape = {
    "time_by_process", "Where the time of each process went", rank_columns, 9, 0};

struct spent {
    uint64_t calls;
    int64_t time;
};

struct process {
    size_t proc, layer_count;
    struct spent *layers; /* exclusive */
    int64_t io, messages, other;
};

struct run {
    const struct fth_survey *survey;
    struct spent *layers;
    struct fth_table *ranks;
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->layers = fth_new(survey->works->layer_count + 1, sizeof *run->layers);
    run->ranks = fth_table_new(&rank_shape);
    return run;
}

static void *open_process(void *state, size_t proc)
{
    const struct run *run = state;
    struct process *process = fth_new(1, sizeof *process);
    process->proc = proc;
    process->layer_count = run->survey->works->layer_count;
    process->layers = fth_new(process->layer_count + 1, sizeof *process->layers);
    return process;
}

static void call(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    struct spent *layer = &process->layers[frame->work->layer];
    layer->calls += frame->calls;
    if (frame->thread || frame->work->region)
        return;
    layer->time += frame->own;
    if (frame->work->io)
        process->io += frame->own;
    else if (frame->work->messages)
        process->messages += frame->own;
    else
        process->other += frame->own;
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    (void)files;
    struct run *run = run_state;
    struct process *process = state;
    const struct fth_process *facts = fth_trace_process(run->survey->trace, process->proc);
    const char *slash = strrchr(facts->executable, '/');
    int64_t life = facts->end - facts->start,
            own = life - process->io - process->messages - process->other;
    size_t row = fth_table_add_row(run->ranks);
    if (facts->rank != FTH_NO_RANK) {
        fth_table_set(run->ranks, row, R_WORLD, fth_cell_integer(facts->world));
        fth_table_set(run->ranks, row, R_RANK, fth_cell_integer(facts->rank));
    }
    fth_table_set(run->ranks, row, R_PROC, fth_cell_integer((int64_t)process->proc));
    fth_table_set(run->ranks, row, R_PROGRAM, fth_cell_text(slash ? slash + 1 : facts->executable));
    const int64_t times[] = {life, process->io, process->messages, process->other,
                             own > 0 ? own : 0};
    for (size_t i = 0; i < 5; i++)
        fth_table_set(run->ranks, row, R_LIFE + i, fth_cell_integer(times[i]));
    for (size_t i = 0; i < process->layer_count; i++) {
        run->layers[i].calls += process->layers[i].calls;
        run->layers[i].time += process->layers[i].time;
    }
    free(process->layers);
    free(process);
}

static void add_row(struct fth_table *table, const char *layer, uint64_t calls, int64_t time,
                    int64_t whole)
{
    struct fth_cell key = fth_cell_text(layer);
    size_t row = fth_table_group(table, &key);
    if (calls)
        fth_table_set(table, row, T_CALLS, fth_cell_integer((int64_t)calls));
    fth_table_set(table, row, T_TIME, fth_cell_integer(time));
    if (whole > 0)
        fth_table_set(
            table, row, T_SHARE,
            (struct fth_cell){.type = FTH_CELL_REAL, .real = 100.0 * (double)time / (double)whole});
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    const struct fth_works *works = run->survey->works;
    struct fth_table *table = fth_table_new(&time_shape);
    int64_t left = run->survey->whole;
    for (size_t i = 0; i < works->layer_count; i++) {
        left -= run->layers[i].time;
        if (run->layers[i].calls)
            add_row(table, works->layers[i], run->layers[i].calls, run->layers[i].time,
                    run->survey->whole);
    }
    fth_table_sort_by_sum(table, (size_t[]){T_TIME}, 1);
    add_row(table, run->survey->selection->where ? "all else" : "the program's own", 0,
            left > 0 ? left : 0, run->survey->whole);
    fth_results_add(results, table);
    fth_results_add(results, run->ranks);
    free(run->layers);
    free(run);
}

const struct fth_pass fth_pass_spent = {"spent", begin,  open_process, call,
                                        merge,   finish, NULL,         NULL};
