/* The report on a terminal: what ran, where the time went, what is worth changing, what could not
 * be seen. */
#include "views/report.h"

#include "base/memory.h"
#include "views/summary.h"
#include "views/tables.h"
#include "views/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 3, NARROWEST = 40, PLAIN_WIDTH = 100 };

static size_t width_of(const struct fth_output *output)
{
    size_t width = output->style.width ? output->style.width : PLAIN_WIDTH;
    return width < NARROWEST ? NARROWEST : width;
}

/* A text in lines of whole words, each behind a margin. The first line has `used` columns taken. */
static void put_wrapped(struct fth_output *output, const char *text, size_t used)
{
    size_t width = width_of(output), at = used;
    while (*text) {
        size_t length = strcspn(text, " ");
        char *word = fth_text_part(text, length);
        if (!word)
            fth_out_of_memory();
        size_t columns = fth_views_width(word);
        if (at > MARGIN && at + 1 + columns > width) {
            fth_views_print(output, "\n%*s", MARGIN, "");
            at = MARGIN;
        } else if (at > MARGIN) {
            fth_sink_char(&output->sink, ' ');
            at++;
        }
        at += fth_views_put_text(&output->sink, word, 0, FTH_CUT_END, output->style.unicode);
        free(word);
        text += length;
        text += *text == ' ';
    }
    fth_sink_char(&output->sink, '\n');
}

/* As fth_finding_rank names processes without a rank. */
static const char without_rank[] = "proc ";

const char *fth_views_label(const char *label, const struct fth_finding_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(label, "ranks") != 0 ||
            strncmp(list->items[i], without_rank, strlen(without_rank)) != 0)
            return label;
    return "procs";
}

const char *fth_views_item(const char *label, const char *item)
{
    return strcmp(label, "procs") == 0 ? item + strlen(without_rank) : item;
}

/* "label  item, item and 3 more", on one line. */
static void put_list(struct fth_output *output, const char *label,
                     const struct fth_finding_list *list, size_t most, enum fth_cut cut)
{
    if (!list->total)
        return;
    label = fth_views_label(label, list);
    size_t shown = list->count < most ? list->count : most;
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%*s%-6s ", MARGIN, "", label);
    for (size_t i = 0; i < shown; i++) {
        fth_views_print(output, i ? ", " : "");
        fth_views_put_text(&output->sink, fth_views_item(label, list->items[i]),
                           width_of(output) - MARGIN - 8, cut, output->style.unicode);
    }
    if (list->total > shown)
        fth_views_print(output, " and %s more",
                        fth_phrase_count((int64_t)(list->total - shown)).text);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

/* Percent of the length of the run. */
static const double HARDLY = 0.05;

void fth_views_put_worth(struct fth_output *output, const struct fth_finding *finding)
{
    if (finding->gain >= 0 && !finding->effective && finding->gain_share < HARDLY) {
        fth_views_print(output, ": the run would hardly be shorter");
    } else if (finding->gain >= 0 && !finding->effective) {
        fth_views_print(output, ": the run up to %s shorter, ",
                        fth_phrase_duration(finding->gain).text);
        fth_views_print(output, "%s of its critical path",
                        fth_phrase_percent(finding->gain_share).text);
    } else if (finding->severity > 0) {
        fth_views_print(output, finding->effective ? ": %s, " : ": up to %s, ",
                        fth_phrase_duration(finding->severity).text);
        fth_views_print(output, "%s", fth_views_share(finding));
    }
}

static void put_time(struct fth_output *output, const struct fth_finding *finding)
{
    const char *time = fth_views_time_of(finding);
    if (!time)
        return;
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%*stime   %s", MARGIN, "", time);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

bool fth_views_put_show(struct fth_sink *sink, const struct fth_finding *finding,
                        const struct fth_report_view *view)
{
    if (!finding->evidence.count || !view->trace_path)
        return false;
    fth_sink_text(sink, "fathom dump --call ");
    fth_sink_text(sink, finding->evidence.items[0]);
    fth_sink_char(sink, ' ');
    fth_views_put_argument(sink, view->trace_path);
    return true;
}

static void put_show(struct fth_output *output, const struct fth_finding *finding,
                     const struct fth_report_view *view)
{
    struct fth_sink command;
    fth_sink_open_memory(&command);
    if (fth_views_put_show(&command, finding, view)) {
        fth_sink_char(&command, 0);
        fth_views_paint(output, FTH_PAINT_QUIET);
        fth_views_print(output, "%*sshow   ", MARGIN, "");
        fth_views_put_text(&output->sink, command.bytes, 0, FTH_CUT_END, output->style.unicode);
        fth_views_paint(output, FTH_PAINT_PLAIN);
        fth_sink_char(&output->sink, '\n');
    }
    fth_sink_close_memory(&command);
}

const char *fth_views_explained(const struct fth_finding *finding, const struct fth_finding *part)
{
    static char text[160];
    if (!part->part_of || strcmp(part->part_of, finding->kind) != 0)
        return NULL;
    snprintf(text, sizeof text, "It explains%s: %s, %s.",
             part->severity > finding->severity ? " part of" : "", part->title,
             fth_phrase_duration(part->severity).text);
    return text;
}

/* What it explains, or what explains it. */
static void put_parts(struct fth_output *output, const struct fth_results *results,
                      const struct fth_finding *finding)
{
    const struct fth_finding *cause =
        finding->part_of ? fth_finding_of(&results->findings, finding->part_of) : NULL;
    if (cause)
        fth_views_print(output, "%*sThis is part of: %s.\n", MARGIN, "", cause->title);
    for (size_t i = 0; i < results->findings.count; i++) {
        const char *explained = fth_views_explained(finding, &results->findings.list[i]);
        if (explained)
            fth_views_print(output, "%*s%s\n", MARGIN, "", explained);
    }
}

static void put_finding(struct fth_output *output, const struct fth_results *results,
                        const struct fth_finding *finding, const struct fth_report_view *view,
                        size_t number)
{
    enum fth_paint paint = finding->effective ? FTH_PAINT_GOOD
                           : finding->wrong   ? FTH_PAINT_BAD
                                              : FTH_PAINT_WARNING;
    fth_views_print(output, "%zu. ", number);
    fth_views_paint(output, paint);
    fth_views_print(output, "%s", finding->title);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_views_put_worth(output, finding);
    fth_views_print(output, "\n%*s", MARGIN, "");
    if (finding->text)
        put_wrapped(output, finding->text, MARGIN);
    if (finding->times > 1)
        fth_views_print(output, "%*sThis is the worst of %s.\n", MARGIN, "",
                        fth_phrase_several(finding->times, "such case", "such cases").text);
    put_parts(output, results, finding);
    if (finding->advice) {
        fth_views_print(output, "%*s", MARGIN, "");
        fth_views_paint(output, FTH_PAINT_NAME);
        fth_views_print(output, "Try:");
        fth_views_paint(output, FTH_PAINT_PLAIN);
        put_wrapped(output, finding->advice, MARGIN + 4);
    }
    put_time(output, finding);
    put_list(output, "files", &finding->files, 2, FTH_CUT_MIDDLE);
    put_list(output, "ranks", &finding->ranks, 8, FTH_CUT_END);
    put_list(output, "calls", &finding->evidence, 3, FTH_CUT_END);
    put_show(output, finding, view);
    fth_sink_char(&output->sink, '\n');
}

bool fth_views_stands_out(const struct fth_finding *finding, const struct fth_report_view *view)
{
    return view->all || (!finding->effective && !finding->minor && !finding->part_of);
}

static void put_base(struct fth_output *output, const struct fth_results *results)
{
    const char *base = fth_views_base(results);
    if (base)
        fth_views_print(output, "%s\n", base);
}

/* Percent of all time from which on something is not passed over in silence. */
static const double LARGE_PART = 10, MOST_OF_IT = 50;

static bool is_any_shown(const struct fth_results *results, const struct fth_report_view *view)
{
    for (size_t i = 0; i < results->findings.count; i++)
        if (fth_views_stands_out(&results->findings.list[i], view))
            return true;
    return false;
}

const struct fth_finding *fth_views_largest_minor(const struct fth_results *results,
                                                  const struct fth_report_view *view)
{
    const struct fth_finding *largest = NULL;
    if (view->nothing || is_any_shown(results, view))
        return NULL;
    for (size_t i = 0; i < results->findings.count; i++) {
        const struct fth_finding *finding = &results->findings.list[i];
        if (!finding->effective && !finding->part_of && finding->share >= LARGE_PART &&
            (!largest || finding->share > largest->share))
            largest = finding;
    }
    return largest;
}

/* Waiting for other programs and threads is no finding. */
static bool does_work(const struct fth_trace *trace, const char *layer)
{
    static const char *const kinds[] = {"read", "write", "open",      "stat",
                                        "send", "recv",  "collective"};
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strcmp(function->layer, layer) == 0 && strcmp(function->kind, kinds[k]) == 0)
                return true;
    }
    return false;
}

/* The row of the time table with most time that is not the program's own; it is sorted. */
static const struct fth_cell *largest_layer(const struct fth_trace *trace,
                                            const struct fth_results *results)
{
    const struct fth_table *table = results->table_count ? results->tables[0] : NULL;
    if (!table || fth_table_rows(table) < 2) /* the last one is the program's own */
        return NULL;
    const struct fth_cell *row = fth_table_row(table, 0);
    size_t share = fth_table_column(table, "share");
    return share != SIZE_MAX && row[share].type == FTH_CELL_REAL && row[share].real >= MOST_OF_IT &&
                   trace && does_work(trace, row[0].text)
               ? row
               : NULL;
}

/* Launchers are nobody's program. */
static bool is_empty(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (!fth_trace_process(trace, proc)->launcher && fth_trace_process(trace, proc)->calls)
            return false;
    return true;
}

static bool leaves_out(const struct fth_trace *trace)
{
    for (size_t proc = 0; proc < fth_trace_process_count(trace); proc++)
        if (!fth_trace_process(trace, proc)->launcher && fth_trace_process(trace, proc)->excluded)
            return true;
    return false;
}

const char *fth_views_heading(const struct fth_trace *trace, const struct fth_results *results,
                              const struct fth_report_view *view)
{
    static char text[160];
    if (is_any_shown(results, view))
        return "What is worth knowing";
    if (view->nothing)
        return view->nothing;
    if (trace && is_empty(trace))
        return "Nothing was recorded, so nothing can be said";
    if (fth_views_largest_minor(results, view))
        return "Nothing would make the run much shorter; the largest of what there is";
    const struct fth_cell *row = largest_layer(trace, results);
    if (!row)
        return "Nothing stands out";
    size_t share = fth_table_column(results->tables[0], "share");
    snprintf(text, sizeof text,
             "No finding, though %s of the time of all threads went to the layer %s",
             fth_phrase_percent(row[share].real).text, row[0].text);
    return text;
}

static void put_findings(struct fth_output *output, const struct fth_trace *trace,
                         const struct fth_results *results, const struct fth_report_view *view)
{
    const struct fth_findings *findings = &results->findings;
    size_t shown = 0, most = view->findings ? view->findings : findings->count, hidden = 0;
    const struct fth_finding *minor = fth_views_largest_minor(results, view);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "%s\n", fth_views_heading(trace, results, view));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    if (minor || is_any_shown(results, view))
        put_base(output, results);
    for (size_t i = 0; i < findings->count; i++) {
        if (&findings->list[i] == minor ||
            (shown < most && fth_views_stands_out(&findings->list[i], view)))
            put_finding(output, results, &findings->list[i], view, ++shown);
        else
            hidden++;
    }
    if (hidden)
        fth_views_print(output, "%s%s more with --all\n\n", shown ? "and " : "",
                        fth_phrase_several(hidden, "finding", "findings").text);
    else if (!shown)
        fth_sink_char(&output->sink, '\n');
}

static void put_threads(struct fth_output *output, const struct fth_results *results)
{
    const char *threads = fth_views_threads(results);
    if (!threads)
        return;
    fth_views_paint(output, FTH_PAINT_QUIET);
    put_wrapped(output, threads, 0);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

static void put_table(struct fth_output *output, const struct fth_table *table, size_t top)
{
    static const char *const spare[] = {"kind",    "scope", "shortest", "errors",
                                        "longest", "mean",  "program",  NULL};
    struct fth_table_layout layout = {.top = top, .more = "--top 0 shows all", .spare = spare};
    if (!fth_table_rows(table))
        return;
    fth_views_table(output, table, &layout);
    fth_sink_char(&output->sink, '\n');
}

/* Where the time went, and what that is a share of. */
static void put_times(struct fth_output *output, const struct fth_results *results, size_t top)
{
    put_table(output, results->tables[0], top);
    put_threads(output, results);
}

static void put_blind_spots(struct fth_output *output, const struct fth_trace *trace)
{
    const struct fth_trace_info *info = fth_trace_info(trace);
    if (!info->blind_spot_count)
        return;
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "What could not be seen\n");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    for (size_t i = 0; i < info->blind_spot_count; i++) {
        fth_views_print(output, " - ");
        put_wrapped(output, info->blind_spots[i], MARGIN);
    }
}

void fth_views_report(struct fth_output *output, const struct fth_trace *trace,
                      const struct fth_results *results, const struct fth_report_view *view)
{
    if (trace && is_empty(trace) && !fth_analysis_is_stopped(&view->incomplete))
        fth_views_print(
            output, "Nothing was recorded of this program%s.\n",
            leaves_out(trace) ? ": all its calls were left out (`fathom info` tells why)" : "");
    if (trace) {
        fth_views_summary(
            output, trace, view->stats,
            &(struct fth_summary){view->trace_path, view->launchers, view->incomplete});
        fth_sink_char(&output->sink, '\n');
    }
    if (results->table_count)
        put_times(output, results, view->top);
    put_findings(output, trace, results, view);
    for (size_t i = 1; view->all && i < results->table_count; i++)
        put_table(output, results->tables[i], view->top);
    for (size_t i = FTH_STATS_FUNCTIONS; view->all && !view->results_only && i < FTH_STATS_TABLES;
         i++)
        put_table(output, view->stats->tables[i], view->top);
    if (trace)
        put_blind_spots(output, trace);
}
