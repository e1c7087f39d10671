/* Comma-separated values, for spreadsheets and for programs that read tables: one table, with the
 * columns and the values that JSON has. Where a page has several, one is chosen by its name. */
#include "views/formats/writer.h"

#include "views/calls/rows.h"
#include "views/tables/csv.h"

#include <string.h>

static void begin(struct fth_writer *writer)
{
    fth_sink_open_memory(&writer->held);
    fth_sink_open_memory(&writer->names);
}

static bool is_chosen(const struct fth_writer *writer, const char *name)
{
    return writer->page.chosen && strcmp(writer->page.chosen, name) == 0;
}

/* Names that may be chosen, for who chose none, or one that is not there. */
static void note_name(struct fth_writer *writer, const char *name)
{
    if (writer->last && strcmp(writer->last, name) == 0)
        return;
    fth_sink_text(&writer->names, writer->last ? ", " : "");
    fth_sink_text(&writer->names, name);
    writer->last = name;
}

static struct fth_csv csv_to(struct fth_output *output)
{
    return (struct fth_csv){&output->sink, output->style.width > 0};
}

/* Without a name the first table is held back: it may turn out to be one of several. */
static void put_table(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_table_layout *layout)
{
    const char *name = fth_views_name_of(table, layout);
    bool is_wanted = is_chosen(writer, name) || (!writer->page.chosen && !layout->is_one);
    note_name(writer, name);
    if (!is_wanted)
        return;
    if (writer->first && strcmp(writer->first, name) != 0) {
        writer->is_several = true;
        return;
    }
    struct fth_csv csv = csv_to(writer->output);
    if (!writer->page.chosen)
        csv.sink = &writer->held;
    if (!writer->first)
        fth_views_csv_titles(&csv, table, layout->leading);
    writer->first = name;
    fth_views_csv_rows(&csv, table, layout->leading, layout->top_of_all);
}

/* Calls are a table that nobody holds: the only one. */
static void begin_rows(struct fth_writer *writer, const char *name,
                       const struct fth_column *columns, size_t count)
{
    note_name(writer, name);
    if (writer->page.chosen && !is_chosen(writer, name))
        return;
    writer->first = name;
    const struct fth_csv csv = csv_to(writer->output);
    fth_views_csv_names(&csv, columns, count, NULL);
}

static void begin_calls(struct fth_writer *writer)
{
    begin_rows(writer, "calls", fth_views_call_columns, FTH_CALL_COLUMNS);
}

static void begin_operations(struct fth_writer *writer)
{
    begin_rows(writer, "operations", fth_views_operation_columns, FTH_OPERATION_COLUMNS);
}

static void put_call(struct fth_dump *dump, const struct fth_call *call)
{
    const struct fth_csv csv = csv_to(dump->output);
    struct fth_call_row row;
    fth_views_call_row(dump, call, &row);
    fth_views_csv_cells(&csv, row.cells, fth_views_call_columns, FTH_CALL_COLUMNS, NULL);
}

static void put_operation(struct fth_dump *dump, const struct fth_operation *operation)
{
    const struct fth_csv csv = csv_to(dump->output);
    struct fth_operation_row row;
    fth_views_operation_row(dump, operation, &row);
    fth_views_csv_cells(&csv, row.cells, fth_views_operation_columns, FTH_OPERATION_COLUMNS, NULL);
}

static int end(struct fth_writer *writer, struct fth_error **error)
{
    int result = 0;
    fth_sink_char(&writer->names, 0);
    if (writer->held.failed || writer->names.failed)
        result = fth_fail(error, "out of memory");
    else if (writer->page.chosen && !writer->first)
        result = fth_fail(error, "there is no table '%s'; there are: %s", writer->page.chosen,
                          writer->names.bytes);
    else if (writer->is_several)
        result =
            fth_fail(error, "CSV is one table, and there are several; choose one, as --csv=%s: %s",
                     writer->first, writer->names.bytes);
    else
        fth_sink_bytes(&writer->output->sink, writer->held.bytes, writer->held.used);
    return result;
}

const struct fth_format fth_format_csv = {
    .name = "csv",
    .argument = "TABLE",
    .help = "Print comma-separated values: the table, or of several the one called TABLE",
    .begin = begin,
    .end = end,
    .table = put_table,
    .begin_calls = begin_calls,
    .begin_operations = begin_operations,
    .call = put_call,
    .operation = put_operation,
};
