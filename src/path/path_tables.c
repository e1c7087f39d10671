/* What was found, as tables. */
#include "base/memory.h"
#include "base/saturating.h"
#include "path/run_flow.h"

#include <inttypes.h>
#include <stdio.h>

static const char own[] = "the program's own";

/* What time outside of recorded calls is shown as. */
static const char *outside(const struct fth_flow_work *work)
{
    return work->activity == FTH_FLOW_NOT_KNOWN ? FTH_TIME_NOT_KNOWN : own;
}

static struct fth_cell percent(int64_t part, int64_t whole)
{
    return whole > 0 ? (struct fth_cell){.type = FTH_CELL_REAL,
                                         .real = 100.0 * (double)part / (double)whole}
                     : fth_cell_null();
}

static struct fth_cell rank_of(const struct fth_path *path, uint32_t proc)
{
    int64_t rank = fth_trace_process(path->trace, proc)->rank;
    return rank == FTH_NO_RANK ? fth_cell_null() : fth_cell_integer(rank);
}

static const struct fth_function *function_of(const struct fth_path *path, uint16_t function)
{
    return function == FTH_NO_FUNCTION ? NULL : fth_trace_function(path->trace, function);
}

/* Rows without time say nothing. */
static struct fth_table *sorted(struct fth_table *table, size_t column)
{
    fth_table_sort_by_sum(table, &column, 1);
    return table;
}

/* ---- waits ---- */

enum { W_KIND, W_FUNC, W_RANK, W_PROC, W_COUNT, W_TIME, W_SHARE, W_LONGEST, W_CALL, W_CAUSE };
static const struct fth_column wait_columns[] = {
    {"kind", "waits", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"count", "times", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "of its time", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
    {"longest", "longest", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"call", "longest call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"cause", "for proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
};
static const struct fth_shape wait_shape = {"waits", "Waits", wait_columns, 10, 0};

static struct fth_table *waits(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&wait_shape);
    for (size_t i = 0; i < path->results.wait_count; i++) {
        const struct fth_wait_sum *sum = &path->results.waits[i];
        const struct fth_process *process = fth_trace_process(path->trace, sum->proc);
        const struct fth_function *function = function_of(path, sum->function);
        const struct fth_thread_timeline *timeline = &path->timelines[sum->at.timeline];
        char call[64];
        snprintf(call, sizeof call, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, timeline->proc,
                 timeline->thread, fth_flow_call(timeline, fth_path_entry(path, sum->at)));
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, W_KIND, fth_cell_text(fth_wait_name((enum fth_wait)sum->kind)));
        fth_table_set(table, row, W_FUNC, fth_cell_text(function ? function->name : NULL));
        fth_table_set(table, row, W_RANK, rank_of(path, sum->proc));
        fth_table_set(table, row, W_PROC, fth_cell_integer(sum->proc));
        fth_table_set(table, row, W_COUNT, fth_cell_integer((int64_t)sum->count));
        fth_table_set(table, row, W_TIME, fth_cell_integer(sum->time));
        fth_table_set(table, row, W_SHARE,
                      percent(sum->time, fth_analysis_kept_until(process) - process->start));
        fth_table_set(table, row, W_LONGEST, fth_cell_integer(sum->longest));
        fth_table_set(table, row, W_CALL, fth_cell_text(call));
        fth_table_set(table, row, W_CAUSE, fth_cell_integer(sum->cause));
    }
    return sorted(table, W_TIME);
}

enum { C_KIND, C_RANK, C_PROC, C_COUNT, C_TIME };
static const struct fth_column cause_columns[] = {
    {"kind", "waits", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"rank", "for rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "for proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"count", "times", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape cause_shape = {"wait_causes", "Processes that others waited for",
                                             cause_columns, 5, 0};

static struct fth_table *causes(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&cause_shape);
    for (size_t i = 0; i < fth_trace_process_count(path->trace) * FTH_WAITS; i++) {
        const struct fth_wait_sum *sum = &path->results.causes[i];
        if (!sum->count)
            continue;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, C_KIND, fth_cell_text(fth_wait_name((enum fth_wait)sum->kind)));
        fth_table_set(table, row, C_RANK, rank_of(path, sum->proc));
        fth_table_set(table, row, C_PROC, fth_cell_integer(sum->proc));
        fth_table_set(table, row, C_COUNT, fth_cell_integer((int64_t)sum->count));
        fth_table_set(table, row, C_TIME, fth_cell_integer(sum->time));
    }
    return sorted(table, C_TIME);
}

/* ---- the critical path ---- */

static const struct fth_column layer_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"critical_time", "on the path", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape layer_shape = {"critical_layers", "The critical path, by layer",
                                             layer_columns, 3, 1};
static const struct fth_column function_columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"critical_time", "on the path", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape function_shape = {
    "critical_functions", "The critical path, by function", function_columns, 4, 2};
static const struct fth_column file_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"critical_time", "on the path", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape file_shape = {"critical_files", "The critical path, by file",
                                            file_columns, 4, 2};
static const struct fth_column rank_columns[] = {
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"critical_time", "on the path", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape rank_shape = {"critical_ranks", "The critical path, by process",
                                            rank_columns, 4, 0};

/* Keys are the leading columns, then time and share. */
static struct fth_table *critical(const struct fth_path *path, const struct fth_shape *shape)
{
    struct fth_table *table = fth_table_new(shape);
    for (uint32_t i = 0; i < path->work.count; i++) {
        const struct fth_flow_work *work = &path->work.all[i];
        const struct fth_function *function = function_of(path, work->function);
        const char *layer = function ? function->layer : outside(work);
        struct fth_cell key[2] = {fth_cell_text(layer)};
        if (shape == &function_shape) {
            key[0] = fth_cell_text(function ? function->name : outside(work));
            key[1] = fth_cell_text(function ? layer : NULL);
        } else if (shape == &file_shape && work->file == FTH_FLOW_NO_FILE) {
            continue;
        } else if (shape == &file_shape) {
            key[0] = fth_cell_text(fth_path_file(path, work->file));
            key[1] = fth_cell_text(fth_path_file_host(path, work->file));
        }
        if (path->results.critical_work[i] > 0)
            fth_table_increase(table, fth_table_group(table, key), shape->key_count,
                               (uint64_t)path->results.critical_work[i]);
    }
    for (size_t row = 0; row < fth_table_rows(table); row++)
        fth_table_set(
            table, row, shape->key_count + 1,
            percent(fth_table_row(table, row)[shape->key_count].integer, path->sums.length));
    return sorted(table, shape->key_count);
}

static struct fth_table *critical_ranks(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&rank_shape);
    for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        if (!path->results.critical_proc[proc])
            continue;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, rank_of(path, proc));
        fth_table_set(table, row, 1, fth_cell_integer(proc));
        fth_table_set(table, row, 2, fth_cell_integer(path->results.critical_proc[proc]));
        fth_table_set(table, row, 3, percent(path->results.critical_proc[proc], path->sums.length));
    }
    return sorted(table, 2);
}

/* ---- imbalance ---- */

enum { I_FUNC, I_LAYER, I_MEAN, I_MOST, I_RANK, I_PROC, I_IMBALANCE };
static const struct fth_column imbalance_columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"mean", "mean", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"most", "most", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"rank", "on rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "on proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"imbalance", "(most - mean) / most", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape imbalance_shape = {"imbalance", "Time over the processes",
                                                 imbalance_columns, 7, 0};

struct spread {
    int64_t sum, most, now;
    uint32_t proc;
};

static void add_process(const struct fth_path *path, uint32_t proc, struct spread *spreads,
                        size_t functions)
{
    for (uint32_t i = path->first_timeline[proc]; i < path->first_timeline[proc + 1]; i++) {
        const struct fth_thread_timeline *timeline = &path->timelines[i];
        struct fth_flow_shares shares = fth_flow_shares(timeline, 0, timeline->event_count - 1);
        uint32_t work;
        int64_t time;
        while (fth_flow_next_share(&shares, &work, &time)) {
            const struct fth_flow_work *spent = &path->work.all[work];
            if (timeline->of_mpi && spent->function == FTH_NO_FUNCTION)
                continue;
            size_t row = spent->activity == FTH_FLOW_NOT_KNOWN ? functions + 1
                         : spent->function == FTH_NO_FUNCTION  ? functions
                                                               : spent->function;
            FTH_ADD_SATURATING(spreads[row].now, time);
        }
    }
    FTH_ADD_SATURATING(spreads[functions].now, fth_path_silent_time(path, proc));
    for (size_t i = 0; i < functions + 2; i++) {
        struct spread *spread = &spreads[i];
        FTH_ADD_SATURATING(spread->sum, spread->now);
        if (spread->now > spread->most) {
            spread->most = spread->now;
            spread->proc = proc;
        }
        spread->now = 0;
    }
}

/* Of ranks, where there are any; else of processes. */
static struct fth_table *imbalance(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&imbalance_shape);
    size_t functions = path->classes->count, count = 0, ranks = 0;
    struct spread *spreads = fth_new(functions + 2, sizeof *spreads);
    for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++)
        ranks += path->selected[proc] && fth_trace_process(path->trace, proc)->rank != FTH_NO_RANK;
    for (uint32_t proc = 0; proc < fth_trace_process_count(path->trace); proc++) {
        if (!path->selected[proc] ||
            (ranks && fth_trace_process(path->trace, proc)->rank == FTH_NO_RANK))
            continue;
        add_process(path, proc, spreads, functions);
        count++;
    }
    for (size_t i = 0; i < functions + 2 && count > 1; i++) {
        const struct fth_function *function =
            i < functions ? fth_trace_function(path->trace, i) : NULL;
        const struct spread *spread = &spreads[i];
        if (!spread->sum)
            continue;
        int64_t mean = spread->sum / (int64_t)count;
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, I_FUNC,
                      fth_cell_text(function         ? function->name
                                    : i == functions ? own
                                                     : FTH_TIME_NOT_KNOWN));
        fth_table_set(table, row, I_LAYER, fth_cell_text(function ? function->layer : NULL));
        fth_table_set(table, row, I_MEAN, fth_cell_integer(mean));
        fth_table_set(table, row, I_MOST, fth_cell_integer(spread->most));
        fth_table_set(table, row, I_RANK, rank_of(path, spread->proc));
        fth_table_set(table, row, I_PROC, fth_cell_integer(spread->proc));
        fth_table_set(table, row, I_IMBALANCE, percent(spread->most - mean, spread->most));
    }
    free(spreads);
    return sorted(table, I_MOST);
}

/* ---- over the run ---- */

static const struct fth_column interval_columns[] = {
    {"begin", "from", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"end", "to", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"unknown", FTH_TIME_NOT_KNOWN, FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"own", "the program's own", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"io", "I/O", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"messages", "messages", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"waiting", "waiting", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"other", "other calls", FTH_UNIT_TIME, FTH_SHOW_UNLESS_ZERO},
    {"waits", "waits in these", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape interval_shape = {"intervals", "Over the run", interval_columns,
                                                2 + FTH_INTERVAL_PARTS, 0};

static struct fth_table *intervals(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&interval_shape);
    double length = (double)(path->end - path->begin) / FTH_INTERVALS;
    for (size_t i = 0; i < FTH_INTERVALS && length > 0; i++) {
        size_t row = fth_table_add_row(table);
        for (size_t k = 0; k < 2; k++)
            fth_table_set(table, row, k,
                          fth_cell_integer(path->begin + (int64_t)(length * (double)(i + k))));
        for (size_t part = 0; part < FTH_INTERVAL_PARTS; part++)
            fth_table_set(table, row, 2 + part, fth_cell_integer(path->results.intervals[i][part]));
    }
    return table;
}

/* ---- what if ---- */

static const struct fth_column change_columns[] = {
    {"without", "without", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"kind", "kind", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"length", "its length", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"saved", "saved at most", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "of the path", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape change_shape = {
    "what_if", "How long the critical path would be without ...", change_columns, 5, 0};

static void add_change(const struct fth_path *path, struct fth_table *table, const char *without,
                       const char *kind, const struct fth_path_change *change)
{
    int64_t without_it = fth_path_without(path, change), whole = path->sums.length,
            length = without_it < whole ? without_it : whole, saved = whole - length;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, 0, fth_cell_text(without));
    fth_table_set(table, row, 1, fth_cell_text(kind));
    fth_table_set(table, row, 2, fth_cell_integer(length));
    fth_table_set(table, row, 3, fth_cell_integer(saved));
    fth_table_set(table, row, 4, percent(saved, whole));
}

static bool is_io(void *context, const struct fth_path_work *work)
{
    (void)context;
    return work->io;
}

/* Of calls on this file, whatever layer. */
static bool is_file(void *context, const struct fth_path_work *work)
{
    return work->file == context;
}

static bool is_chosen(void *context, const struct fth_path_work *work)
{
    (void)context;
    return work->chosen;
}

/* Less than a hundredth of the run is not asked for: each takes one walk over all events. */
static bool is_much(const struct fth_path *path, int64_t time)
{
    return time > 0 && time >= path->sums.length / 100;
}

static void add_files(const struct fth_path *path, struct fth_table *table)
{
    int64_t *times = fth_new((size_t)path->files.count + 1, sizeof *times);
    for (uint32_t i = 0; i < path->work.count; i++)
        if (path->work.all[i].file != FTH_FLOW_NO_FILE)
            times[path->work.all[i].file] += path->results.critical_work[i];
    for (int i = 0; i < 3; i++) {
        uint32_t most = 0;
        for (uint32_t file = 1; file < path->files.count; file++)
            most = times[file] > times[most] ? file : most;
        if (!is_much(path, times[most]))
            break;
        const char *file = fth_path_file(path, most), *host = fth_path_file_host(path, most);
        char *name = fth_text_format("%s%s%s", host ? host : "", host ? ":" : "", file);
        add_change(path, table, name, "file",
                   &(struct fth_path_change){.gone = is_file, .context = (void *)(uintptr_t)file});
        free(name);
        times[most] = 0;
    }
    free(times);
}

static struct fth_table *what_if(const struct fth_path *path)
{
    struct fth_table *table = fth_table_new(&change_shape);
    int64_t io = 0, waiting[FTH_WAITS] = {0};
    if (path->is_of_a_part) /* other ranks would do what nobody knows */
        return table;
    for (uint32_t i = 0; i < path->work.count; i++)
        FTH_ADD_SATURATING(io, path->work.all[i].io ? path->results.critical_work[i] : 0);
    for (size_t i = 0; i < path->results.wait_count; i++)
        FTH_ADD_SATURATING(waiting[path->results.waits[i].kind], path->results.waits[i].time);
    if (path->where)
        add_change(path, table, "calls that --where chooses", "where",
                   &(struct fth_path_change){.gone = is_chosen});
    if (is_much(path, io))
        add_change(path, table, "I/O", "all", &(struct fth_path_change){.gone = is_io});
    add_files(path, table);
    for (unsigned kind = 0; kind < FTH_WAIT_PIPE; kind++)
        if (is_much(path, waiting[kind]) && kind != FTH_WAIT_WRITER)
            add_change(path, table, fth_wait_name((enum fth_wait)kind), "waits",
                       &(struct fth_path_change){.waits = 1u << kind});
    if (fth_path_computes_unevenly(path))
        add_change(path, table, "compute_imbalance", "balance",
                   &(struct fth_path_change){.balanced = true});
    if (path->sums.late_io > 0)
        add_change(path, table, "io_imbalance", "balance_io",
                   &(struct fth_path_change){.balanced_io = true});
    return sorted(table, 3);
}

struct fth_table *fth_path_table(const struct fth_path *path, enum fth_path_table which)
{
    switch (which) {
    case FTH_PATH_WAITS:
        return waits(path);
    case FTH_PATH_CAUSES:
        return causes(path);
    case FTH_PATH_LAYERS:
        return critical(path, &layer_shape);
    case FTH_PATH_FUNCTIONS:
        return critical(path, &function_shape);
    case FTH_PATH_FILES:
        return critical(path, &file_shape);
    case FTH_PATH_RANKS:
        return critical_ranks(path);
    case FTH_PATH_IMBALANCE:
        return imbalance(path);
    case FTH_PATH_INTERVALS:
        return intervals(path);
    case FTH_PATH_WHAT_IF:
        return what_if(path);
    case FTH_PATH_PARTS:
        return fth_path_parts_table(path);
    case FTH_PATH_MESSAGES:
        return fth_path_messages_table(path);
    case FTH_PATH_TABLES:
        break;
    }
    return NULL;
}
