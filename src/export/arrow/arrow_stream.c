/* A stream fills a batch and hands it out, until its table has no more rows. */
#include "export/arrow/arrow_stream.h"

#include "analysis/survey/call_walk.h"
#include "base/memory.h"
#include "export/arrow/arrow_batch.h"
#include "export/shared/call_tables.h"
#include "export/shared/function_numbers.h"
#include "export/shared/message_flows.h"
#include "export/shared/run_tables.h"

#include <errno.h>

struct stream;

struct table {
    const char *name;
    const struct fth_batch_column *columns;
    size_t column_count;
    /* Adds rows until the batch is full or there are no more. -1: stream->error is set. */
    int (*fill)(struct stream *stream);
};

struct stream {
    const struct table *table;
    struct fth_trace *trace;
    const struct fth_selection *selection;
    void (*let_go)(void *owner);
    void *owner;
    struct fth_batch batch;
    struct fth_function_numbers functions;
    struct fth_error *error;
    bool is_over;

    /* calls and accesses */
    struct fth_run_walk *walk;
    const struct fth_call *call; /* of which ranges are left; NULL: none */
    struct fth_access_row row;
    bool goes_on; /* some of its rows were in the last batch */
    size_t proc;

    /* processes, messages */
    size_t next;
    struct fth_message_list messages;
    bool has_messages;
};

static bool is_full(const struct stream *stream)
{
    return stream->batch.rows == FTH_BATCH_ROWS;
}

/* ---- calls ---- */

/* 1: stream->call is the next one; 0: there are no more; -1: stream->error is set. */
static int next_call(struct stream *stream, const struct fth_call **call)
{
    if (!stream->walk) {
        stream->walk = fth_analysis_walk_open(stream->trace, stream->selection, FTH_WALK_BY_PROCESS,
                                              NULL, &stream->error);
        if (!stream->walk)
            return -1;
        if (stream->table->column_count == FTH_ACCESS_TABLE_COLUMNS)
            fth_analysis_walk_accesses(stream->walk);
    }
    int more = fth_analysis_walk_next(stream->walk, call, &stream->error);
    if (more > 0 && (*call)->proc != stream->proc) {
        bool of_calls = stream->table->column_count == FTH_CALL_TABLE_COLUMNS;
        stream->proc = (*call)->proc;
        fth_call_table_next_process(of_calls ? &stream->batch : NULL,
                                    of_calls ? NULL : &stream->batch);
    }
    return more;
}

static int fill_calls(struct stream *stream)
{
    const struct fth_call *call;
    while (!is_full(stream)) {
        int more = next_call(stream, &call);
        stream->is_over = more <= 0;
        if (more <= 0)
            return more;
        fth_call_table_put(&stream->batch, stream->trace, call,
                           fth_function_number(&stream->functions, call->function));
        stream->batch.rows++;
    }
    return 0;
}

/* ---- accesses ---- */

static void put_range(struct stream *stream)
{
    fth_access_table_put(&stream->batch, stream->trace, stream->call,
                         fth_function_number(&stream->functions, stream->call->function),
                         &stream->row);
    stream->batch.rows++;
}

/* Rows of the call at hand, as far as there is room; when it has no more it is let go. */
static void put_ranges(struct stream *stream)
{
    struct fth_accesses *accesses;
    const struct fth_access *access = fth_analysis_walk_access(stream->walk, &accesses);
    while (!is_full(stream)) {
        if (access->kind == FTH_ACCESS_UNKNOWN && !stream->row.is_known)
            put_range(stream);
        else if (access->kind != FTH_ACCESS_BYTES ||
                 !fth_accesses_range(accesses, &stream->row.range))
            break;
        else
            put_range(stream);
        stream->row.is_known = true; /* or there is no other */
    }
    if (is_full(stream))
        return;
    if (fth_access_second_row(access, stream->call, &stream->row))
        put_range(stream);
    stream->call = NULL;
}

static int fill_accesses(struct stream *stream)
{
    while (!is_full(stream)) {
        struct fth_accesses *accesses;
        int more = stream->call ? 1 : next_call(stream, &stream->call);
        stream->is_over = more <= 0;
        if (more <= 0)
            return more;
        const struct fth_access *access = fth_analysis_walk_access(stream->walk, &accesses);
        if (access->kind == FTH_ACCESS_NONE) {
            stream->call = NULL;
            continue;
        }
        if (!stream->goes_on) {
            stream->row = (struct fth_access_row){stream->call->file,
                                                  stream->call->writes,
                                                  access->kind == FTH_ACCESS_BYTES,
                                                  {0, access->length}};
        }
        put_ranges(stream);
        stream->goes_on = stream->call;
    }
    return 0;
}

/* ---- processes, messages ---- */

static int fill_processes(struct stream *stream)
{
    size_t count = fth_trace_process_count(stream->trace);
    for (; stream->next < count && !is_full(stream); stream->next++) {
        if (!fth_analysis_selects_process(stream->selection, stream->trace, stream->next))
            continue;
        fth_process_table_put(&stream->batch, stream->next,
                              fth_trace_process(stream->trace, stream->next));
        stream->batch.rows++;
    }
    stream->is_over = stream->next == count;
    return 0;
}

static int fill_messages(struct stream *stream)
{
    struct fth_message_list *list = &stream->messages;
    if (!stream->has_messages && fth_export_messages(list, stream->trace, 0, &stream->error))
        return -1;
    stream->has_messages = true;
    if (list->too_many)
        return fth_fail(&stream->error, "%llu messages are more than are kept in memory",
                        (unsigned long long)(list->too_many + list->count));
    for (; stream->next < list->count && !is_full(stream); stream->next++) {
        fth_message_table_put(&stream->batch, list, &list->all[stream->next]);
        stream->batch.rows++;
    }
    stream->is_over = stream->next == list->count;
    return 0;
}

static const struct table tables[] = {
    {"calls", fth_call_table_columns, FTH_CALL_TABLE_COLUMNS, fill_calls},
    {"accesses", fth_access_table_columns, FTH_ACCESS_TABLE_COLUMNS, fill_accesses},
    {"processes", fth_process_table_columns, FTH_PROCESS_TABLE_COLUMNS, fill_processes},
    {"messages", fth_message_table_columns, FTH_MESSAGE_TABLE_COLUMNS, fill_messages},
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
    fth_arrow_schema(out, stream->table->columns, stream->table->column_count);
    return 0;
}

static int get_next(struct ArrowArrayStream *of, struct ArrowArray *out)
{
    struct stream *stream = of->private_data;
    *out = (struct ArrowArray){0};
    if (stream->error || (!stream->is_over && stream->table->fill(stream)))
        return EIO;
    if (stream->batch.rows)
        fth_arrow_array(out, &stream->batch);
    fth_batch_empty(&stream->batch);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *of)
{
    const struct stream *stream = of->private_data;
    return stream->error ? fth_error_text(stream->error) : NULL;
}

static void release(struct ArrowArrayStream *of)
{
    struct stream *stream = of->private_data;
    if (stream->walk)
        fth_analysis_walk_close(stream->walk);
    fth_message_list_free(&stream->messages);
    fth_function_numbers_end(&stream->functions);
    fth_batch_end(&stream->batch);
    fth_error_free(stream->error);
    if (stream->let_go)
        stream->let_go(stream->owner);
    free(stream);
    of->release = NULL;
}

int fth_arrow_stream(struct ArrowArrayStream *out, struct fth_trace *trace,
                     const struct fth_selection *selection, const char *table,
                     void (*let_go)(void *owner), void *owner, struct fth_error **error)
{
    const struct table *found = find_table(table);
    if (!found)
        return fth_fail(error, "there is no table '%s' to stream", table);
    if (fth_analysis_check_selection(selection, trace, error))
        return -1;
    struct stream *stream = fth_new(1, sizeof *stream);
    *stream = (struct stream){.table = found,
                              .trace = trace,
                              .selection = selection,
                              .let_go = let_go,
                              .owner = owner,
                              .proc = SIZE_MAX};
    fth_batch_begin(&stream->batch, found->columns, found->column_count);
    fth_function_numbers_begin(&stream->functions, trace);
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = stream};
    return 0;
}
