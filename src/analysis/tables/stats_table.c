/* The statistics pass: adds up the sums of processes in five tables. */
#include "analysis/tables/stats_table.h"

#include "analysis/calls/around.h"
#include "analysis/select/noise.h"
#include "analysis/survey/run_files.h"
#include "catalog/values.h"
#include "trace/record/builtin.h"

#include <fathom/files.h>
#include <stdlib.h>
#include <string.h>

#define CALLS                                                                                      \
    {                                                                                              \
        "calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS                                          \
    }
#define ERRORS                                                                                     \
    {                                                                                              \
        "errors", "failed", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO                                   \
    }
#define BYTES_READ                                                                                 \
    {                                                                                              \
        "bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS                                      \
    }
#define BYTES_WRITTEN                                                                              \
    {                                                                                              \
        "bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS                                \
    }
#define TIME                                                                                       \
    {                                                                                              \
        "time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS                                             \
    }
#define COUNT(name)                                                                                \
    {                                                                                              \
        name, name, FTH_UNIT_COUNT, FTH_SHOW_ALWAYS                                                \
    }

enum total_column {
    T_PROCESSES,
    T_IMAGES,
    T_RANKS,
    T_THREADS,
    T_FILES,
    T_SYSTEM_FILES,
    T_CALLS,
    T_ERRORS,
    T_READ,
    T_WRITTEN,
    T_TIME
};
static const struct fth_column total_columns[] = {
    COUNT("processes"), COUNT("images"),       COUNT("ranks"), COUNT("threads"),
    COUNT("files"),     COUNT("system_files"), CALLS,          ERRORS,
    BYTES_READ,         BYTES_WRITTEN,         TIME,
};

enum function_column {
    F_FUNC,
    F_LAYER,
    F_KIND,
    F_CALLS,
    F_ERRORS,
    F_READ,
    F_WRITTEN,
    F_TIME,
    F_SHORTEST,
    F_MEAN,
    F_LONGEST
};
static const struct fth_column function_columns[] = {
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"kind", "kind", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    CALLS,
    ERRORS,
    BYTES_READ,
    BYTES_WRITTEN,
    TIME,
    {"shortest", "min", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"mean", "mean", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"longest", "max", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};

enum file_column {
    P_PATH,
    P_HOST,
    P_SYSTEM,
    P_SCOPE,
    P_STRIPES,
    P_STRIPE_SIZE,
    P_OPENS,
    P_READ,
    P_WRITTEN,
    P_CALLS,
    P_TIME
};
static const struct fth_column file_columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"file_system", "on", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"scope", "scope", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"stripe_count", "stripes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_NULL},
    {"stripe_size", "stripe", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_NULL},
    COUNT("opens"),
    BYTES_READ,
    BYTES_WRITTEN,
    CALLS,
    TIME,
};

enum layer_column { L_LAYER, L_CALLS, L_READ, L_WRITTEN, L_TIME };
static const struct fth_column layer_columns[] = {
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS}, CALLS, BYTES_READ, BYTES_WRITTEN, TIME,
};

enum rank_column { R_WORLD, R_RANK, R_PROC, R_PROGRAM, R_CALLS, R_READ, R_WRITTEN, R_TIME };
static const struct fth_column rank_columns[] = {
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_SAME},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"program", "program", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    CALLS,
    BYTES_READ,
    BYTES_WRITTEN,
    TIME,
};

#define WIDTH(columns) (sizeof(columns) / sizeof *(columns))
const struct fth_shape fth_stats_shapes[FTH_STATS_TABLES] = {
    [FTH_STATS_TOTAL] = {"total", "Total", total_columns, WIDTH(total_columns), 0},
    [FTH_STATS_FUNCTIONS] = {"functions", "Functions", function_columns, WIDTH(function_columns),
                             2},
    [FTH_STATS_FILES] = {"files", "Files", file_columns, WIDTH(file_columns), 2},
    [FTH_STATS_LAYERS] = {"layers", "Layers", layer_columns, WIDTH(layer_columns), 1},
    [FTH_STATS_RANKS] = {"ranks", "Processes", rank_columns, WIDTH(rank_columns), 2},
};

/* Bytes and time add up only where they were not counted before. Rows get them all the same: 0 is
 * not null. */
static void add(struct fth_table *table, size_t row, size_t first, const uint64_t *values,
                size_t count, bool counted)
{
    for (size_t i = 0; i < count; i++)
        fth_table_increase(table, row, first + i, counted ? values[i] : 0);
}

/* How long calls of the row took: the shortest, the mean, the longest. */
static void add_durations(struct fth_table *table, size_t row, const struct fth_function_sum *sum)
{
    if (row == FTH_NO_ROW || !sum->calls)
        return;
    const struct fth_cell *cells = fth_table_row(table, row);
    int64_t calls = cells[F_CALLS].integer, time = cells[F_TIME].integer;
    bool first = cells[F_SHORTEST].type == FTH_CELL_NULL;
    if (first || sum->shortest < cells[F_SHORTEST].integer)
        fth_table_set(table, row, F_SHORTEST, fth_cell_integer(sum->shortest));
    if (first || sum->longest > cells[F_LONGEST].integer)
        fth_table_set(table, row, F_LONGEST, fth_cell_integer(sum->longest));
    fth_table_set(table, row, F_MEAN, fth_cell_integer(calls > 0 ? time / calls : 0));
}

static void add_function(struct fth_table *table, const struct fth_function_sum *sum)
{
    const struct fth_function *function = sum->function;
    struct fth_cell key[] = {fth_cell_text(function->name), fth_cell_text(function->layer)};
    size_t row = fth_table_group(table, key);
    if (row != FTH_NO_ROW && fth_table_row(table, row)[F_KIND].type == FTH_CELL_NULL)
        fth_table_set(table, row, F_KIND, fth_cell_text(function->kind));
    uint64_t values[] = {sum->calls, sum->errors, sum->bytes_read, sum->bytes_written,
                         (uint64_t)sum->time};
    add(table, row, F_CALLS, values, 5, true);
    add_durations(table, row, sum);
}

static void add_layer(struct fth_table *table, const struct fth_function_sum *sum)
{
    struct fth_cell key = fth_cell_text(sum->function->layer);
    size_t row = fth_table_group(table, &key);
    uint64_t bytes[] = {sum->bytes_read, sum->bytes_written}, time = (uint64_t)sum->time;
    /* Inside of a system call stand calls of a signal handler. Their time is in it, their bytes are
     * not. */
    bool of_handler =
        fth_layer_is(sum->function->layer, FTH_LAYER_SYSTEM) && !sum->inside_unbuffered_call;
    fth_table_increase(table, row, L_CALLS, sum->calls);
    add(table, row, L_READ, bytes, 2, !sum->inside_same_layer || of_handler);
    add(table, row, L_READ + 2, &time, 1, !sum->inside_same_layer);
}

/* Bytes of files, once: not those that a buffer holds back, nor those of calls inside a call that
 * counts them. Time of calls that are not inside others on files or of their layer; that of regions
 * is the program's own. */
static void add_once(struct fth_table *table, size_t row, size_t first,
                     const struct fth_function_sum *sum, bool above_buffers)
{
    uint64_t bytes[] = {sum->bytes_read, sum->bytes_written}, time = (uint64_t)sum->time;
    bool counted = above_buffers && sum->function->buffered
                       ? !sum->inside_file_call
                       : !sum->function->buffered && !sum->inside_unbuffered_call;
    add(table, row, first, bytes, 2, counted);
    add(table, row, first + 2, &time, 1,
        !sum->inside_file_call && !sum->inside_same_layer &&
            !fth_analysis_is_of_application(sum->function));
}

static void add_rank(struct fth_table *table, size_t row, const struct fth_function_sum *sum,
                     bool above_buffers)
{
    fth_table_increase(table, row, R_CALLS, sum->calls);
    add_once(table, row, R_READ, sum, above_buffers);
}

static void add_total(struct fth_table *table, const struct fth_function_sum *sum,
                      bool above_buffers)
{
    fth_table_increase(table, 0, T_CALLS, sum->calls);
    fth_table_increase(table, 0, T_ERRORS, sum->errors);
    add_once(table, 0, T_READ, sum, above_buffers);
}

static void set_place(struct fth_table *table, size_t row, const struct fth_file *file)
{
    fth_table_set(table, row, P_SYSTEM, fth_cell_text(file->system->type));
    fth_table_set(table, row, P_SCOPE,
                  fth_cell_text(file->system->scope == FTH_SCOPE_SHARED ? "shared" : "node"));
    if (!file->stripe_count)
        return;
    fth_table_set(table, row, P_STRIPES, fth_cell_integer((int64_t)file->stripe_count));
    fth_table_set(table, row, P_STRIPE_SIZE, fth_cell_integer((int64_t)file->stripe_size));
}

/* Of a file system of their own, nodes have files of their own with the same path. */
static void add_file(struct fth_table *table, const struct fth_trace *trace, size_t proc,
                     const struct fth_file_sum *sum, bool several_nodes)
{
    struct fth_file file;
    bool known = fth_trace_file(trace, proc, sum->path, &file);
    bool own = known && several_nodes && file.system->scope == FTH_SCOPE_NODE;
    struct fth_cell key[] = {fth_cell_text(sum->path),
                             fth_cell_text(own ? fth_trace_process(trace, proc)->host : NULL)};
    size_t row = fth_table_group(table, key);
    if (known && row != FTH_NO_ROW && fth_table_row(table, row)[P_SYSTEM].type == FTH_CELL_NULL)
        set_place(table, row, &file);
    uint64_t values[] = {sum->opens, sum->bytes_read, sum->bytes_written, sum->calls,
                         (uint64_t)sum->time};
    add(table, row, P_OPENS, values, 5, true);
}

/* A rank's program is the one that it ended up with. */
static void name_row(struct fth_table *table, size_t row, const struct fth_process *process,
                     size_t proc)
{
    const char *slash = strrchr(process->executable, '/');
    if (fth_table_row(table, row)[R_PROC].type == FTH_CELL_NULL)
        fth_table_set(table, row, R_PROC, fth_cell_integer((int64_t)proc));
    fth_table_set(table, row, R_PROGRAM, fth_cell_text(slash ? slash + 1 : process->executable));
}

/* The row of a process among the ranks, with zeros in it: a process that made no calls is there
 * too. */
static size_t rank_row(struct fth_table *table, const struct fth_process *process, size_t proc)
{
    struct fth_cell key[] = {fth_cell_integer(process->world), fth_cell_integer(process->rank)};
    bool in_mpi = process->rank != FTH_NO_RANK;
    size_t row = in_mpi ? fth_table_group(table, key) : fth_table_add_row(table);
    if (row != FTH_NO_ROW)
        name_row(table, row, process, proc);
    for (size_t column = R_CALLS; column <= R_TIME; column++)
        fth_table_increase(table, row, column, 0);
    return row;
}

/* Does it ask about files, or change them otherwise than by reads and writes? */
static bool is_other_call(const struct fth_function *function)
{
    bool of_files = false;
    for (size_t i = 0; i < function->parameter_count; i++)
        of_files = of_files || !strncmp(function->parameters[i].role, "path", 4) ||
                   !strcmp(function->parameters[i].role, "use");
    return of_files && strcmp(function->kind, "read") != 0 && strcmp(function->kind, "write") != 0;
}

static void add_sums(struct fth_stats *stats, struct fth_trace *trace, size_t proc,
                     const struct fth_function_sum *functions, size_t function_count,
                     const struct fth_file_sum *files, size_t file_count, bool above_buffers)
{
    const struct fth_process *process = fth_trace_process(trace, proc);
    struct fth_table **tables = stats->tables;
    size_t row = rank_row(tables[FTH_STATS_RANKS], process, proc);
    fth_table_increase(tables[FTH_STATS_TOTAL], 0, T_IMAGES, 1);
    fth_table_increase(tables[FTH_STATS_TOTAL], 0, T_THREADS, process->thread_count);
    for (size_t i = 0; i < function_count; i++) {
        add_function(tables[FTH_STATS_FUNCTIONS], &functions[i]);
        add_layer(tables[FTH_STATS_LAYERS], &functions[i]);
        add_rank(tables[FTH_STATS_RANKS], row, &functions[i], above_buffers);
        add_total(tables[FTH_STATS_TOTAL], &functions[i], above_buffers);
        stats->other_calls = stats->other_calls || is_other_call(functions[i].function);
    }
    for (size_t i = 0; i < file_count; i++)
        add_file(tables[FTH_STATS_FILES], trace, proc, &files[i], stats->several_nodes);
}

static int add_process(struct fth_stats *stats, struct fth_trace *trace, size_t proc,
                       struct fth_error **error)
{
    const struct fth_function_sum *functions;
    const struct fth_file_sum *files;
    size_t function_count, file_count;
    if (!fth_trace_function_sums(trace, proc, &functions, &function_count, error) ||
        !fth_trace_file_sums(trace, proc, &files, &file_count, error))
        return fth_fail_in(error, "cannot read the sums of process %zu", proc);
    add_sums(stats, trace, proc, functions, function_count, files, file_count, false);
    return 0;
}

/* Of the calls that --where is about. */
static int add_some_calls(struct fth_stats *stats, struct fth_trace *trace, size_t proc,
                          const struct fth_selection *selection, enum fth_where_scope scope,
                          struct fth_progress *progress, struct fth_error **error)
{
    struct fth_sums sums = {0};
    int result = fth_analysis_sums(trace, selection, scope, proc, progress, &sums, error);
    if (!result)
        add_sums(stats, trace, proc, sums.functions, sums.function_count, sums.files,
                 sums.file_count, sums.above_buffers);
    fth_analysis_sums_free(&sums);
    return result;
}

static uint64_t count_ranks(const struct fth_table *ranks)
{
    uint64_t count = 0;
    for (size_t row = 0; row < fth_table_rows(ranks); row++)
        count += fth_table_row(ranks, row)[R_RANK].type != FTH_CELL_NULL;
    return count;
}

/* Was it opened, or did bytes go there? Names that were only asked for may be of no file, and pipes
 * are none. Where all calls read or write, as in a log of Darshan, so did those without bytes. */
static bool is_file_in_use(const struct fth_stats *stats, const struct fth_cell *row)
{
    static const char *const others[] = {"pipe:[", "socket:[", "anon_inode:"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(row[P_PATH].text, others[i], strlen(others[i])) == 0)
            return false;
    return row[P_OPENS].integer || row[P_READ].integer || row[P_WRITTEN].integer ||
           !stats->other_calls;
}

static void count_files(const struct fth_stats *stats)
{
    const struct fth_table *files = stats->tables[FTH_STATS_FILES];
    struct fth_table *total = stats->tables[FTH_STATS_TOTAL];
    for (size_t row = 0; row < fth_table_rows(files); row++) {
        const struct fth_cell *cells = fth_table_row(files, row);
        bool moved = cells[P_READ].integer || cells[P_WRITTEN].integer;
        if (!is_file_in_use(stats, cells))
            continue;
        fth_table_increase(total, 0, T_FILES, 1);
        fth_table_increase(total, 0, T_SYSTEM_FILES,
                           fth_analysis_is_noise(cells[P_PATH].text, moved));
    }
}

/* Natural order, and what is known only at the end. */
static void finish(struct fth_stats *stats)
{
    struct fth_table **tables = stats->tables;
    fth_table_sort(tables[FTH_STATS_FUNCTIONS], (size_t[]){F_FUNC, F_LAYER}, 2);
    fth_table_sort(tables[FTH_STATS_FILES], (size_t[]){P_PATH, P_HOST}, 2);
    fth_table_sort(tables[FTH_STATS_LAYERS], (size_t[]){L_LAYER}, 1);
    fth_table_sort(tables[FTH_STATS_RANKS], (size_t[]){R_WORLD, R_RANK, R_PROC}, 3);
    fth_table_increase(tables[FTH_STATS_TOTAL], 0, T_RANKS, count_ranks(tables[FTH_STATS_RANKS]));
    count_files(stats);
}

static struct fth_stats *make(struct fth_error **error)
{
    struct fth_stats *stats = calloc(1, sizeof *stats);
    bool made = stats;
    for (size_t i = 0; made && i < FTH_STATS_TABLES; i++)
        made = (stats->tables[i] = fth_table_new(&fth_stats_shapes[i]));
    if (made) {
        size_t row = fth_table_add_row(stats->tables[FTH_STATS_TOTAL]);
        for (size_t column = 0; column <= T_TIME; column++)
            fth_table_increase(stats->tables[FTH_STATS_TOTAL], row, column, 0);
        return stats;
    }
    fth_fail(error, "out of memory");
    fth_analysis_stats_free(stats);
    return NULL;
}

static bool ran_out_of_memory(const struct fth_stats *stats)
{
    for (size_t i = 0; i < FTH_STATS_TABLES; i++)
        if (fth_table_failed(stats->tables[i]))
            return true;
    return false;
}

struct fth_stats *fth_analysis_stats(struct fth_trace *trace, const struct fth_selection *selection,
                                     enum fth_where_scope scope, struct fth_progress *progress,
                                     struct fth_error **error)
{
    struct fth_stats *stats = make(error);
    int result = stats ? 0 : -1;
    if (stats)
        stats->several_nodes = fth_analysis_has_several_nodes(trace);
    size_t count = fth_trace_process_count(trace);
    for (size_t proc = 0; !result && proc < count; proc++) {
        bool selected = fth_analysis_selects_process(selection, trace, proc);
        if (selected && !fth_analysis_goes_on(selection, trace, proc))
            fth_table_increase(stats->tables[FTH_STATS_TOTAL], 0, T_PROCESSES, 1);
        if (selected)
            result = selection->where
                         ? add_some_calls(stats, trace, proc, selection, scope, progress, error)
                         : add_process(stats, trace, proc, error);
        fth_progress_add(progress, selection->where ? 0 : 1);
    }
    if (!result)
        finish(stats);
    if (!result && ran_out_of_memory(stats))
        result = fth_fail(error, "out of memory");
    if (!result)
        return stats;
    fth_analysis_stats_free(stats);
    return NULL;
}

void fth_analysis_stats_free(struct fth_stats *stats)
{
    for (size_t i = 0; stats && i < FTH_STATS_TABLES; i++)
        fth_table_free(stats->tables[i]);
    free(stats);
}

void fth_analysis_stats_sort(struct fth_stats *stats, enum fth_stats_table which,
                             enum fth_stats_order order)
{
    static const char *const by[][2] = {
        [FTH_STATS_BY_TIME] = {"time", "time"},
        [FTH_STATS_BY_BYTES] = {"bytes_read", "bytes_written"},
        [FTH_STATS_BY_CALLS] = {"calls", "calls"},
    };
    struct fth_table *table = stats->tables[which];
    size_t columns[] = {fth_table_column(table, by[order][0]),
                        fth_table_column(table, by[order][1])};
    fth_table_sort_by_sum(table, columns, order == FTH_STATS_BY_BYTES ? 2 : 1);
}
