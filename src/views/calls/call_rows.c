/* Calls and operations as rows. */
#include "views/calls/call_rows.h"

#include "views/sentences/named_numbers.h"

static struct fth_cell count_cell(uint64_t count)
{
    return fth_cell_integer((int64_t)count);
}

static struct fth_cell number_or_null(int64_t number)
{
    return number < 0 ? fth_cell_null() : fth_cell_integer(number);
}

/* "PROC.THREAD.NUMBER" */
static struct fth_cell name_cell(char name[FTH_LONGEST_CALL_NAME], size_t proc, uint32_t thread,
                                 uint64_t number)
{
    if (number == FTH_NO_CALL)
        return fth_cell_null();
    struct fth_sink sink;
    fth_sink_open(&sink, name, FTH_LONGEST_CALL_NAME);
    fth_views_put_call_name(&sink, proc, &(struct fth_call_name){thread, number});
    fth_sink_char(&sink, 0);
    return fth_cell_text(name);
}

/* ---- calls ---- */

const struct fth_column fth_views_call_columns[FTH_CALL_COLUMNS] = {
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"world", "world", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"pid", "pid", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"thread", "thread", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"tid", "tid", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"id", "call", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"parent", "parent", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"kind", "kind", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"language", "language", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"depth", "depth", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"end", "end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"source", "source", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"object", "object", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"collective", "collective", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"errno", "errno", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"error", "error", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"ret", "result", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
};

/* A list is none. A handle is its name, where it has one that all runs share. */
static struct fth_cell value_cell(const struct fth_value *value)
{
    switch (value->type) {
    case FTH_VALUE_INTEGER:
        return fth_cell_integer(value->integer);
    case FTH_VALUE_TEXT:
        return fth_cell_text(value->text);
    case FTH_VALUE_HANDLE:
        if (value->text && (value->integer == FTH_HANDLE_NULL || fth_views_is_symbol(value->text)))
            return fth_cell_text(value->text);
        return number_or_null(value->integer);
    case FTH_VALUE_NONE:
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        break;
    }
    return fth_cell_null();
}

void fth_views_call_thread_cells(const struct fth_dump *dump, const struct fth_call *call,
                                 struct fth_cell cells[FTH_CALL_THREAD_COLUMNS])
{
    const struct fth_process *process = fth_trace_process(dump->trace, call->proc);
    *cells++ = count_cell(call->proc);
    *cells++ = number_or_null(process->world);
    *cells++ = number_or_null(process->rank);
    *cells++ = fth_cell_integer(process->pid);
    *cells++ = count_cell(call->thread);
    *cells++ = fth_cell_integer(call->tid);
}

void fth_views_call_function_cells(const struct fth_call *call,
                                   struct fth_cell cells[FTH_CALL_FUNCTION_COLUMNS])
{
    const struct fth_function *function = call->function;
    *cells++ = fth_cell_text(function->layer);
    *cells++ = fth_cell_text(function->name);
    *cells++ = fth_cell_text(function->kind);
    *cells++ = fth_cell_text(call->from_fortran ? "Fortran" : "C");
    *cells++ = count_cell(call->depth);
}

void fth_views_call_own_cells(const struct fth_call *call,
                              struct fth_cell cells[FTH_CALL_OWN_COLUMNS])
{
    *cells++ = fth_cell_integer(call->start);
    *cells++ = fth_cell_integer(call->end);
    *cells++ = fth_cell_text(call->source);
    *cells++ = fth_cell_text(call->file);
    *cells++ = fth_cell_text(call->object);
    *cells++ = fth_cell_integer(call->collective);
    *cells++ = call->bytes_known ? count_cell(call->bytes) : fth_cell_null();
    *cells++ = call->error_number ? fth_cell_integer(call->error_number) : fth_cell_null();
    *cells++ = fth_cell_text(call->error_name);
    *cells++ = value_cell(&call->result);
}

/* ---- operations ---- */

const struct fth_column fth_views_operation_columns[FTH_OPERATION_COLUMNS] = {
    {"proc", "proc", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"rank", "rank", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"operation", "operation", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"begin", "begin", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"layer", "layer", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"func", "function", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"file", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"reads", "reads", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"writes", "writes", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"collective", "collective", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"start", "start", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"issued", "issued", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"tests", "tests", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"first_test", "first test", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"last_test", "last test", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"how", "how", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"completion", "completion", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"completed_by", "completed by", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"end", "end", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"asked", "asked", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
};

static struct fth_cell named(char name[FTH_LONGEST_CALL_NAME], size_t proc,
                             const struct fth_call_name *call)
{
    return name_cell(name, proc, call->thread, call->number);
}

void fth_views_operation_row(const struct fth_dump *dump, const struct fth_operation *operation,
                             struct fth_operation_row *row)
{
    size_t proc = operation->proc;
    const struct fth_cell cells[FTH_OPERATION_COLUMNS] = {
        count_cell(proc),
        number_or_null(fth_trace_process(dump->trace, proc)->rank),
        count_cell(operation->number),
        named(row->names[0], proc, &operation->begin),
        fth_cell_text(operation->function->layer),
        fth_cell_text(operation->function->name),
        fth_cell_text(operation->file),
        fth_cell_integer(operation->reads),
        fth_cell_integer(operation->writes),
        fth_cell_integer(operation->collective),
        fth_cell_integer(operation->start),
        fth_cell_integer(operation->issued),
        count_cell(operation->tests),
        named(row->names[1], proc, &operation->first_test),
        named(row->names[2], proc, &operation->last_test),
        fth_cell_text(fth_views_operation_end(operation->how)),
        named(row->names[3], proc, &operation->completion),
        fth_cell_text(operation->completed_by ? operation->completed_by->name : NULL),
        fth_cell_integer(operation->end),
        count_cell(operation->bytes_asked),
        operation->bytes_known ? count_cell(operation->bytes) : fth_cell_null(),
    };
    for (size_t i = 0; i < FTH_OPERATION_COLUMNS; i++)
        row->cells[i] = cells[i];
}
