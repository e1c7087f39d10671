/* Rows of calls, and of the ranges of bytes that they access. */
#include "export/shared/call_tables.h"

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
const struct fth_batch_column fth_call_table_columns[FTH_CALL_TABLE_COLUMNS] = {
    [PROC] = {"proc", FTH_BATCH_INT32, false, NULL},
    [WORLD] = {"world", FTH_BATCH_INT32, true, NULL},
    [RANK] = {"rank", FTH_BATCH_INT32, true, NULL},
    [THREAD] = {"thread", FTH_BATCH_INT32, false, NULL},
    [CALL] = {"call", FTH_BATCH_INT64, false, NULL},
    [PARENT] = {"parent", FTH_BATCH_INT64, true, NULL},
    [PARENT_THREAD] = {"parent_thread", FTH_BATCH_INT32, true, NULL},
    [LAYER] = {"layer", FTH_BATCH_TEXT, false, NULL},
    [FUNCTION] = {"func", FTH_BATCH_TEXT, false, NULL},
    [KIND] = {"kind", FTH_BATCH_TEXT, false, NULL},
    [DEPTH] = {"depth", FTH_BATCH_INT32, false, NULL},
    [START] = {"start", FTH_BATCH_INT64, false, "ns"},
    [END] = {"end", FTH_BATCH_INT64, false, "ns"},
    [FILE_PATH] = {"file", FTH_BATCH_TEXT, true, NULL},
    [OBJECT] = {"object", FTH_BATCH_TEXT, true, NULL},
    [BYTES] = {"bytes", FTH_BATCH_INT64, true, "bytes"},
    [COLLECTIVE] = {"collective", FTH_BATCH_BOOLEAN, false, NULL},
    [RESULT] = {"ret", FTH_BATCH_INT64, true, NULL},
    [RESULT_NAME] = {"ret_name", FTH_BATCH_TEXT, true, NULL},
    [ERRNO] = {"errno", FTH_BATCH_INT64, true, NULL},
    [ERROR] = {"error", FTH_BATCH_TEXT, true, NULL},
    [SOURCE] = {"source", FTH_BATCH_TEXT, true, NULL},
};

_Static_assert((int)CALL_COLUMNS == (int)FTH_CALL_TABLE_COLUMNS, "");

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
const struct fth_batch_column fth_access_table_columns[FTH_ACCESS_TABLE_COLUMNS] = {
    [A_PROC] = {"proc", FTH_BATCH_INT32, false, NULL},
    [A_RANK] = {"rank", FTH_BATCH_INT32, true, NULL},
    [A_THREAD] = {"thread", FTH_BATCH_INT32, false, NULL},
    [A_CALL] = {"call", FTH_BATCH_INT64, false, NULL},
    [A_LAYER] = {"layer", FTH_BATCH_TEXT, false, NULL},
    [A_FUNCTION] = {"func", FTH_BATCH_TEXT, false, NULL},
    [A_START] = {"start", FTH_BATCH_INT64, false, "ns"},
    [A_END] = {"end", FTH_BATCH_INT64, false, "ns"},
    [A_FILE] = {"file", FTH_BATCH_TEXT, true, NULL},
    [A_WRITES] = {"writes", FTH_BATCH_BOOLEAN, false, NULL},
    [A_OFFSET] = {"offset", FTH_BATCH_INT64, true, "bytes"},
    [A_BYTES] = {"bytes", FTH_BATCH_INT64, false, "bytes"},
};

_Static_assert((int)ACCESS_COLUMNS == (int)FTH_ACCESS_TABLE_COLUMNS, "");

static void put_file(struct fth_batch *batch, size_t column, const struct fth_call *call)
{
    if (call->file && call->file_number)
        fth_batch_numbered_text(batch, column, call->file_number, call->file);
    else
        fth_batch_text(batch, column, call->file);
}

static void put_result(struct fth_batch *batch, const struct fth_value *value)
{
    bool is_number = value->type == FTH_VALUE_INTEGER ||
                     (value->type == FTH_VALUE_HANDLE && value->integer >= 0);
    bool is_text = value->type == FTH_VALUE_TEXT || value->type == FTH_VALUE_INTEGER;
    fth_batch_or_null(batch, RESULT, value->integer, is_number);
    fth_batch_text(batch, RESULT_NAME, is_text ? value->text : NULL);
}

void fth_call_table_put(struct fth_batch *batch, const struct fth_argument_columns *columns,
                        const struct fth_call *call, uint32_t function)
{
    const struct fth_process *process = fth_trace_process(columns->trace, call->proc);
    bool has_parent = call->parent != FTH_NO_CALL;
    fth_batch_integer(batch, PROC, (int64_t)call->proc);
    fth_batch_or_null(batch, WORLD, process->world, process->world >= 0);
    fth_batch_or_null(batch, RANK, process->rank, process->rank >= 0);
    fth_batch_integer(batch, THREAD, call->thread);
    fth_batch_integer(batch, CALL, (int64_t)call->number);
    fth_batch_or_null(batch, PARENT, (int64_t)call->parent, has_parent);
    fth_batch_or_null(batch, PARENT_THREAD, call->parent_thread, has_parent);
    fth_batch_numbered_text(batch, LAYER, function, call->function->layer);
    fth_batch_numbered_text(batch, FUNCTION, function, call->function->name);
    fth_batch_numbered_text(batch, KIND, function, call->function->kind);
    fth_batch_integer(batch, DEPTH, call->depth);
    fth_batch_integer(batch, START, call->start);
    fth_batch_integer(batch, END, call->end);
    put_file(batch, FILE_PATH, call);
    fth_batch_text(batch, OBJECT, call->object);
    fth_batch_or_null(batch, BYTES, (int64_t)call->bytes, call->bytes_known);
    fth_batch_integer(batch, COLLECTIVE, call->collective);
    put_result(batch, &call->result);
    fth_batch_or_null(batch, ERRNO, call->error_number, call->error_number != 0);
    fth_batch_text(batch, ERROR, call->error_name);
    fth_batch_text(batch, SOURCE, call->source);
    if (columns->count > CALL_COLUMNS)
        fth_argument_columns_put(columns, batch, call, function);
}

void fth_access_table_put(struct fth_batch *batch, const struct fth_trace *trace,
                          const struct fth_call *call, uint32_t function,
                          const struct fth_access_row *row)
{
    int64_t rank = fth_trace_process(trace, call->proc)->rank;
    fth_batch_integer(batch, A_PROC, (int64_t)call->proc);
    fth_batch_or_null(batch, A_RANK, rank, rank >= 0);
    fth_batch_integer(batch, A_THREAD, call->thread);
    fth_batch_integer(batch, A_CALL, (int64_t)call->number);
    fth_batch_numbered_text(batch, A_LAYER, function, call->function->layer);
    fth_batch_numbered_text(batch, A_FUNCTION, function, call->function->name);
    fth_batch_integer(batch, A_START, call->start);
    fth_batch_integer(batch, A_END, call->end);
    if (row->path == call->file)
        put_file(batch, A_FILE, call);
    else
        fth_batch_text(batch, A_FILE, row->path);
    fth_batch_integer(batch, A_WRITES, row->writes);
    fth_batch_or_null(batch, A_OFFSET, (int64_t)row->range.offset, row->is_known);
    fth_batch_integer(batch, A_BYTES, (int64_t)row->range.length);
}

bool fth_access_second_row(const struct fth_access *access, const struct fth_call *call,
                           struct fth_access_row *row)
{
    const struct fth_second_range *second = &access->second;
    *row = (struct fth_access_row){second->file, !call->writes, second->known,
                                   second->known ? second->range
                                                 : (struct fth_range){0, access->length}};
    return second->file;
}

void fth_call_table_next_process(struct fth_batch *calls, struct fth_batch *accesses)
{
    if (calls)
        fth_batch_forget_numbers(calls, FILE_PATH);
    for (size_t i = CALL_COLUMNS; calls && i < calls->column_count; i++)
        fth_batch_forget_numbers(calls, i);
    if (accesses)
        fth_batch_forget_numbers(accesses, A_FILE);
}
