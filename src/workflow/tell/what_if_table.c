#include "workflow/tell/what_if_table.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "workflow/graph/what_if.h"

enum column { W_CHANGE, W_LENGTH, W_SAVED, W_SHARE };
static const struct fth_column columns[] = {
    {"change", "if", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"duration", "it would take", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"saved", "less", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"share", "share", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {
    "what_if", "What the workflow would take, by its graph, if steps are no slower for it", columns,
    sizeof columns / sizeof *columns, 0};

/* A share of the workflow. */
static const double worth = 0.1;

static void put(struct fth_table *table, const struct fth_workflow_facts *facts, const char *change,
                int64_t length)
{
    int64_t whole = fth_workflow_length(facts), saved = whole > length ? whole - length : 0;
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, W_CHANGE, fth_cell_text(change));
    fth_table_set(table, row, W_LENGTH, fth_cell_integer(length));
    fth_table_set(table, row, W_SAVED, fth_cell_integer(saved));
    fth_table_set(table, row, W_SHARE,
                  fth_cell_real(whole > 0 ? 100 * (double)saved / (double)whole : 0));
}

struct fth_table *fth_workflow_what_if_table(const struct fth_workflow_facts *facts)
{
    const struct fth_workflow_schedule *schedule = &facts->schedule;
    struct fth_table *table = fth_table_new(&shape);
    put(table, facts, "I/O took half its time", fth_workflow_with_io(&facts->graph, 0.5));
    put(table, facts, "I/O took a tenth of its time", fth_workflow_with_io(&facts->graph, 0.1));
    put(table, facts, "I/O took no time", fth_workflow_with_io(&facts->graph, 0));
    if (facts->workflow->incomplete)
        return table; /* there may be data between steps that is not seen */
    if (schedule->possible) {
        char *text =
            fth_text_format("only data ordered its steps, on %u processors, with no time between "
                            "them",
                            facts->workflow->processors);
        put(table, facts, text, schedule->possible);
        free(text);
    }
    put(table, facts, "only data ordered its steps, with a processor for each",
        schedule->unlimited);
    return table;
}

void fth_workflow_what_if_findings(const struct fth_workflow_facts *facts,
                                   struct fth_results *results)
{
    int64_t whole = fth_workflow_length(facts), none = fth_workflow_with_io(&facts->graph, 0),
            half = fth_workflow_with_io(&facts->graph, 0.5), saved = whole - none;
    if (saved <= 0 || (double)saved < worth * (double)whole)
        return;
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "io_on_path", "I/O holds the workflow");
    fth_workflow_set_gain(facts, finding, saved);
    fth_finding_say(finding,
                    "By its graph the workflow would take %s in place of %s if I/O took no time, "
                    "and %s if it took half its time, in the recorded order.",
                    fth_phrase_duration(none).text, fth_phrase_duration(whole).text,
                    fth_phrase_duration(half).text);
    fth_finding_advise(finding, "That is what a faster file system can save at most. What one "
                                "would save: fathom workflow show --on CLUSTER simulates it.");
}
