/* Lines of calls: cells of the thread, of the function and of the file are kept as text, others are
 * written. */
#include "views/calls/csv_calls.h"

enum { BEHIND_FILE = FTH_CALL_OWN_FILE + 1 };

/* Text that is not longer than what is kept. */
static bool keep(struct fth_csv_kept *kept, bool is_terminal, const struct fth_cell *cells,
                 const struct fth_column *columns, size_t count)
{
    struct fth_sink sink;
    fth_sink_open(&sink, kept->text, sizeof kept->text);
    const struct fth_csv csv = {&sink, is_terminal};
    fth_views_csv_some(&csv, cells, columns, count);
    kept->length = sink.used;
    return !sink.failed && sink.used < sizeof kept->text;
}

/* Does it hold the text of these? If not, it will. */
static bool is_kept(struct fth_csv_kept *kept, const void *of, uint64_t one, uint64_t other)
{
    bool is_known = kept->of == of && kept->which[0] == one && kept->which[1] == other;
    kept->of = of;
    kept->which[0] = one;
    kept->which[1] = other;
    return is_known;
}

static void put_cells(struct fth_csv_calls *calls, struct fth_csv_kept *kept,
                      const struct fth_cell *cells, const struct fth_column *columns, size_t count)
{
    if (keep(kept, calls->csv.is_terminal, cells, columns, count)) {
        fth_sink_bytes(calls->csv.sink, kept->text, kept->length);
        return;
    }
    kept->of = NULL;
    fth_views_csv_some(&calls->csv, cells, columns, count);
}

static void put_thread(struct fth_csv_calls *calls, const struct fth_call *call)
{
    struct fth_csv_kept *kept = &calls->thread;
    struct fth_cell cells[FTH_CALL_THREAD_COLUMNS];
    const void *process = fth_trace_process(calls->dump->trace, call->proc);
    if (is_kept(kept, process, call->thread, (uint64_t)call->tid)) {
        fth_sink_bytes(calls->csv.sink, kept->text, kept->length);
        return;
    }
    fth_views_call_thread_cells(calls->dump, call, cells);
    put_cells(calls, kept, cells, fth_views_call_columns, FTH_CALL_THREAD_COLUMNS);
}

static void put_function(struct fth_csv_calls *calls, const struct fth_call *call)
{
    uintptr_t place = (uintptr_t)call->function / sizeof *call->function;
    struct fth_csv_kept *kept = &calls->functions[place % FTH_CSV_FUNCTIONS];
    struct fth_cell cells[FTH_CALL_FUNCTION_COLUMNS];
    if (is_kept(kept, call->function, call->depth, call->from_fortran)) {
        fth_sink_bytes(calls->csv.sink, kept->text, kept->length);
        return;
    }
    fth_views_call_function_cells(call, cells);
    put_cells(calls, kept, cells, fth_views_call_columns + FTH_CALL_FIRST_OF_FUNCTION,
              FTH_CALL_FUNCTION_COLUMNS);
}

static void put_name(struct fth_sink *sink, size_t proc, uint32_t thread, uint64_t number)
{
    if (number != FTH_NO_CALL)
        fth_views_put_call_name(sink, proc, &(struct fth_call_name){thread, number});
    fth_sink_char(sink, ',');
}

/* Calls about one file come one after the other, most often. */
static void put_file(struct fth_csv_calls *calls, const struct fth_call *call,
                     const struct fth_cell *cell)
{
    const struct fth_column *column =
        fth_views_call_columns + FTH_CALL_FIRST_OWN + FTH_CALL_OWN_FILE;
    const void *process = fth_trace_process(calls->dump->trace, call->proc);
    if (!call->file_number)
        fth_views_csv_some(&calls->csv, cell, column, 1);
    else if (is_kept(&calls->file, process, call->file_number, 0))
        fth_sink_bytes(calls->csv.sink, calls->file.text, calls->file.length);
    else
        put_cells(calls, &calls->file, cell, column, 1);
}

void fth_views_csv_call(struct fth_csv_calls *calls, const struct fth_call *call)
{
    struct fth_sink *sink = calls->csv.sink;
    struct fth_cell cells[FTH_CALL_OWN_COLUMNS];
    put_thread(calls, call);
    fth_sink_char(sink, ',');
    put_name(sink, call->proc, call->thread, call->number);
    put_name(sink, call->proc, call->parent_thread, call->parent);
    put_function(calls, call);
    fth_sink_char(sink, ',');
    fth_views_call_own_cells(call, cells);
    const struct fth_column *columns = fth_views_call_columns + FTH_CALL_FIRST_OWN;
    fth_views_csv_some(&calls->csv, cells, columns, FTH_CALL_OWN_FILE);
    fth_sink_char(sink, ',');
    put_file(calls, call, &cells[FTH_CALL_OWN_FILE]);
    fth_sink_char(sink, ',');
    fth_views_csv_cells(&calls->csv, cells + BEHIND_FILE, columns + BEHIND_FILE,
                        FTH_CALL_OWN_COLUMNS - BEHIND_FILE, NULL);
}
