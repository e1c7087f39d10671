/* Markdown: for a pull request or a wiki. */
#include "views/formats/writer.h"

#include "base/phrase.h"
#include "views/output/display_text.h"
#include "views/sentences/meta.h"
#include "views/tables/markdown.h"

#include <stdlib.h>

static void put_missing(struct fth_writer *writer, const struct fth_incomplete *incomplete)
{
    if (!fth_analysis_is_stopped(incomplete))
        return;
    fth_views_print(writer->output, "**Incomplete: ");
    fth_views_markdown_text(writer->output, fth_views_missing(incomplete).text);
    fth_views_print(writer->output, ". %s**\n\n", fth_views_what_is_shown(incomplete));
}

static void put_head(struct fth_writer *writer, const struct fth_trace *trace,
                     const struct fth_stats *stats, const struct fth_summary *summary)
{
    struct fth_output *output = writer->output;
    put_missing(writer, &summary->incomplete);
    fth_views_print(output, "# ");
    fth_views_markdown_text(output, summary->trace_path);
    fth_views_print(output, "\n\n```\n");
    fth_views_put_command(output, fth_trace_info(trace), "$ ");
    fth_sink_char(&output->sink, '\n');
    fth_views_figures(output, trace, stats, summary);
    fth_views_print(output, "```\n\n");
}

/* The titles of tables are ours, but for those that a page makes. */
static void put_table(struct fth_writer *writer, const struct fth_table *table,
                      const struct fth_table_layout *layout)
{
    struct fth_output *output = writer->output;
    fth_views_print(output, "## ");
    if (layout->title)
        fth_views_markdown_text(output, layout->title);
    else
        fth_views_print(output, "%s", fth_table_shape(table)->title);
    fth_views_print(output, "\n\n");
    if (fth_table_rows(table))
        fth_views_markdown_table(output, table, layout->top);
    else
        fth_views_print(output, "none\n");
    fth_sink_char(&output->sink, '\n');
}

/* Colours belong to terminals. */
static void put_lines(struct fth_writer *writer, fth_views_lines *put, const void *context)
{
    struct fth_style style = writer->output->style;
    writer->output->style.colour = false;
    fth_views_print(writer->output, "```\n");
    put(writer->output, context);
    fth_views_print(writer->output, "```\n\n");
    writer->output->style = style;
}

static void put_remark(struct fth_writer *writer, enum fth_paint paint, const char *text)
{
    (void)paint;
    fth_views_markdown_text(writer->output, text);
    fth_views_print(writer->output, "\n\n");
}

static void put_paragraph(struct fth_writer *writer, const char *text)
{
    fth_views_print(writer->output, "%s\n\n", text);
}

static void put_list(struct fth_writer *writer, const char *title, const char *const *items,
                     size_t count)
{
    fth_views_print(writer->output, "## %s\n\n", title);
    for (size_t i = 0; i < count; i++) {
        fth_views_print(writer->output, "- ");
        fth_views_markdown_text(writer->output, items[i]);
        fth_sink_char(&writer->output->sink, '\n');
    }
    fth_sink_char(&writer->output->sink, '\n');
}

/* ---- findings ---- */

static void put_finding_list(struct fth_output *output, const char *label,
                             const struct fth_finding_list *list, size_t most)
{
    size_t shown = list->count < most ? list->count : most;
    if (!shown)
        return;
    label = fth_views_label(label, list);
    fth_views_print(output, "- %s: ", label);
    for (size_t i = 0; i < shown; i++) {
        fth_views_print(output, i ? ", " : "");
        fth_views_markdown_text(output, fth_views_item(label, list->items[i]));
    }
    if (list->total > shown)
        fth_views_print(output, " and %s more",
                        fth_phrase_count((int64_t)(list->total - shown)).text);
    fth_sink_char(&output->sink, '\n');
}

static void put_show(struct fth_output *output, const struct fth_finding *finding,
                     const struct fth_report_view *view)
{
    char *command = fth_views_show(finding, view);
    if (!command)
        return;
    fth_views_print(output, "- show: ");
    fth_views_markdown_text(output, command);
    fth_sink_char(&output->sink, '\n');
    free(command);
}

static void put_relation(void *to, const char *sentence)
{
    fth_views_print(to, " %s", sentence);
}

static void put_finding(struct fth_output *output, const struct fth_results *results,
                        const struct fth_finding *finding, const struct fth_report_view *view)
{
    const char *worth = fth_views_worth(finding);
    fth_views_print(output, "### %s", finding->title);
    if (worth)
        fth_views_print(output, ": %s", worth);
    fth_views_print(output, "\n\n");
    fth_views_markdown_text(output, finding->text);
    fth_views_relations(results, finding, put_relation, output);
    fth_views_print(output, "\n\n");
    if (finding->advice) {
        fth_views_print(output, "**Try:** ");
        fth_views_markdown_text(output, finding->advice);
        fth_views_print(output, "\n\n");
    }
    const char *time = fth_views_time_of(finding);
    if (time)
        fth_views_print(output, "- time: %s\n", time);
    put_finding_list(output, "files", &finding->files, 4);
    put_finding_list(output, "ranks", &finding->ranks, 8);
    put_finding_list(output, "late ranks", &finding->late, 8);
    put_finding_list(output, "calls", &finding->evidence, 4);
    put_show(output, finding, view);
    fth_sink_char(&output->sink, '\n');
}

static void put_findings(struct fth_writer *writer, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view)
{
    struct fth_output *output = writer->output;
    const struct fth_findings *findings = &results->findings;
    size_t most = view->findings ? view->findings : SIZE_MAX, shown = 0;
    fth_views_print(output, "## Findings\n\n");
    const struct fth_finding *minor = fth_views_largest_minor(results, view);
    if (minor)
        fth_views_print(output, "%s:\n\n", fth_views_heading(trace, results, view));
    const char *base = fth_views_base(results, minor || fth_views_is_any_shown(results, view));
    if (base)
        fth_views_print(output, "%s\n\n", base);
    for (size_t i = 0; i < findings->count && shown < most; i++) {
        if (&findings->list[i] != minor && !fth_views_stands_out(&findings->list[i], view))
            continue;
        put_finding(output, results, &findings->list[i], view);
        shown++;
    }
    if (!shown)
        fth_views_print(output, "%s.\n\n", fth_views_heading(trace, results, view));
    if (shown < findings->count)
        fth_views_print(
            output, "%s with `--all`.\n\n",
            fth_phrase_several(findings->count - shown, "more finding", "more findings").text);
}

const struct fth_format fth_format_markdown = {
    .name = "markdown",
    .help = "Print Markdown, for a pull request or a wiki",
    .for_people = true,
    .missing = put_missing,
    .table = put_table,
    .findings = put_findings,
    .head = put_head,
    .lines = put_lines,
    .remark = put_remark,
    .paragraph = put_paragraph,
    .list = put_list,
};
