#include "workflow/tell/workflow_facts.h"

#include "workflow/graph/folder_renames.h"

#include <string.h>

void fth_workflow_facts_free(struct fth_workflow_facts *facts)
{
    fth_workflow_graph_free(&facts->graph);
    fth_workflow_boxes_free(&facts->boxes);
    fth_workflow_schedule_free(&facts->schedule);
    fth_handovers_free(&facts->handovers);
}

const char *fth_workflow_shown_file(const struct fth_workflow_facts *facts, uint32_t file)
{
    const char *name = fth_workflow_file(facts->workflow, file);
    size_t length = facts->only_host ? strlen(facts->only_host) : 0;
    bool has_host = length && !strncmp(name, facts->only_host, length) && name[length] == ':';
    return has_host ? name + length + 1 : name;
}

/* NULL: there are several. */
static const char *only_host(const struct fth_workflow *workflow)
{
    for (uint32_t i = 1; i < workflow->step_count; i++)
        if (strcmp(workflow->steps[i].host, workflow->steps[0].host) != 0)
            return NULL;
    return workflow->step_count ? workflow->steps[0].host : NULL;
}

void fth_workflow_facts_make(struct fth_workflow_facts *facts, struct fth_workflow *workflow)
{
    fth_workflow_spread_renames(workflow);
    *facts = (struct fth_workflow_facts){.workflow = workflow, .only_host = only_host(workflow)};
    fth_workflow_graph_make(&facts->graph, workflow);
    fth_workflow_boxes_make(&facts->boxes, &facts->graph);
    fth_workflow_schedule_make(&facts->schedule, &facts->graph);
    fth_handovers_find(&facts->handovers, &facts->graph);
}

void fth_workflow_set_gain(const struct fth_workflow_facts *facts, struct fth_finding *finding,
                           int64_t gain)
{
    int64_t length = fth_workflow_length(facts);
    finding->severity = finding->gain = gain;
    finding->gain_of = length;
    if (length > 0)
        finding->share = finding->gain_share = 100 * (double)gain / (double)length;
}
