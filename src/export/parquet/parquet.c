/* A dataset of Apache Parquet: a folder with a folder for each table. Tables with rows for calls
 * are divided by ranks, as `ranks=0-63`, which readers of datasets take for a column. */
#include "export/shared/exporter.h"

#include "analysis/tables/handles_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "export/shared/function_numbers.h"
#include "export/parquet/dataset.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- columns ---- */

enum call_column {
    PROC,
    WORLD,
    RANK,
    THREAD,
    CALL,
    PARENT,
    PARENT_THREAD,
    LAYER,
    FUNCTION,
    KIND,
    DEPTH,
    START,
    END,
    FILE_PATH,
    OBJECT,
    BYTES,
    COLLECTIVE,
    RESULT,
    RESULT_NAME,
    ERRNO,
    ERROR,
    SOURCE,
    CALL_COLUMNS
};
static const struct fth_parquet_column call_columns[CALL_COLUMNS] = {
    [PROC] = {"proc", FTH_PARQUET_INT32, false, NULL},
    [WORLD] = {"world", FTH_PARQUET_INT32, true, NULL},
    [RANK] = {"rank", FTH_PARQUET_INT32, true, NULL},
    [THREAD] = {"thread", FTH_PARQUET_INT32, false, NULL},
    [CALL] = {"call", FTH_PARQUET_INT64, false, NULL},
    [PARENT] = {"parent", FTH_PARQUET_INT64, true, NULL},
    [PARENT_THREAD] = {"parent_thread", FTH_PARQUET_INT32, true, NULL},
    [LAYER] = {"layer", FTH_PARQUET_TEXT, false, NULL},
    [FUNCTION] = {"func", FTH_PARQUET_TEXT, false, NULL},
    [KIND] = {"kind", FTH_PARQUET_TEXT, false, NULL},
    [DEPTH] = {"depth", FTH_PARQUET_INT32, false, NULL},
    [START] = {"start", FTH_PARQUET_INT64, false, "ns"},
    [END] = {"end", FTH_PARQUET_INT64, false, "ns"},
    [FILE_PATH] = {"file", FTH_PARQUET_TEXT, true, NULL},
    [OBJECT] = {"object", FTH_PARQUET_TEXT, true, NULL},
    [BYTES] = {"bytes", FTH_PARQUET_INT64, true, "bytes"},
    [COLLECTIVE] = {"collective", FTH_PARQUET_BOOLEAN, false, NULL},
    [RESULT] = {"ret", FTH_PARQUET_INT64, true, NULL},
    [RESULT_NAME] = {"ret_name", FTH_PARQUET_TEXT, true, NULL},
    [ERRNO] = {"errno", FTH_PARQUET_INT64, true, NULL},
    [ERROR] = {"error", FTH_PARQUET_TEXT, true, NULL},
    [SOURCE] = {"source", FTH_PARQUET_TEXT, true, NULL},
};

enum access_column {
    A_PROC,
    A_RANK,
    A_THREAD,
    A_CALL,
    A_LAYER,
    A_FUNCTION,
    A_START,
    A_END,
    A_FILE,
    A_WRITES,
    A_OFFSET,
    A_BYTES,
    ACCESS_COLUMNS
};
static const struct fth_parquet_column access_columns[ACCESS_COLUMNS] = {
    [A_PROC] = {"proc", FTH_PARQUET_INT32, false, NULL},
    [A_RANK] = {"rank", FTH_PARQUET_INT32, true, NULL},
    [A_THREAD] = {"thread", FTH_PARQUET_INT32, false, NULL},
    [A_CALL] = {"call", FTH_PARQUET_INT64, false, NULL},
    [A_LAYER] = {"layer", FTH_PARQUET_TEXT, false, NULL},
    [A_FUNCTION] = {"func", FTH_PARQUET_TEXT, false, NULL},
    [A_START] = {"start", FTH_PARQUET_INT64, false, "ns"},
    [A_END] = {"end", FTH_PARQUET_INT64, false, "ns"},
    [A_FILE] = {"file", FTH_PARQUET_TEXT, true, NULL},
    [A_WRITES] = {"writes", FTH_PARQUET_BOOLEAN, false, NULL},
    [A_OFFSET] = {"offset", FTH_PARQUET_INT64, true, "bytes"},
    [A_BYTES] = {"bytes", FTH_PARQUET_INT64, false, "bytes"},
};

/* ---- parts ---- */

struct shared {
    struct fth_function_numbers functions;
    char *facts;
};

struct state {
    struct fth_parquet *calls, *accesses, *handles;
    struct fth_parquet_column *handle_columns;
};

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared = fth_new(1, sizeof *shared);
    fth_function_numbers_begin(&shared->functions, exported->trace);
    shared->facts = fth_dataset_facts(exported->trace);
    return fth_dataset_begin(exported, shared->facts, error);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared;
    int result = *error ? -1 : fth_dataset_end(exported, shared->facts, error);
    fth_function_numbers_end(&shared->functions);
    free(shared->facts);
    free(shared);
    return result;
}

static const char *const handle_leading[] = {"proc", "rank"};
enum { HANDLE_LEADING = sizeof handle_leading / sizeof *handle_leading };

static bool wants_accesses(const struct fth_exported *exported)
{
    return fth_export_has_table(exported, "accesses");
}

static void begin_part(struct fth_export_part *part)
{
    struct state *state = part->state = fth_new(1, sizeof *state);
    const struct shared *shared = part->of->shared;
    if (fth_export_has_table(part->of, "calls"))
        state->calls = fth_dataset_open(part, "calls", call_columns, CALL_COLUMNS, shared->facts);
    if (!part->error && wants_accesses(part->of))
        state->accesses =
            fth_dataset_open(part, "accesses", access_columns, ACCESS_COLUMNS, shared->facts);
}

static void close_file(struct fth_export_part *part, struct fth_parquet *file)
{
    struct fth_error *error = NULL;
    if (file && fth_parquet_close(file, &error) && !part->error)
        part->error = error;
    else
        fth_error_free(error);
}

static void end_part(struct fth_export_part *part)
{
    struct state *state = part->state;
    close_file(part, state->calls);
    close_file(part, state->accesses);
    close_file(part, state->handles);
    free(state->handle_columns);
    free(state);
}

static void begin_process(struct fth_export_part *part, size_t proc)
{
    const struct state *state = part->state;
    (void)proc;
    if (state->calls)
        fth_parquet_forget_numbers(state->calls, FILE_PATH);
    if (state->accesses)
        fth_parquet_forget_numbers(state->accesses, A_FILE);
}

static void put_handles(struct fth_export_part *part, size_t proc, const struct fth_table *handles)
{
    struct state *state = part->state;
    const struct fth_shape *shape = fth_table_shape(handles);
    const int64_t leading[HANDLE_LEADING] = {(int64_t)proc,
                                             fth_trace_process(part->of->trace, proc)->rank};
    if (!state->handles) {
        state->handle_columns = fth_parquet_columns_of(shape, handle_leading, HANDLE_LEADING);
        state->handles = fth_dataset_open(part, "handles", state->handle_columns,
                                          HANDLE_LEADING + shape->column_count,
                                          ((const struct shared *)part->of->shared)->facts);
    }
    if (state->handles)
        fth_parquet_put_table(state->handles, handles, leading, HANDLE_LEADING);
}

static void end_process(struct fth_export_part *part, size_t proc)
{
    struct fth_table *handles = NULL;
    if (!part->error && fth_export_has_table(part->of, "handles"))
        handles = fth_analysis_handles(part->of->trace, proc, part->of->selection, true, NULL,
                                       &part->error);
    if (handles)
        put_handles(part, proc, handles);
    fth_table_free(handles);
}

/* ---- calls ---- */

static void put_or_null(struct fth_parquet *file, size_t column, int64_t value, bool is_there)
{
    if (is_there)
        fth_parquet_integer(file, column, value);
    else
        fth_parquet_null(file, column);
}

static void put_file(struct fth_parquet *file, size_t column, const struct fth_call *call)
{
    if (call->file && call->file_number)
        fth_parquet_numbered_text(file, column, call->file_number, call->file);
    else
        fth_parquet_text(file, column, call->file);
}

static void put_result(struct fth_parquet *file, const struct fth_value *value)
{
    bool is_number = value->type == FTH_VALUE_INTEGER ||
                     (value->type == FTH_VALUE_HANDLE && value->integer >= 0);
    bool is_text = value->type == FTH_VALUE_TEXT || value->type == FTH_VALUE_INTEGER;
    put_or_null(file, RESULT, value->integer, is_number);
    fth_parquet_text(file, RESULT_NAME, is_text ? value->text : NULL);
}

static void put_call(const struct fth_export_part *part, const struct fth_call *call,
                     uint32_t function)
{
    struct fth_parquet *file = ((struct state *)part->state)->calls;
    const struct fth_process *process = fth_trace_process(part->of->trace, call->proc);
    bool has_parent = call->parent != FTH_NO_CALL;
    fth_parquet_integer(file, PROC, (int64_t)call->proc);
    put_or_null(file, WORLD, process->world, process->world >= 0);
    put_or_null(file, RANK, process->rank, process->rank >= 0);
    fth_parquet_integer(file, THREAD, call->thread);
    fth_parquet_integer(file, CALL, (int64_t)call->number);
    put_or_null(file, PARENT, (int64_t)call->parent, has_parent);
    put_or_null(file, PARENT_THREAD, call->parent_thread, has_parent);
    fth_parquet_numbered_text(file, LAYER, function, call->function->layer);
    fth_parquet_numbered_text(file, FUNCTION, function, call->function->name);
    fth_parquet_numbered_text(file, KIND, function, call->function->kind);
    fth_parquet_integer(file, DEPTH, call->depth);
    fth_parquet_integer(file, START, call->start);
    fth_parquet_integer(file, END, call->end);
    put_file(file, FILE_PATH, call);
    fth_parquet_text(file, OBJECT, call->object);
    put_or_null(file, BYTES, (int64_t)call->bytes, call->bytes_known);
    fth_parquet_integer(file, COLLECTIVE, call->collective);
    put_result(file, &call->result);
    put_or_null(file, ERRNO, call->error_number, call->error_number != 0);
    fth_parquet_text(file, ERROR, call->error_name);
    fth_parquet_text(file, SOURCE, call->source);
    fth_parquet_end_row(file);
}

/* ---- accesses ---- */

static void put_access(const struct fth_export_part *part, const struct fth_call *call,
                       uint32_t function, const char *path, bool writes,
                       const struct fth_range *range, bool is_known)
{
    struct fth_parquet *file = ((struct state *)part->state)->accesses;
    int64_t rank = fth_trace_process(part->of->trace, call->proc)->rank;
    fth_parquet_integer(file, A_PROC, (int64_t)call->proc);
    put_or_null(file, A_RANK, rank, rank >= 0);
    fth_parquet_integer(file, A_THREAD, call->thread);
    fth_parquet_integer(file, A_CALL, (int64_t)call->number);
    fth_parquet_numbered_text(file, A_LAYER, function, call->function->layer);
    fth_parquet_numbered_text(file, A_FUNCTION, function, call->function->name);
    fth_parquet_integer(file, A_START, call->start);
    fth_parquet_integer(file, A_END, call->end);
    if (path == call->file)
        put_file(file, A_FILE, call);
    else
        fth_parquet_text(file, A_FILE, path);
    fth_parquet_integer(file, A_WRITES, writes);
    put_or_null(file, A_OFFSET, (int64_t)range->offset, is_known);
    fth_parquet_integer(file, A_BYTES, (int64_t)range->length);
    fth_parquet_end_row(file);
}

/* A row for each range of bytes. Where a place is not known, its offset is null. */
static void put_accesses(struct fth_export_part *part, const struct fth_call *call,
                         uint32_t function)
{
    const struct fth_access *access = part->access;
    struct fth_range range;
    if (access->kind == FTH_ACCESS_NONE)
        return;
    if (access->kind == FTH_ACCESS_UNKNOWN)
        put_access(part, call, function, call->file, call->writes,
                   &(struct fth_range){0, access->length}, false);
    else
        while (fth_accesses_range(part->accesses, &range))
            put_access(part, call, function, call->file, call->writes, &range, true);
    if (access->second.file)
        put_access(part, call, function, access->second.file, !call->writes,
                   access->second.known ? &access->second.range
                                        : &(struct fth_range){0, access->length},
                   access->second.known);
}

static void write_call(struct fth_export_part *part, const struct fth_call *call)
{
    const struct shared *shared = part->of->shared;
    uint32_t function = fth_function_number(&shared->functions, call->function);
    const struct state *state = part->state;
    if (state->calls)
        put_call(part, call, function);
    if (state->accesses)
        put_accesses(part, call, function);
}

static const char *const tables[] = {"calls", "accesses", "handles",  "processes",
                                     "files", "messages", "findings", NULL};

const struct fth_exporter fth_exporter_parquet = {
    .name = "parquet",
    .extension = ".parquet",
    .help = "a folder of tables for pandas, Polars, DuckDB, Dask, Spark",
    .wants_accesses = wants_accesses,
    .tables = tables,
    .is_folder = true,
    .by_rank = true,
    .begin = begin,
    .begin_part = begin_part,
    .begin_process = begin_process,
    .call = write_call,
    .end_process = end_process,
    .end_part = end_part,
    .end = end,
};
