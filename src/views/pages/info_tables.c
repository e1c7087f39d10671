/* Tables of what is in a trace: the processes, for formats that have no facts (the columns are the
 * keys that facts have, but for the command, which is a line), and what takes the space. */
#include "views/pages/info_page.h"

#include "views/output/display_text.h"

#include <stdlib.h>

enum column {
    PROC,
    PARENT,
    WORLD,
    RANK,
    PID,
    HOST,
    EXE,
    COMMAND,
    DIRECTORY,
    MPI,
    MPI_ABI,
    START,
    END,
    ENDED,
    REAPED,
    LAUNCHER,
    THREADS,
    CALLS,
    EXCLUDED,
    LOST,
    SUMMED,
    CLOCK,
    CLOCK_ERROR,
    COLUMNS
};
static const struct fth_column columns[COLUMNS] = {
    [PROC] = {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [PARENT] = {"parent_proc", "parent", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [WORLD] = {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [RANK] = {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [PID] = {"pid", "pid", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [HOST] = {"host", "host", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [EXE] = {"exe", "executable", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [COMMAND] = {"command", "command", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [DIRECTORY] = {"directory", "directory", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    [MPI] = {"mpi", "MPI", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [MPI_ABI] = {"mpi_abi", "ABI of MPI", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [START] = {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [END] = {"end", "end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [ENDED] = {"how_ended", "ended", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [REAPED] = {"reaped", "reaped", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    [LAUNCHER] = {"launcher", "launcher", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    [THREADS] = {"threads", "threads", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [CALLS] = {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [EXCLUDED] = {"excluded", "excluded", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [LOST] = {"lost", "lost", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [SUMMED] = {"summed", "in sums only", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    [CLOCK] = {"clock", "clock", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    [CLOCK_ERROR] = {"clock_error", "clock error", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"processes", "Processes", columns, COLUMNS, 0};

/* The words as a shell takes them. */
static void set_command(struct fth_table *table, size_t row, const struct fth_process *process)
{
    struct fth_sink command;
    fth_sink_open_memory(&command);
    for (size_t i = 0; i < process->argument_count; i++) {
        fth_sink_text(&command, i ? " " : "");
        fth_views_put_argument(&command, process->arguments[i]);
    }
    fth_sink_char(&command, 0);
    fth_table_set(table, row, COMMAND, fth_cell_text(command.failed ? NULL : command.bytes));
    fth_sink_close_memory(&command);
}

static struct fth_cell number_or_null(int64_t value)
{
    return value < 0 ? fth_cell_null() : fth_cell_integer(value);
}

static void add_process(struct fth_table *table, const struct fth_process *process, size_t proc)
{
    const struct {
        enum column column;
        struct fth_cell cell;
    } cells[] = {
        {PROC, fth_cell_integer((int64_t)proc)},
        {PARENT, number_or_null(process->parent_proc)},
        {WORLD, number_or_null(process->world)},
        {RANK, number_or_null(process->rank)},
        {PID, fth_cell_integer(process->pid)},
        {HOST, fth_cell_text(process->host)},
        {EXE, fth_cell_text(process->executable)},
        {DIRECTORY, fth_cell_text(process->directory)},
        {MPI, fth_cell_text(process->mpi)},
        {MPI_ABI, fth_cell_text(process->mpi_abi)},
        {START, fth_cell_integer(process->start)},
        {END, fth_cell_integer(process->end)},
        {ENDED, fth_cell_text(process->how_ended)},
        {REAPED,
         process->reaped == FTH_NO_TIME ? fth_cell_null() : fth_cell_integer(process->reaped)},
        {LAUNCHER, fth_cell_integer(process->launcher)},
        {THREADS, fth_cell_integer((int64_t)process->thread_count)},
        {CALLS, fth_cell_integer((int64_t)process->calls)},
        {EXCLUDED, fth_cell_integer((int64_t)process->excluded)},
        {LOST, fth_cell_integer((int64_t)process->lost)},
        {SUMMED, fth_cell_integer((int64_t)process->summed)},
        {CLOCK, fth_cell_text(process->clock)},
        {CLOCK_ERROR, process->clock_error == FTH_NO_ERROR
                          ? fth_cell_null()
                          : fth_cell_integer(process->clock_error)},
    };
    size_t row = fth_table_add_row(table);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        fth_table_set(table, row, cells[i].column, cells[i].cell);
    set_command(table, row, process);
}

struct fth_table *fth_views_processes(const struct fth_trace *trace)
{
    struct fth_table *table = fth_table_new(&shape);
    for (size_t proc = 0; table && proc < fth_trace_process_count(trace); proc++)
        add_process(table, fth_trace_process(trace, proc), proc);
    if (table && !fth_table_failed(table))
        return table;
    fth_table_free(table);
    return NULL;
}

/* ---- what takes the space ---- */

static const struct fth_column size_columns[] = {
    {"part", "part", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"bytes", "size", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"per_call", "bytes per call", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
};
static const struct fth_shape size_shape = {"sizes", "What takes up the space", size_columns, 3, 0};

struct fth_table *fth_views_sizes(const struct fth_trace_info *info)
{
    const struct {
        const char *part;
        uint64_t bytes;
    } parts[] = {
        {"time stamps", info->time_bytes},
        {"literals (values that are not predictable)", info->literal_bytes},
        {"signatures (functions with parameters, sums)", info->signature_bytes},
        {"grammars (order of calls)", info->grammar_bytes},
        {"counts (of polls, waits and retries per process)", info->count_bytes},
        {"strings (paths, names)", info->string_bytes},
        {"processes (names, clocks, sums of times)", info->process_bytes},
        {"samples (of the machine's counters)", info->sample_bytes},
        {"other (catalogue, metadata of the run)", info->other_bytes},
    };
    struct fth_table *table = fth_table_new(&size_shape);
    for (size_t i = 0; table && i < sizeof parts / sizeof *parts; i++) {
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(parts[i].part));
        fth_table_set(table, row, 1, fth_cell_integer((int64_t)parts[i].bytes));
        if (info->calls)
            fth_table_set(table, row, 2,
                          fth_cell_real((double)parts[i].bytes / (double)info->calls));
    }
    if (!table || fth_table_failed(table)) {
        fth_table_free(table);
        return NULL;
    }
    fth_table_sort_by_sum(table, (size_t[]){1}, 1);
    return table;
}

static const struct fth_column cost_columns[] = {
    {"function", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"signatures", "signatures", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"symbols", "symbols", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"literal_bytes", "literals", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"time_bytes", "times", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};
static const struct fth_shape cost_shape = {"functions", "What each function costs", cost_columns,
                                            6, 0};

struct fth_table *fth_views_costs(struct fth_trace *trace, struct fth_error **error)
{
    struct fth_function_cost *costs;
    size_t count;
    if (!fth_trace_function_costs(trace, &costs, &count, error))
        return NULL;
    struct fth_table *table = fth_table_new(&cost_shape);
    for (size_t i = 0; table && i < count; i++) {
        const uint64_t numbers[] = {costs[i].calls, costs[i].signatures, costs[i].symbols,
                                    costs[i].literal_bytes, costs[i].time_bytes};
        size_t row = fth_table_add_row(table);
        fth_table_set(table, row, 0, fth_cell_text(costs[i].function->name));
        for (size_t k = 0; k < 5; k++)
            fth_table_set(table, row, k + 1, fth_cell_integer((int64_t)numbers[k]));
    }
    free(costs);
    if (table && !fth_table_failed(table))
        return table;
    fth_table_free(table);
    fth_fail(error, "out of memory");
    return NULL;
}
