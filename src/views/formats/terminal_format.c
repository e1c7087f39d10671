/* Text on a terminal: what there is without an option. */
#include "views/formats/terminal_format.h"

#include "base/visible.h"
#include "views/verdicts/verify_forms.h"

static void put_missing(struct fth_writer *writer, const struct fth_incomplete *incomplete)
{
    fth_views_put_missing(writer->output, incomplete);
}

static void put_head(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_stats *stats, const struct fth_summary *summary)
{
    if (summary->nothing)
        fth_views_print(writer->output, "%s\n", summary->nothing);
    fth_views_summary(writer->output, trace, stats, summary);
}

static void put_table(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_table_layout *layout)
{
    fth_views_table(writer->output, table, layout);
}

static void put_lines(struct fth_writer *writer, fth_views_lines *put, const void *context)
{
    put(writer->output, context);
}

static void put_remark(struct fth_writer *writer, enum fth_paint paint, const char *text)
{
    if (paint != FTH_PAINT_PLAIN)
        fth_views_paint(writer->output, paint);
    fth_visible_put(&writer->output->sink, text);
    if (paint != FTH_PAINT_PLAIN)
        fth_views_paint(writer->output, FTH_PAINT_PLAIN);
    fth_sink_char(&writer->output->sink, '\n');
}

static void put_paragraph(struct fth_writer *writer, const char *text)
{
    fth_views_paint(writer->output, FTH_PAINT_QUIET);
    fth_views_put_wrapped(writer->output, text, 0);
    fth_views_paint(writer->output, FTH_PAINT_PLAIN);
    fth_sink_char(&writer->output->sink, '\n');
}

static void put_list(struct fth_writer *writer, const char *title, const char *const *items,
                     size_t count)
{
    fth_views_paint(writer->output, FTH_PAINT_TITLE);
    fth_views_print(writer->output, "%s\n", title);
    fth_views_paint(writer->output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < count; i++) {
        fth_views_print(writer->output, " - ");
        fth_views_put_wrapped(writer->output, items[i], FTH_TERMINAL_MARGIN);
    }
}

static void put_call(struct fth_writer *writer, struct fth_dump *dump, const struct fth_call *call)
{
    (void)writer;
    fth_views_dump_call(dump, call);
}

static void put_operation(struct fth_writer *writer, struct fth_dump *dump,
                          const struct fth_operation *operation)
{
    (void)writer;
    fth_views_dump_operation(dump, operation);
}

static void put_verdict(struct fth_writer *writer, const struct fth_verdict *verdict,
                        const char *asked, size_t top)
{
    fth_views_verify(writer->output, verdict, asked, top);
}

static void put_gap(struct fth_writer *writer)
{
    fth_sink_char(&writer->output->sink, '\n');
}

const struct fth_format fth_format_terminal = {
    .for_people = true,
    .missing = put_missing,
    .table = put_table,
    .call = put_call,
    .operation = put_operation,
    .findings = fth_views_terminal_findings,
    .verdict = put_verdict,
    .head = put_head,
    .lines = put_lines,
    .remark = put_remark,
    .paragraph = put_paragraph,
    .list = put_list,
    .gap = put_gap,
};
