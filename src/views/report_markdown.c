/* The report as Markdown: for a pull request or a wiki. */
#include "views/report.h"

#include "views/incomplete.h"
#include "views/markdown.h"
#include "views/meta.h"
#include "views/summary.h"
#include "views/words.h"

#include <stdlib.h>

static void put_list(struct fth_output *output, const char *label,
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
    struct fth_sink command;
    fth_sink_open_memory(&command);
    if (fth_views_put_show(&command, finding, view)) {
        fth_sink_char(&command, 0);
        fth_views_print(output, "- show: ");
        fth_views_markdown_text(output, command.bytes);
        fth_sink_char(&output->sink, '\n');
    }
    fth_sink_close_memory(&command);
}

static void put_finding(struct fth_output *output, const struct fth_results *results,
                        const struct fth_finding *finding, const struct fth_report_view *view)
{
    fth_views_print(output, "### %s", finding->title);
    fth_views_put_worth(output, finding);
    fth_views_print(output, "\n\n");
    fth_views_markdown_text(output, finding->text);
    if (finding->times > 1)
        fth_views_print(output, " This is the worst of %s.",
                        fth_phrase_several(finding->times, "such case", "such cases").text);
    const struct fth_finding *cause =
        finding->part_of ? fth_finding_of(&results->findings, finding->part_of) : NULL;
    if (cause)
        fth_views_print(output, " This is part of: %s.", cause->title);
    for (size_t i = 0; i < results->findings.count; i++) {
        const char *explained = fth_views_explained(finding, &results->findings.list[i]);
        if (explained)
            fth_views_print(output, " %s", explained);
    }
    fth_views_print(output, "\n\n");
    if (finding->advice) {
        fth_views_print(output, "**Try:** ");
        fth_views_markdown_text(output, finding->advice);
        fth_views_print(output, "\n\n");
    }
    const char *time = fth_views_time_of(finding);
    if (time)
        fth_views_print(output, "- time: %s\n", time);
    put_list(output, "files", &finding->files, 4);
    put_list(output, "ranks", &finding->ranks, 8);
    put_list(output, "calls", &finding->evidence, 4);
    put_show(output, finding, view);
    fth_sink_char(&output->sink, '\n');
}

static void put_table(struct fth_output *output, const struct fth_table *table, size_t top)
{
    if (!fth_table_rows(table))
        return;
    fth_views_print(output, "## %s\n\n", fth_table_shape(table)->title);
    fth_views_markdown_table(output, table, top);
    fth_sink_char(&output->sink, '\n');
}

static void put_findings(struct fth_output *output, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view)
{
    const struct fth_findings *findings = &results->findings;
    size_t most = view->findings ? view->findings : SIZE_MAX, shown = 0;
    fth_views_print(output, "## Findings\n\n");
    const struct fth_finding *minor = fth_views_largest_minor(results, view);
    bool any = minor;
    for (size_t i = 0; i < findings->count && !any; i++)
        any = fth_views_stands_out(&findings->list[i], view);
    if (minor)
        fth_views_print(output, "%s:\n\n", fth_views_heading(trace, results, view));
    if (any && fth_views_base(results))
        fth_views_print(output, "%s\n\n", fth_views_base(results));
    for (size_t i = 0; i < findings->count && shown < most; i++) {
        if (&findings->list[i] != minor && !fth_views_stands_out(&findings->list[i], view))
            continue;
        put_finding(output, results, &findings->list[i], view);
        shown++;
    }
    if (!shown)
        fth_views_print(output, "%s.\n\n", fth_views_heading(trace, results, view));
    if (shown < findings->count)
        fth_views_print(output, "%s more with `--all`.\n\n",
                        fth_phrase_several(findings->count - shown, "finding", "findings").text);
}

static void put_head(struct fth_output *output, const struct fth_trace *trace,
                     const struct fth_report_view *view)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    if (fth_analysis_is_stopped(&view->incomplete)) {
        fth_views_print(output, "**Incomplete: ");
        fth_views_markdown_text(output, fth_views_missing(&view->incomplete).text);
        fth_views_print(output, ". Sums and shares are of what was kept.**\n\n");
    }
    fth_views_print(output, "# ");
    fth_views_markdown_text(output, view->trace_path);
    fth_views_print(output, "\n\n```\n");
    fth_views_put_command(output, info, "$ ");
    fth_sink_char(&output->sink, '\n');
    fth_views_figures(output, trace, view->stats,
                      &(struct fth_summary){view->trace_path, view->launchers, view->incomplete});
    fth_views_print(output, "```\n\n");
}

static void put_blind_spots(struct fth_output *output, const struct fth_trace_info *info)
{
    if (info->blind_spot_count)
        fth_views_print(output, "## What could not be seen\n\n");
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        fth_views_print(output, "- ");
        fth_views_markdown_text(output, info->blind_spots[i]);
        fth_sink_char(&output->sink, '\n');
    }
}

void fth_views_report_markdown(struct fth_output *output, const struct fth_trace *trace,
                               const struct fth_results *results,
                               const struct fth_report_view *view)
{
    if (trace)
        put_head(output, trace, view);
    if (results->table_count)
        put_table(output, results->tables[0], view->top);
    if (fth_views_threads(results))
        fth_views_print(output, "%s\n\n", fth_views_threads(results));
    put_findings(output, trace, results, view);
    for (size_t i = 1; view->all && i < results->table_count; i++)
        put_table(output, results->tables[i], view->top);
    for (size_t i = FTH_STATS_FUNCTIONS; view->all && !view->results_only && i < FTH_STATS_TABLES;
         i++)
        put_table(output, view->stats->tables[i], view->top);
    if (trace)
        put_blind_spots(output, fth_trace_info(trace));
}
