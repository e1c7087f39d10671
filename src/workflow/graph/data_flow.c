/* From the flows of data to edges between steps, and to levels. */
#include "workflow/graph/data_flow.h"

#include "base/memory.h"
#include "workflow/graph/file_history.h"
#include "workflow/graph/job_edges.h"
#include "workflow/graph/pipelines.h"
#include "workflow/graph/step_groups.h"
#include "workflow/graph/time_order.h"

#include <string.h>

/* ---- edges ---- */

static int by_ends(const void *one, const void *other)
{
    const struct fth_workflow_flow *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->content > b->content) - (a->content < b->content);
}

/* One for each step and content. */
static void join_flows(struct fth_workflow_graph *graph)
{
    uint32_t kept = 0;
    if (graph->flow_count)
        qsort(graph->flows, graph->flow_count, sizeof *graph->flows, by_ends);
    for (uint32_t i = 0; i < graph->flow_count; i++) {
        if (kept && !by_ends(&graph->flows[kept - 1], &graph->flows[i]))
            graph->flows[kept - 1].bytes += graph->flows[i].bytes;
        else
            graph->flows[kept++] = graph->flows[i];
    }
    graph->flow_count = kept;
}

static void add_edge(struct fth_workflow_graph *graph, uint32_t from, uint32_t to,
                     enum fth_workflow_edge_kind kind)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    FTH_GROW(graph->edges, graph->edge_count);
    graph->edges[graph->edge_count++] = (struct fth_workflow_edge){
        .from = from, .to = to, .kind = kind, .streams = steps[from].end > steps[to].start};
}

static void add_data_edges(struct fth_workflow_graph *graph, uint32_t *flow, uint32_t to)
{
    for (; *flow < graph->flow_count && graph->flows[*flow].to == to; ++*flow) {
        const struct fth_workflow_flow *next = &graph->flows[*flow];
        bool joins = graph->edge_count && graph->edges[graph->edge_count - 1].to == to &&
                     graph->edges[graph->edge_count - 1].from == next->from;
        if (!joins) {
            add_edge(graph, next->from, to, FTH_EDGE_DATA);
            graph->edges[graph->edge_count - 1].first_flow = *flow;
        }
        graph->edges[graph->edge_count - 1].flow_count++;
        graph->edges[graph->edge_count - 1].bytes += next->bytes;
    }
}

/* Only steps that data, a job or a trace joins have an order in time. */
static uint32_t *join_steps(const struct fth_workflow_graph *graph,
                            const struct fth_job_edge *job_edges, uint32_t job_edge_count)
{
    uint32_t *groups = fth_step_groups_new(graph->workflow);
    for (uint32_t i = 0; i < graph->flow_count; i++)
        fth_step_groups_join(groups, graph->flows[i].from, graph->flows[i].to);
    for (uint32_t i = 0; i < job_edge_count; i++)
        fth_step_groups_join(groups, job_edges[i].from, job_edges[i].to);
    return groups;
}

/* Who came behind the last command of a pipeline came behind all of them. */
static void add_order_edges(struct fth_workflow_graph *graph, const struct fth_pipelines *pipelines,
                            uint32_t last, uint32_t to)
{
    uint32_t others[FTH_PIPELINE_MOST];
    if (last == FTH_NO_STEP)
        return;
    uint32_t count = fth_pipeline_before(pipelines, last, graph->workflow->steps[to].start, others);
    add_edge(graph, last, to, FTH_EDGE_ORDER);
    for (uint32_t i = 0; i < count; i++)
        add_edge(graph, others[i], to, FTH_EDGE_ORDER);
}

static void make_edges(struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    uint32_t flow = 0, job_edge = 0, job_edge_count;
    struct fth_job_edge *job_edges = fth_job_edges(workflow, graph->job, &job_edge_count);
    uint32_t *groups = join_steps(graph, job_edges, job_edge_count),
             *before = fth_steps_before(workflow, groups);
    struct fth_pipelines pipelines = fth_pipelines_of(graph);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        graph->first_edge[i] = graph->edge_count;
        add_data_edges(graph, &flow, i);
        for (; job_edge < job_edge_count && job_edges[job_edge].to == i; job_edge++)
            add_edge(graph, job_edges[job_edge].from, i, FTH_EDGE_JOB);
        add_order_edges(graph, &pipelines, before[i], i);
    }
    graph->first_edge[workflow->step_count] = graph->edge_count;
    fth_pipelines_free(&pipelines);
    free(before);
    free(groups);
    free(job_edges);
}

static void choose_shown(struct fth_workflow_graph *graph)
{
    for (uint32_t i = 0; i < graph->workflow->step_count; i++)
        graph->shown[i] = !graph->workflow->steps[i].is_script;
    for (uint32_t i = 0; i < graph->flow_count; i++)
        graph->shown[graph->flows[i].from] = graph->shown[graph->flows[i].to] = true;
}

bool fth_workflow_edge_has(const struct fth_workflow_graph *graph,
                           const struct fth_workflow_edge *edge, bool pipe)
{
    for (uint32_t i = 0; i < edge->flow_count; i++)
        if (graph->contents[graph->flows[edge->first_flow + i].content].pipe == pipe)
            return true;
    return false;
}

/* ---- levels ---- */

enum visit { UNSEEN, OPEN, DONE };

/* The next step that this one has data from and whose level is not known yet; FTH_NO_STEP: there is
 * none. Data that goes in a circle (two programs that talk through two pipes) makes no level. */
static uint32_t next_unseen(const struct fth_workflow_graph *graph, uint32_t step,
                            const enum visit *visits, uint32_t *at)
{
    for (; *at < graph->first_edge[step + 1]; ++*at) {
        const struct fth_workflow_edge *edge = &graph->edges[*at];
        if (edge->kind == FTH_EDGE_DATA && visits[edge->from] == UNSEEN &&
            !graph->workflow->steps[edge->from].is_script)
            return edge->from;
    }
    return FTH_NO_STEP;
}

static void set_level(struct fth_workflow_graph *graph, uint32_t step, const enum visit *visits)
{
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (edge->kind == FTH_EDGE_DATA && visits[edge->from] == DONE &&
            !graph->workflow->steps[edge->from].is_script &&
            graph->level[edge->from] >= graph->level[step])
            graph->level[step] = graph->level[edge->from] + 1;
    }
}

/* Depth first, with a stack of its own: a chain may be as long as there are steps. */
static void set_levels(struct fth_workflow_graph *graph)
{
    uint32_t count = graph->workflow->step_count, depth;
    enum visit *visits = fth_new((size_t)count + 1, sizeof *visits);
    uint32_t *stack = fth_new((size_t)count + 1, sizeof *stack),
             *at = fth_new((size_t)count + 1, sizeof *at);
    for (uint32_t root = 0; root < count; root++) {
        if (visits[root] != UNSEEN || graph->workflow->steps[root].is_script)
            continue;
        stack[0] = root;
        for (depth = 1; depth;) {
            uint32_t step = stack[depth - 1];
            if (visits[step] == UNSEEN)
                at[step] = graph->first_edge[step];
            visits[step] = OPEN;
            uint32_t next = next_unseen(graph, step, visits, &at[step]);
            if (next != FTH_NO_STEP) {
                stack[depth++] = next;
                continue;
            }
            set_level(graph, step, visits);
            visits[step] = DONE;
            depth--;
        }
    }
    free(visits);
    free(stack);
    free(at);
}

void fth_workflow_graph_make(struct fth_workflow_graph *graph, const struct fth_workflow *workflow)
{
    size_t count = (size_t)workflow->step_count + 1;
    *graph = (struct fth_workflow_graph){
        .workflow = workflow,
        .first_edge = fth_new(count, sizeof *graph->first_edge),
        .level = fth_new(count, sizeof *graph->level),
        .job = fth_new(count, sizeof *graph->job),
        .shown = fth_new(count, sizeof *graph->shown),
    };
    for (uint32_t i = 0; i < workflow->step_count; i++)
        graph->job[i] = fth_workflow_job_of(workflow, i);
    graph->job_meant = fth_jobs_meant(workflow, graph->job);
    fth_workflow_follow_files(graph);
    join_flows(graph);
    make_edges(graph);
    choose_shown(graph);
    set_levels(graph);
}

const char *fth_workflow_edge_word(enum fth_workflow_edge_kind kind)
{
    static const char *const words[] = {
        [FTH_EDGE_DATA] = "data", [FTH_EDGE_JOB] = "scheduler", [FTH_EDGE_ORDER] = "order"};
    return words[kind];
}

void fth_workflow_graph_free(struct fth_workflow_graph *graph)
{
    free(graph->flows);
    free(graph->edges);
    free(graph->first_edge);
    free(graph->contents);
    free(graph->passings);
    free(graph->moved);
    free(graph->level);
    free(graph->job);
    free(graph->job_meant);
    free(graph->shown);
    *graph = (struct fth_workflow_graph){0};
}
