/* The report on a terminal: what ran, where the time went, what is worth changing, what could not be seen. */
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
        char *word = strndup(text, length);
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

/* "label  item, item and 3 more", on one line. */
static void put_list(struct fth_output *output, const char *label,
                     const struct fth_finding_list *list, size_t most, enum fth_cut cut)
{
    if (!list->total)
        return;
    size_t shown = list->count < most ? list->count : most;
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%*s%-6s ", MARGIN, "", label);
    for (size_t i = 0; i < shown; i++) {
        fth_views_print(output, i ? ", " : "");
        fth_views_put_text(&output->sink, list->items[i], width_of(output) - MARGIN - 8, cut,
                           output->style.unicode);
    }
    if (list->total > shown)
        fth_views_print(output, " and %s more",
                        fth_phrase_count((int64_t)(list->total - shown)).text);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
}

void fth_views_put_worth(struct fth_output *output, const struct fth_finding *finding)
{
    if (finding->gain >= 0 && !finding->effective) {
        fth_views_print(output, ": the run up to %s shorter, ",
                        fth_phrase_duration(finding->gain).text);
        fth_views_print(output, "%s", fth_phrase_percent(finding->gain_share).text);
    } else if (finding->severity > 0) {
        fth_views_print(output, finding->effective ? ": %s, " : ": up to %s, ",
                        fth_phrase_duration(finding->severity).text);
        fth_views_print(output, "%s of all time", fth_phrase_percent(finding->share).text);
    }
}

const char *fth_views_time_of(const struct fth_finding *finding)
{
    static char text[160];
    if (finding->gain < 0 || finding->effective)
        return NULL;
    snprintf(text, sizeof text, "%s, %s of that of all processes",
             fth_phrase_duration(finding->severity).text, fth_phrase_percent(finding->share).text);
    return text;
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
                        const struct fth_finding *finding, size_t number)
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
    fth_sink_char(&output->sink, '\n');
}

bool fth_views_stands_out(const struct fth_finding *finding, const struct fth_report_view *view)
{
    return view->all || (!finding->effective && !finding->minor && !finding->part_of);
}

const char *fth_views_base(const struct fth_results *results)
{
    static char text[160];
    enum { MUCH = 10 };
    if (results->mpi_share < MUCH)
        return NULL;
    snprintf(text, sizeof text,
             "MPI took %s of all time to start and to end: shares are of the rest.",
             fth_phrase_percent(results->mpi_share).text);
    return text;
}

static void put_base(struct fth_output *output, const struct fth_results *results)
{
    const char *base = fth_views_base(results);
    if (base)
        fth_views_print(output, "%s\n", base);
}

static void put_findings(struct fth_output *output, const struct fth_results *results,
                         const struct fth_report_view *view)
{
    const struct fth_findings *findings = &results->findings;
    size_t shown = 0, most = view->findings ? view->findings : findings->count, hidden = 0;
    bool any = findings->count && fth_views_stands_out(&findings->list[0], view);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "%s\n",
                    any             ? "What is worth knowing"
                    : view->nothing ? view->nothing
                                    : "Nothing stands out");
    fth_views_paint(output, FTH_PAINT_PLAIN);
    if (any)
        put_base(output, results);
    for (size_t i = 0; i < findings->count; i++) {
        if (shown < most && fth_views_stands_out(&findings->list[i], view))
            put_finding(output, results, &findings->list[i], ++shown);
        else
            hidden++;
    }
    if (hidden)
        fth_views_print(output, "%s%s more with --all\n\n", shown ? "and " : "",
                        fth_phrase_several(hidden, "finding", "findings").text);
    else if (!shown)
        fth_sink_char(&output->sink, '\n');
}

static void put_table(struct fth_output *output, const struct fth_table *table, size_t top)
{
    static const char *const spare[] = {"kind",    "scope", "shortest", "errors",
                                        "longest", "mean",  "program",  NULL};
    struct fth_layout layout = {.top = top, .more = "--top 0 shows all", .spare = spare};
    if (!fth_table_rows(table))
        return;
    fth_views_table(output, table, &layout);
    fth_sink_char(&output->sink, '\n');
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
    if (trace) {
        fth_views_summary(
            output, trace, view->stats,
            &(struct fth_summary){view->trace_path, view->launchers, view->lost_calls});
        fth_sink_char(&output->sink, '\n');
    }
    if (results->table_count)
        put_table(output, results->tables[0], view->top);
    put_findings(output, results, view);
    for (size_t i = 1; view->all && i < results->table_count; i++)
        put_table(output, results->tables[i], view->top);
    for (size_t i = FTH_STATS_FUNCTIONS; view->all && !view->results_only && i < FTH_STATS_TABLES;
         i++)
        put_table(output, view->stats->tables[i], view->top);
    if (trace)
        put_blind_spots(output, trace);
}
