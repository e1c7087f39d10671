#include "workflow/graph/pipelines.h"

#include "base/memory.h"

/* Is it of a pipe between two steps, and no scripts? */
static bool joins(const struct fth_workflow_graph *graph, const struct fth_workflow_flow *flow)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    return graph->contents[flow->content].pipe && !steps[flow->from].is_script &&
           !steps[flow->to].is_script;
}

struct fth_pipelines fth_pipelines_of(const struct fth_workflow_graph *graph)
{
    size_t count = graph->workflow->step_count;
    struct fth_pipelines pipelines = {
        .workflow = graph->workflow,
        .first = fth_new(count + 2, sizeof *pipelines.first),
        .partners = fth_new(2 * (size_t)graph->flow_count + 1, sizeof *pipelines.partners),
        .seen = fth_new(count + 1, sizeof *pipelines.seen),
    };
    for (uint32_t i = 0; i < graph->flow_count; i++) {
        const struct fth_workflow_flow *flow = &graph->flows[i];
        pipelines.first[flow->from + 1] += joins(graph, flow);
        pipelines.first[flow->to + 1] += joins(graph, flow);
    }
    for (size_t i = 0; i < count; i++)
        pipelines.first[i + 1] += pipelines.first[i];
    uint32_t *at = fth_new(count + 1, sizeof *at);
    for (uint32_t i = 0; i < graph->flow_count; i++) {
        const struct fth_workflow_flow *flow = &graph->flows[i];
        if (!joins(graph, flow))
            continue;
        pipelines.partners[pipelines.first[flow->from] + at[flow->from]++] = flow->to;
        pipelines.partners[pipelines.first[flow->to] + at[flow->to]++] = flow->from;
    }
    free(at);
    return pipelines;
}

void fth_pipelines_free(struct fth_pipelines *pipelines)
{
    free(pipelines->first);
    free(pipelines->partners);
    free(pipelines->seen);
}

/* Leaves out those that another one came behind anyway. */
static uint32_t leave_last(const struct fth_workflow_step *steps, uint32_t last, uint32_t *members,
                           uint32_t count)
{
    uint32_t kept = 0;
    int64_t latest = steps[last].start;
    for (uint32_t i = 0; i < count; i++)
        latest = steps[members[i]].start > latest ? steps[members[i]].start : latest;
    for (uint32_t i = 0; i < count; i++)
        if (members[i] != last && steps[members[i]].end > latest)
            members[kept++] = members[i];
    return kept;
}

uint32_t fth_pipeline_before(const struct fth_pipelines *pipelines, uint32_t last, int64_t time,
                             uint32_t members[FTH_PIPELINE_MOST])
{
    const struct fth_workflow_step *steps = pipelines->workflow->steps;
    uint32_t count = 1;
    members[0] = last;
    pipelines->seen[last] = true;
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t i = pipelines->first[members[at] + 1];
             i > pipelines->first[members[at]] && count < FTH_PIPELINE_MOST; i--) {
            uint32_t partner = pipelines->partners[i - 1];
            if (pipelines->seen[partner] || steps[partner].end > time)
                continue;
            pipelines->seen[partner] = true;
            members[count++] = partner;
        }
    for (uint32_t i = 0; i < count; i++)
        pipelines->seen[members[i]] = false;
    return leave_last(steps, last, members, count);
}
