/* Findings on a terminal: numbered, in whole words, with what shows them. */
#include "views/formats/terminal_format.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "views/output/display_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = FTH_TERMINAL_MARGIN, NARROWEST = 40, PLAIN_WIDTH = 100 };

static size_t width_of(const struct fth_output *output)
{
    size_t width = output->style.width ? output->style.width : PLAIN_WIDTH;
    return width < NARROWEST ? NARROWEST : width;
}

void fth_views_put_wrapped(struct fth_output *output, const char *text, size_t used)
{
    size_t width = width_of(output), at = used;
    bool follows = used > MARGIN; /* something on its line */
    while (*text) {
        size_t length = strcspn(text, " ");
        char *word = fth_text_part(text, length);
        if (!word)
            fth_out_of_memory();
        size_t columns = fth_views_width(word);
        if (follows && at + 1 + columns > width) {
            fth_views_print(output, "\n%*s", MARGIN, "");
            at = MARGIN;
        } else if (follows) {
            fth_sink_char(&output->sink, ' ');
            at++;
        }
        follows = true;
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

static void put_show(struct fth_output *output, const struct fth_finding *finding,
                     const struct fth_report_view *view)
{
    char *command = fth_views_show(finding, view);
    if (!command)
        return;
    fth_views_paint(output, FTH_PAINT_QUIET);
    fth_views_print(output, "%*sshow   ", MARGIN, "");
    fth_views_put_text(&output->sink, command, 0, FTH_CUT_END, output->style.unicode);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_char(&output->sink, '\n');
    free(command);
}

static void put_relation(void *to, const char *sentence)
{
    fth_views_print(to, "%*s%s\n", MARGIN, "", sentence);
}

static void put_finding(struct fth_output *output, const struct fth_results *results,
                        const struct fth_finding *finding, const struct fth_report_view *view,
                        size_t number)
{
    enum fth_paint paint = finding->effective ? FTH_PAINT_GOOD
                           : finding->wrong   ? FTH_PAINT_BAD
                                              : FTH_PAINT_WARNING;
    const char *worth = fth_views_worth(finding);
    fth_views_print(output, "%zu. ", number);
    fth_views_paint(output, paint);
    fth_views_print(output, "%s", finding->title);
    fth_views_paint(output, FTH_PAINT_PLAIN);
    if (worth)
        fth_views_print(output, ": %s", worth);
    fth_views_print(output, "\n%*s", MARGIN, "");
    if (finding->text)
        fth_views_put_wrapped(output, finding->text, MARGIN);
    fth_views_relations(results, finding, put_relation, output);
    if (finding->advice) {
        fth_views_print(output, "%*s", MARGIN, "");
        fth_views_paint(output, FTH_PAINT_NAME);
        fth_views_print(output, "Try:");
        fth_views_paint(output, FTH_PAINT_PLAIN);
        fth_views_put_wrapped(output, finding->advice, MARGIN + 4);
    }
    put_time(output, finding);
    put_list(output, "files", &finding->files, 2, FTH_CUT_MIDDLE);
    put_list(output, "ranks", &finding->ranks, 8, FTH_CUT_END);
    put_list(output, "late", &finding->late, 8, FTH_CUT_END);
    put_list(output, "calls", &finding->evidence, 3, FTH_CUT_END);
    put_show(output, finding, view);
    fth_sink_char(&output->sink, '\n');
}

void fth_views_terminal_findings(struct fth_writer *writer, const struct fth_trace *trace,
                                 const struct fth_results *results,
                                 const struct fth_report_view *view)
{
    struct fth_output *output = writer->output;
    const struct fth_findings *findings = &results->findings;
    size_t shown = 0, most = view->findings ? view->findings : findings->count, hidden = 0;
    const struct fth_finding *minor = fth_views_largest_minor(results, view);
    fth_views_paint(output, FTH_PAINT_TITLE);
    fth_views_print(output, "%s\n", fth_views_heading(trace, results, view));
    fth_views_paint(output, FTH_PAINT_PLAIN);
    const char *base = fth_views_base(results, minor || fth_views_is_any_shown(results, view));
    if (base)
        fth_views_print(output, "%s\n", base);
    for (size_t i = 0; i < findings->count; i++) {
        if (&findings->list[i] == minor ||
            (shown < most && fth_views_stands_out(&findings->list[i], view)))
            put_finding(output, results, &findings->list[i], view, ++shown);
        else
            hidden++;
    }
    if (hidden)
        fth_views_print(output, "%s%s with --all\n\n", shown ? "and " : "",
                        fth_phrase_several(hidden, "more finding", "more findings").text);
    else if (!shown)
        fth_sink_char(&output->sink, '\n');
}
