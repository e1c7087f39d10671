/* A stream fills a batch and hands it out, until its table has no more rows. */
#include "export/arrow/arrow_stream.h"

#include "analysis/tables/handles_table.h"
#include "analysis/tables/stats_table.h"
#include "base/memory.h"
#include "export/arrow/arrow_batch.h"
#include "export/arrow/arrow_rows.h"
#include "export/shared/run_tables.h"
#include "export/shared/table_rows.h"

#include <errno.h>

/* A table has columns of its own, or those of a table of the analysis behind `leading` ones. */
struct table {
    const char *name;
    int (*fill)(struct fth_arrow_rows *rows);
    const struct fth_batch_column *columns;
    size_t column_count;
    const struct fth_shape *shape;
    size_t leading;
};

struct stream {
    const struct table *table;
    struct fth_arrow_rows rows;
    struct fth_batch_column *made_columns;
    void (*let_go)(void *owner);
    void *owner;
};

static const struct table tables[] = {
    {"calls", fth_arrow_fill_calls, fth_call_table_columns, FTH_CALL_TABLE_COLUMNS, NULL, 0},
    {"accesses", fth_arrow_fill_accesses, fth_access_table_columns, FTH_ACCESS_TABLE_COLUMNS, NULL,
     0},
    {"processes", fth_arrow_fill_processes, fth_process_table_columns, FTH_PROCESS_TABLE_COLUMNS,
     NULL, 0},
    {"messages", fth_arrow_fill_messages, fth_message_table_columns, FTH_MESSAGE_TABLE_COLUMNS,
     NULL, 0},
    {"samples", fth_arrow_fill_samples, fth_sample_table_columns, FTH_SAMPLE_TABLE_COLUMNS, NULL,
     0},
    {"files", fth_arrow_fill_files, NULL, 0, &fth_stats_shapes[FTH_STATS_FILES], 0},
    {"handles", fth_arrow_fill_handles, NULL, 0, &fth_handles_shape, FTH_ARROW_HANDLES_LEADING},
};

static const struct table *find_table(const char *name)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(tables[i].name, name))
            return &tables[i];
    return NULL;
}

bool fth_arrow_has_table(const char *table)
{
    return find_table(table);
}

/* ---- the interface ---- */

static int get_schema(struct ArrowArrayStream *of, struct ArrowSchema *out)
{
    const struct stream *stream = of->private_data;
    fth_arrow_schema(out, stream->rows.batch.columns, stream->rows.batch.column_count);
    return 0;
}

static int get_next(struct ArrowArrayStream *of, struct ArrowArray *out)
{
    struct stream *stream = of->private_data;
    *out = (struct ArrowArray){0};
    struct fth_arrow_rows *rows = &stream->rows;
    if (rows->error || (!rows->is_over && stream->table->fill(rows)))
        return EIO;
    if (rows->batch.rows)
        fth_arrow_array(out, &rows->batch);
    fth_batch_empty(&rows->batch);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *of)
{
    const struct stream *stream = of->private_data;
    return stream->rows.error ? fth_error_text(stream->rows.error) : NULL;
}

static void release(struct ArrowArrayStream *of)
{
    struct stream *stream = of->private_data;
    struct fth_arrow_rows *rows = &stream->rows;
    if (rows->walk)
        fth_analysis_walk_close(rows->walk);
    fth_anonymous_free(&rows->anonymous);
    fth_message_list_free(&rows->messages);
    fth_samples_close(rows->samples);
    fth_table_free(rows->table);
    fth_function_numbers_end(&rows->functions);
    fth_batch_end(&rows->batch);
    fth_argument_columns_end(&rows->columns);
    fth_error_free(rows->error);
    free(stream->made_columns);
    if (stream->let_go)
        stream->let_go(stream->owner);
    free(stream);
    of->release = NULL;
}

static void choose_columns(struct stream *stream, const struct fth_arrow_request *request)
{
    const struct table *table = stream->table;
    struct fth_arrow_rows *rows = &stream->rows;
    const struct fth_batch_column *columns = table->columns;
    size_t count = table->column_count;
    rows->of_calls = table->columns == fth_call_table_columns;
    rows->of_accesses = table->columns == fth_access_table_columns;
    rows->columns = (struct fth_argument_columns){.trace = request->trace, .count = count};
    if (table->shape) {
        columns = stream->made_columns =
            fth_table_batch_columns(table->shape, fth_arrow_handles_leading, table->leading);
        count = table->leading + table->shape->column_count;
    } else if (rows->of_calls && request->arguments) {
        fth_argument_columns_begin(&rows->columns, request->trace, columns, count);
        columns = rows->columns.columns;
        count = rows->columns.count;
    }
    fth_batch_begin(&rows->batch, columns, count);
    rows->batch.names = rows->anonymous.names = request->names;
}

int fth_arrow_stream(struct ArrowArrayStream *out, const struct fth_arrow_request *request,
                     struct fth_error **error)
{
    const struct table *found = find_table(request->table);
    if (!found)
        return fth_fail(error, "there is no table '%s' to stream", request->table);
    if (fth_analysis_check_selection(request->selection, request->trace, error))
        return -1;
    struct stream *stream = fth_new(1, sizeof *stream);
    *stream = (struct stream){.table = found, .let_go = request->let_go, .owner = request->owner};
    stream->rows = (struct fth_arrow_rows){
        .trace = request->trace, .selection = request->selection, .proc = SIZE_MAX};
    choose_columns(stream, request);
    fth_function_numbers_begin(&stream->rows.functions, request->trace);
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = stream};
    return 0;
}
