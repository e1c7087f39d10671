/* Tabs are radio buttons and a style: they work with the keyboard, and need no script. */
#include "workflow/tell/workflow_html.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "views/tables/html.h"
#include "workflow/tell/graph_svg.h"

#include <string.h>

static const char style[] =
    "<style>\n"
    ".tabs{margin:1.2rem 0}\n"
    ".tabs>input{position:absolute;opacity:0}\n"
    ".tabs>label{display:inline-block;padding:.4rem .9rem;border:1px solid var(--line);"
    "border-bottom:0;border-radius:.4rem .4rem 0 0;background:var(--soft);cursor:pointer}\n"
    ".tabs>input:checked+label{background:var(--ground);color:var(--mark);font-weight:600;"
    "box-shadow:inset 0 3px var(--mark)}\n"
    ".tabs>input:focus-visible+label{outline:3px solid var(--mark);outline-offset:2px}\n"
    ".tabs>.tab{display:none;border:1px solid var(--line);padding:.8rem;overflow-x:auto}\n"
    ".tabs>input:nth-of-type(1):checked~.tab:nth-of-type(1),"
    ".tabs>input:nth-of-type(2):checked~.tab:nth-of-type(2),"
    ".tabs>input:nth-of-type(3):checked~.tab:nth-of-type(3),"
    ".tabs>input:nth-of-type(4):checked~.tab:nth-of-type(4){display:block}\n"
    ".tab svg{display:block;height:auto;background:#fff}\n"
    "@media print{.tabs>.tab{display:block}}\n"
    "</style>\n";

/* The buttons of a group of tabs; the first one is chosen. */
static void put_buttons(struct fth_output *output, const char *group, const char *const *titles,
                        size_t count)
{
    fth_views_print(output, "<div class=tabs role=group aria-label=\"%s\">\n", group);
    for (size_t i = 0; i < count; i++)
        fth_views_print(output,
                        "<input type=radio name=\"%s\" id=\"%s-%zu\"%s><label for=\"%s-%zu\">%s"
                        "</label>\n",
                        group, group, i, i ? "" : " checked", group, i, titles[i]);
}

static void begin_tab(struct fth_output *output)
{
    fth_sink_text(&output->sink, "<div class=tab>\n");
}

static void end_tab(struct fth_output *output)
{
    fth_sink_text(&output->sink, "</div>\n");
}

/* ---- pictures ---- */

static void put_picture(struct fth_output *output, const struct fth_workflow_facts *facts,
                        enum fth_workflow_layout layout)
{
    struct fth_sink picture;
    fth_sink_open_memory(&picture);
    fth_workflow_write_svg(facts, layout, &picture);
    fth_sink_char(&picture, 0);
    /* The declaration of a document of its own has no place inside of a page. */
    const char *svg = strstr(picture.bytes, "<svg");
    begin_tab(output);
    fth_sink_text(&output->sink, svg ? svg : "");
    end_tab(output);
    fth_sink_close_memory(&picture);
}

static void put_pictures(struct fth_output *output, const struct fth_workflow_facts *facts)
{
    static const char *const titles[] = {"Dependencies", "As wide as they lasted", "Over time"};
    fth_views_html_put(output, "h2", "Graph");
    put_buttons(output, "Layout", titles, sizeof titles / sizeof *titles);
    put_picture(output, facts, FTH_LAYOUT_GRAPH);
    put_picture(output, facts, FTH_LAYOUT_SCALED);
    put_picture(output, facts, FTH_LAYOUT_TIME);
    fth_sink_text(&output->sink, "</div>\n");
}

/* ---- tables ---- */

static void put_linked(struct fth_output *output, const struct fth_results *results,
                       const char *name, size_t top, const struct fth_html_links *links)
{
    for (size_t i = 0; i < results->table_count; i++) {
        const struct fth_table *table = results->tables[i];
        if (strcmp(fth_table_shape(table)->name, name) != 0)
            continue;
        fth_views_html_linked_table(output, table, top, links);
        size_t rows = fth_table_rows(table);
        if (top && rows > top)
            fth_views_print(output, "<p class=quiet>The first %s of %s rows; --top 0 shows all</p>",
                            fth_phrase_count((int64_t)top).text,
                            fth_phrase_count((int64_t)rows).text);
    }
}

static void put_table(struct fth_output *output, const struct fth_results *results,
                      const char *name, size_t top)
{
    put_linked(output, results, name, top, NULL);
}

/* By the number of a step. */
static const char *page_of_step(const void *context, const struct fth_cell *cells)
{
    const struct fth_workflow_facts *facts = context;
    int64_t step = cells[FTH_WORKFLOW_STEP_COLUMN].integer;
    return step >= 0 && step < facts->workflow->step_count ? facts->step_pages[step] : NULL;
}

static void put_steps(struct fth_output *output, const struct fth_workflow_facts *facts,
                      const struct fth_results *results, size_t top)
{
    const struct fth_html_links links = {FTH_WORKFLOW_STEP_COLUMN, page_of_step, facts};
    put_linked(output, results, "steps", top, facts->step_pages ? &links : NULL);
}

static void put_findings(struct fth_output *output, const struct fth_results *results)
{
    fth_views_html_put(output, "h3", "Findings");
    if (!results->findings.count)
        fth_views_html_put(output, "p", "Nothing stands out");
    for (size_t i = 0; i < results->findings.count; i++) {
        const struct fth_finding *finding = &results->findings.list[i];
        fth_sink_text(&output->sink, "<details open><summary>");
        fth_views_html_text(output, finding->title);
        if (finding->gain > 0)
            fth_views_print(output, ": possible gain up to %s, %s of the workflow",
                            fth_phrase_duration(finding->gain).text,
                            fth_phrase_percent(finding->gain_share).text);
        fth_sink_text(&output->sink, "</summary><div>\n");
        fth_views_html_put(output, "p", finding->text);
        fth_views_html_put(output, "p class=quiet", finding->advice);
        fth_sink_text(&output->sink, "</div></details>\n");
    }
}

static void put_notes(struct fth_output *output, const struct fth_workflow *workflow)
{
    if (!workflow->note_count)
        return;
    fth_views_html_put(output, "h3", "Not known");
    fth_sink_text(&output->sink, "<ul>\n");
    for (uint32_t i = 0; i < workflow->note_count; i++)
        fth_views_html_put(output, "li", workflow->notes[i]);
    fth_sink_text(&output->sink, "</ul>\n");
}

/* The trace of a step is a column of the table, unless it is the same for all. */
static void say_where_traces_are(struct fth_output *output, const struct fth_workflow_facts *facts)
{
    const struct fth_workflow *workflow = facts->workflow;
    bool same = true;
    if (facts->step_pages) {
        fth_views_html_put(output, "p class=quiet",
                           "The number of a step opens the page of its trace, at its processes.");
        return;
    }
    for (uint32_t i = 1; i < workflow->step_count; i++)
        same &= !strcmp(workflow->steps[i].trace, workflow->steps[0].trace);
    char *text =
        same ? fth_text_format("All steps are in the trace %s. Look at one of them: fathom report "
                               "--proc N %s, where N is its proc.",
                               workflow->steps[0].trace, workflow->steps[0].trace)
             : fth_text_copy("Look at a step: fathom report --proc N TRACE, where TRACE is its "
                             "trace and N its proc; --step-pages makes a page of each.");
    fth_views_html_put(output, "p class=quiet", text);
    free(text);
}

static void put_tabs(struct fth_output *output, const struct fth_workflow_facts *facts,
                     const struct fth_results *results, size_t top)
{
    static const char *const titles[] = {"Workflow", "Steps", "Jobs", "Files"};
    put_buttons(output, "Tables", titles, sizeof titles / sizeof *titles);
    begin_tab(output);
    put_findings(output, results);
    put_table(output, results, "graph", top);
    put_table(output, results, "critical_programs", top);
    put_table(output, results, "critical_path", top);
    put_table(output, results, "what_if", top);
    put_table(output, results, "simulated", top);
    put_table(output, results, "simulated_path", top);
    put_notes(output, facts->workflow);
    end_tab(output);
    begin_tab(output);
    say_where_traces_are(output, facts);
    put_steps(output, facts, results, top);
    put_table(output, results, "edges", top);
    put_table(output, results, "simulated_steps", top);
    end_tab(output);
    begin_tab(output);
    if (facts->workflow->job_count)
        put_table(output, results, "jobs", top);
    else
        fth_views_html_put(output, "p", "Not known: --jobs-from reads what the batch system says.");
    end_tab(output);
    begin_tab(output);
    put_table(output, results, "handovers", top);
    put_table(output, results, "files", top);
    end_tab(output);
    fth_sink_text(&output->sink, "</div>\n");
}

void fth_workflow_html(struct fth_output *output, const struct fth_workflow_facts *facts,
                       const struct fth_results *results, const char *heading, size_t top)
{
    int64_t length = facts->schedule.end - facts->schedule.start;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < facts->workflow->step_count; i++)
        steps += !facts->workflow->steps[i].is_script;
    fth_sink_text(&output->sink, style);
    char *title = fth_text_format("Workflow of %s in %s",
                                  fth_phrase_several(steps, "step", "steps").text,
                                  fth_phrase_duration(length).text),
         *alone = fth_text_format("By their data alone the steps would take %s%s",
                                  facts->workflow->incomplete ? "at least " : "",
                                  fth_phrase_duration(facts->schedule.unlimited).text);
    fth_views_html_put(output, heading, title);
    fth_views_html_put(output, "p class=quiet", alone);
    free(title);
    free(alone);
    put_pictures(output, facts);
    put_tabs(output, facts, results, top);
}
