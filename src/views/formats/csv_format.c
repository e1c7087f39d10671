/* Comma-separated values, for spreadsheets and for programs that read tables: one table, with the
 * columns and the values that JSON has. Where a page has several, one is chosen by its name. */
#include "views/formats/writer.h"

#include "base/memory.h"
#include "views/calls/csv_calls.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct fth_csv csv;
    struct fth_csv_calls calls;
    struct fth_sink held;     /* the first table, while it may be one of several */
    struct fth_sink names;    /* that may be chosen: "files, ranks" */
    const char *first, *last; /* of tables: the first that was wanted, the last of all */
    bool is_several;
};

static void begin(struct fth_writer *writer)
{
    struct state *state = writer->state = fth_new(1, sizeof *state);
    *state = (struct state){.csv.is_terminal = writer->output->style.width > 0};
    fth_sink_open_memory(&state->held);
    fth_sink_open_memory(&state->names);
    state->csv.sink = writer->page.chosen ? &writer->output->sink : &state->held;
}

static void free_state(struct fth_writer *writer)
{
    struct state *state = writer->state;
    fth_sink_close_memory(&state->held);
    fth_sink_close_memory(&state->names);
    free(state);
}

/* For who chooses none, or one that is not there. */
static void note_name(struct state *state, const char *name)
{
    if (state->last && strcmp(state->last, name) == 0)
        return;
    fth_sink_text(&state->names, state->last ? ", " : "");
    fth_sink_text(&state->names, name);
    state->last = name;
}

static bool is_chosen(const struct fth_writer *writer, const char *name)
{
    return writer->page.chosen && strcmp(writer->page.chosen, name) == 0;
}

static void put_table(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_table_layout *layout)
{
    struct state *state = writer->state;
    const char *name = fth_views_name_of(table, layout);
    bool is_wanted = is_chosen(writer, name) || (!writer->page.chosen && !layout->is_one);
    note_name(state, name);
    if (!is_wanted)
        return;
    if (state->first && strcmp(state->first, name) != 0) {
        state->is_several = true;
        return;
    }
    if (!state->first)
        fth_views_csv_titles(&state->csv, table, layout->leading);
    state->first = name;
    fth_views_csv_rows(&state->csv, table, layout->leading, layout->top_of_all);
}

/* Calls are a table that nobody holds: the only one of their page. */
static void begin_rows(struct fth_writer *writer, const char *name,
                       const struct fth_column *columns, size_t count)
{
    struct state *state = writer->state;
    note_name(state, name);
    state->csv.sink = &writer->output->sink;
    if (writer->page.chosen && !is_chosen(writer, name))
        return;
    state->first = name;
    fth_views_csv_names(&state->csv, columns, count, NULL);
}

static void begin_calls(struct fth_writer *writer)
{
    begin_rows(writer, "calls", fth_views_call_columns, FTH_CALL_COLUMNS);
}

static void begin_operations(struct fth_writer *writer)
{
    begin_rows(writer, "operations", fth_views_operation_columns, FTH_OPERATION_COLUMNS);
}

static void put_call(struct fth_writer *writer, struct fth_dump *dump, const struct fth_call *call)
{
    struct state *state = writer->state;
    if (!state->first)
        return;
    state->calls.csv = state->csv;
    state->calls.dump = dump;
    fth_views_csv_call(&state->calls, call);
}

static void put_operation(struct fth_writer *writer, struct fth_dump *dump,
                          const struct fth_operation *operation)
{
    const struct state *state = writer->state;
    struct fth_operation_row row;
    if (!state->first)
        return;
    fth_views_operation_row(dump, operation, &row);
    fth_views_csv_cells(&state->csv, row.cells, fth_views_operation_columns, FTH_OPERATION_COLUMNS,
                        NULL);
}

static int end(struct fth_writer *writer, struct fth_error **error)
{
    struct state *state = writer->state;
    fth_sink_char(&state->names, 0);
    if (state->held.failed || state->names.failed)
        return fth_fail(error, "out of memory");
    if (writer->page.chosen && !state->first)
        return fth_fail(error, "there is no table '%s'; there are: %s", writer->page.chosen,
                        state->names.bytes);
    if (state->is_several)
        return fth_fail(error, "CSV holds one table; choose one of several, such as --csv=%s: %s",
                        state->first, state->names.bytes);
    fth_sink_bytes(&writer->output->sink, state->held.bytes, state->held.used);
    return 0;
}

const struct fth_format fth_format_csv = {
    .name = "csv",
    .argument = "TABLE",
    .help = "Print comma-separated values: the only table, or the one named TABLE",
    .begin = begin,
    .end = end,
    .free = free_state,
    .table = put_table,
    .begin_calls = begin_calls,
    .begin_operations = begin_operations,
    .call = put_call,
    .operation = put_operation,
};
