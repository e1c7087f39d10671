/* Writers: what a page shows goes to the function of the format, if it has one. */
#include "views/formats/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool drop(struct fth_sink *sink)
{
    sink->used = 0;
    return true;
}

void fth_views_begin(struct fth_writer *writer, const struct fth_format *format,
                     struct fth_output *output, const struct fth_page *page)
{
    *writer = (struct fth_writer){.format = format, .page = *page, .output = output};
    fth_sink_open(&writer->floor, writer->dropped, sizeof writer->dropped);
    writer->floor.drain = drop;
    fth_json_open(&writer->facts, &writer->floor, page->line_depth);
    if (format->begin)
        format->begin(writer);
}

int fth_views_end(struct fth_writer *writer, struct fth_error **error)
{
    int result = writer->format->end ? writer->format->end(writer, error) : 0;
    fth_views_give_up(writer);
    return result;
}

void fth_views_give_up(struct fth_writer *writer)
{
    if (writer->format->free)
        writer->format->free(writer);
}

void fth_views_write_missing(struct fth_writer *writer, const struct fth_incomplete *incomplete)
{
    if (writer->format->missing)
        writer->format->missing(writer, incomplete);
}

void fth_views_write_table(struct fth_writer *writer, const struct fth_table *table,
                           const struct fth_table_layout *layout)
{
    if (writer->format->table)
        writer->format->table(writer, table, layout);
}

void fth_views_begin_calls(struct fth_writer *writer)
{
    if (writer->format->begin_calls)
        writer->format->begin_calls(writer);
}

void fth_views_begin_operations(struct fth_writer *writer)
{
    if (writer->format->begin_operations)
        writer->format->begin_operations(writer);
}

void fth_views_write_findings(struct fth_writer *writer, const struct fth_trace *trace,
                              const struct fth_results *results, const struct fth_report_view *view)
{
    if (writer->format->findings)
        writer->format->findings(writer, trace, results, view);
}

bool fth_views_write_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                             const char *asked, size_t top)
{
    if (writer->format->verdict)
        writer->format->verdict(writer, verdict, asked, top);
    return writer->format->verdict;
}

bool fth_views_write_run(struct fth_writer *writer, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view)
{
    if (writer->format->run)
        writer->format->run(writer, trace, results, view);
    return writer->format->run;
}

void fth_views_write_head(struct fth_writer *writer, const struct fth_trace *trace,
                          const struct fth_stats *stats, const struct fth_summary *summary)
{
    if (writer->format->head)
        writer->format->head(writer, trace, stats, summary);
}

void fth_views_write_lines(struct fth_writer *writer, fth_views_lines *put, const void *context)
{
    if (writer->format->lines)
        writer->format->lines(writer, put, context);
}

void fth_views_write_remark(struct fth_writer *writer, enum fth_paint paint, const char *format,
                            ...)
{
    va_list arguments;
    char *text = NULL;
    if (!writer->format->remark)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0)
        writer->format->remark(writer, paint, text);
    va_end(arguments);
    free(text);
}

void fth_views_write_paragraph(struct fth_writer *writer, const char *text)
{
    if (writer->format->paragraph)
        writer->format->paragraph(writer, text);
}

void fth_views_write_list(struct fth_writer *writer, const char *title, const char *const *items,
                          size_t count)
{
    if (writer->format->list && count)
        writer->format->list(writer, title, items, count);
}

void fth_views_write_gap(struct fth_writer *writer)
{
    if (writer->format->gap)
        writer->format->gap(writer);
}
