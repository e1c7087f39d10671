/* The workflow as a whole, its graph, its critical path, its findings, what is not known of it; and
 * each step, edge and file for those who ask. */
#include "workflow/tell/workflow_page.h"

#include "base/phrase.h"
#include "workflow/tell/handover_table.h"

#include <stdlib.h>

/* In the order of fth_workflow_tables. */
enum { GRAPH, BY_PROGRAM, PATH, JOBS = 6, HANDOVERS, WHAT_IF, SIMULATED, SIMULATED_PATH };

/* A path that is short enough is shown step by step. */
static bool is_shown(const struct fth_results *results, size_t table,
                     const struct fth_workflow_view *view)
{
    bool is_long = view->top && fth_table_rows(results->tables[PATH]) > view->top;
    return view->all || table == GRAPH || (table >= JOBS && table <= SIMULATED_PATH) ||
           table == (is_long ? BY_PROGRAM : PATH);
}

static uint32_t shown_steps(const struct fth_workflow_facts *facts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->workflow->step_count; i++)
        count += !facts->workflow->steps[i].is_script;
    return count;
}

/* Steps that ran at the same time, on average. */
static double at_once(const struct fth_workflow_facts *facts)
{
    return fth_workflow_length(facts) > 0 ? (double)facts->schedule.running / (double)fth_workflow_length(facts) : 0;
}

static void put_consistency(struct fth_output *output, const struct fth_workflow_facts *facts)
{
    struct fth_handover_sum sum;
    free(fth_handover_models(facts, &sum));
    const char *assumed = sum.by_clock ? " (if it is no chance which step ran first)" : "";
    if (!sum.files)
        return;
    fth_views_print(output, "Steps hand on %s",
                    fth_phrase_several(sum.files, "file", "files").text);
    if (!sum.known)
        fth_views_print(output, "; which consistency is enough between them is not known\n");
    else if (sum.known == sum.files)
        fth_views_print(output, "; %s consistency is enough between them%s\n", sum.enough, assumed);
    else
        fth_views_print(output,
                        "; %s consistency is enough for %s of them%s, of the others it is "
                        "not known\n",
                        sum.enough, fth_phrase_count(sum.known).text, assumed);
}

static void put_head(struct fth_output *output, const void *context)
{
    const struct fth_workflow_facts *facts = context;
    fth_views_print(output, "%s in %s",
                    fth_phrase_several(shown_steps(facts), "step", "steps").text,
                    fth_phrase_duration(fth_workflow_length(facts)).text);
    fth_views_print(output, "; %s ran at the same time on average",
                    fth_phrase_ratio(at_once(facts)).text);
    if (facts->workflow->processors)
        fth_views_print(
            output, " (%s)",
            fth_phrase_several(facts->workflow->processors, "processor", "processors").text);
    fth_views_print(output, "\n");
    fth_views_print(output, "The steps alone take %s%s if only their data orders them",
                    facts->workflow->incomplete ? "at least " : "",
                    fth_phrase_duration(facts->schedule.unlimited).text);
    if (facts->schedule.possible)
        fth_views_print(output, ", %s on the processors there are",
                        fth_phrase_duration(facts->schedule.possible).text);
    fth_views_print(output, "\n");
    put_consistency(output, facts);
}

static void show_people(struct fth_writer *writer, const struct fth_workflow_facts *facts,
                        const struct fth_results *results, const struct fth_workflow_view *view)
{
    static const char *const spare[] = {"longest", "running", "messages", "processes",
                                        "calls",   "ended",   "waited",   NULL};
    const struct fth_report_view findings = {
        .all = true, .top = view->top, .results_only = true, .nothing = "Nothing stands out"};
    fth_views_write_lines(writer, put_head, facts);
    fth_views_write_gap(writer);
    for (size_t i = 0; i < results->table_count; i++) {
        if (!fth_table_rows(results->tables[i]) || !is_shown(results, i, view))
            continue;
        fth_views_write_table(writer, results->tables[i],
                              &(struct fth_table_layout){
                                  .top = view->top, .more = "--top 0 shows all", .spare = spare});
        fth_views_write_gap(writer);
    }
    fth_views_write_findings(writer, NULL, results, &findings);
    fth_views_write_list(writer, "Not known", (const char *const *)facts->workflow->notes,
                         facts->workflow->note_count);
    if (!view->all)
        fth_views_write_remark(writer, FTH_PAINT_QUIET,
                               "--all shows each step, what went between steps, and the files");
}

static void put_between_steps(struct fth_json *json, const struct fth_workflow_facts *facts)
{
    struct fth_handover_sum sum;
    free(fth_handover_models(facts, &sum));
    fth_json_key(json, "between_steps");
    fth_json_begin_object(json);
    fth_json_key_unsigned(json, "files", sum.files);
    fth_json_key_unsigned(json, "known", sum.known);
    fth_json_key_text(json, "enough", sum.enough);
    fth_json_key_boolean(json, "by_clock", sum.by_clock);
    fth_json_end_object(json);
}

static void show_programs(struct fth_writer *writer, const struct fth_workflow_facts *facts,
                          const struct fth_results *results, const struct fth_workflow_view *view)
{
    const struct fth_table_layout layout = {.top_of_all = view->top_chosen ? view->top : 0};
    struct fth_json *json = &writer->facts;
    const struct fth_report_view findings = {.all = true, .results_only = true};
    fth_json_key_unsigned(json, "step_count", shown_steps(facts));
    fth_json_key_seconds(json, "duration", fth_workflow_length(facts));
    fth_json_key_number(json, "steps_at_once", at_once(facts));
    fth_json_key_unsigned(json, "processors", facts->workflow->processors);
    fth_json_key_seconds(json, "by_data_alone", facts->schedule.unlimited);
    fth_json_key_seconds(json, "by_data_on_processors", facts->schedule.possible);
    put_between_steps(json, facts);
    fth_json_key_boolean(json, "incomplete", facts->workflow->incomplete);
    fth_json_key(json, "not_known");
    fth_json_begin_array(json);
    for (uint32_t i = 0; i < facts->workflow->note_count; i++)
        fth_json_text(json, facts->workflow->notes[i]);
    fth_json_end_array(json);
    for (size_t i = 0; i < results->table_count; i++)
        fth_views_write_table(writer, results->tables[i], &layout);
    fth_views_write_findings(writer, NULL, results, &findings);
}

void fth_workflow_page(struct fth_writer *writer, const struct fth_workflow_facts *facts,
                       const struct fth_results *results, const struct fth_workflow_view *view)
{
    if (fth_views_for_people(writer))
        show_people(writer, facts, results, view);
    else
        show_programs(writer, facts, results, view);
}
