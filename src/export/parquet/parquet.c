/* A dataset of Apache Parquet: a folder with a folder for each table. Tables with rows for calls
 * are divided by ranks, as `ranks=0-63`, which readers of datasets take for a column. */
#include "export/shared/exporter.h"

#include "analysis/tables/handles_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "export/shared/call_tables.h"
#include "export/shared/function_numbers.h"
#include "export/shared/table_rows.h"
#include "export/parquet/dataset.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- parts ---- */

struct shared {
    struct fth_function_numbers functions;
    struct fth_argument_columns columns; /* of the table of calls */
    char *facts;
};

struct state {
    struct fth_parquet *calls, *accesses, *handles;
    struct fth_batch_column *handle_columns;
};

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared = fth_new(1, sizeof *shared);
    fth_function_numbers_begin(&shared->functions, exported->trace);
    fth_argument_columns_begin(&shared->columns, exported->trace, fth_call_table_columns,
                               FTH_CALL_TABLE_COLUMNS);
    shared->facts = fth_dataset_facts(exported);
    return fth_dataset_begin(exported, shared->facts, error);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    (void)output;
    struct shared *shared = exported->shared;
    int result = *error ? -1 : fth_dataset_end(exported, shared->facts, error);
    fth_function_numbers_end(&shared->functions);
    fth_argument_columns_end(&shared->columns);
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
        state->calls = fth_dataset_open(part, "calls", shared->columns.columns,
                                        shared->columns.count, shared->facts);
    if (!part->error && wants_accesses(part->of))
        state->accesses = fth_dataset_open(part, "accesses", fth_access_table_columns,
                                           FTH_ACCESS_TABLE_COLUMNS, shared->facts);
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

static struct fth_batch *batch_of(struct fth_parquet *file)
{
    return file ? fth_parquet_batch(file) : NULL;
}

static void begin_process(struct fth_export_part *part, size_t proc)
{
    const struct state *state = part->state;
    (void)proc;
    fth_call_table_next_process(batch_of(state->calls), batch_of(state->accesses));
}

static void put_handles(struct fth_export_part *part, size_t proc, const struct fth_table *handles)
{
    struct state *state = part->state;
    const struct fth_shape *shape = fth_table_shape(handles);
    const int64_t leading[HANDLE_LEADING] = {(int64_t)proc,
                                             fth_trace_process(part->of->trace, proc)->rank};
    if (!state->handles) {
        state->handle_columns = fth_table_batch_columns(shape, handle_leading, HANDLE_LEADING);
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

static void put_access(const struct fth_export_part *part, const struct fth_call *call,
                       uint32_t function, const struct fth_access_row *row)
{
    struct fth_parquet *file = ((const struct state *)part->state)->accesses;
    fth_access_table_put(fth_parquet_batch(file), part->of->trace, call, function, row);
    fth_parquet_end_row(file);
}

/* A row for each range of bytes. Where a place is not known, its offset is null. */
static void put_accesses(struct fth_export_part *part, const struct fth_call *call,
                         uint32_t function)
{
    const struct fth_access *access = part->access;
    struct fth_access_row row = {call->file, call->writes, false, {0, access->length}};
    if (access->kind == FTH_ACCESS_NONE)
        return;
    if (access->kind == FTH_ACCESS_UNKNOWN)
        put_access(part, call, function, &row);
    row.is_known = true;
    while (access->kind == FTH_ACCESS_BYTES && fth_accesses_range(part->accesses, &row.range))
        put_access(part, call, function, &row);
    if (fth_access_second_row(access, call, &row))
        put_access(part, call, function, &row);
}

static void write_call(struct fth_export_part *part, const struct fth_call *call)
{
    const struct shared *shared = part->of->shared;
    const struct state *state = part->state;
    uint32_t function = fth_function_number(&shared->functions, call->function);
    if (state->calls) {
        fth_call_table_put(fth_parquet_batch(state->calls), &shared->columns, call, function);
        fth_parquet_end_row(state->calls);
    }
    if (state->accesses)
        put_accesses(part, call, function);
}

static const char *const tables[] = {"calls",    "accesses", "handles",  "processes", "files",
                                     "messages", "samples",  "findings", NULL};

const struct fth_exporter fth_exporter_parquet = {
    .name = "parquet",
    .extension = ".parquet",
    .help = "a folder of tables for pandas, Polars, DuckDB, Dask, Spark",
    .wants_accesses = wants_accesses,
    .tables = tables,
    .is_folder = true,
    .mark = FTH_DATASET_FACTS,
    .by_rank = true,
    .by_ranks = true,
    .begin = begin,
    .begin_part = begin_part,
    .begin_process = begin_process,
    .call = write_call,
    .end_process = end_process,
    .end_part = end_part,
    .end = end,
};
