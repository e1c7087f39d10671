#include "workflow/graph/pipe_waits.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "base/saturating.h"

/* What one step spent on one file, ns. */
struct spent_key {
    uint32_t step, file;
};
struct spent {
    int64_t reading, writing;
};

static void gather_spent(struct fth_keyed *all, const struct fth_workflow *workflow)
{
    for (uint32_t i = 0; i < workflow->use_count; i++) {
        const struct fth_workflow_use *use = &workflow->uses[i];
        if (!use->reading && !use->writing)
            continue;
        const struct spent_key key = {use->step, use->file};
        struct spent *spent = fth_keyed_get(all, &key, sizeof key);
        FTH_ADD_SATURATING(spent->reading, use->reading);
        FTH_ADD_SATURATING(spent->writing, use->writing);
    }
}

static struct spent spent_on(const struct fth_keyed *all, uint32_t step, uint32_t file)
{
    const struct spent_key key = {step, file};
    uint32_t at;
    return fth_keyed_number(all, &key, sizeof key, &at)
               ? *(const struct spent *)fth_keyed_item(all, at)
               : (struct spent){0};
}

static void find_waiter(struct fth_pipe_waits *waits, const struct fth_workflow_graph *graph,
                        const struct fth_keyed *all, uint32_t number)
{
    const struct fth_workflow_edge *edge = &graph->edges[number];
    int64_t writing = 0, reading = 0;
    if (edge->kind != FTH_EDGE_DATA || !edge->streams || fth_workflow_edge_has(graph, edge, false))
        return;
    for (uint32_t i = 0; i < edge->flow_count; i++) {
        uint32_t file = graph->contents[graph->flows[edge->first_flow + i].content].file;
        FTH_ADD_SATURATING(writing, spent_on(all, edge->from, file).writing);
        FTH_ADD_SATURATING(reading, spent_on(all, edge->to, file).reading);
    }
    waits->waiter[number] = writing > reading   ? FTH_PIPE_WRITER
                            : reading > writing ? FTH_PIPE_READER
                                                : FTH_PIPE_NOT_KNOWN;
    waits->time[number] = writing > reading ? writing : reading;
}

static void sort_by_writer(struct fth_pipe_waits *waits, const struct fth_workflow_graph *graph)
{
    uint32_t steps = graph->workflow->step_count;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        waits->first[graph->edges[i].from + 1] += waits->waiter[i] == FTH_PIPE_WRITER;
    for (uint32_t i = 0; i < steps; i++)
        waits->first[i + 1] += waits->first[i];
    uint32_t *at = fth_new((size_t)steps + 1, sizeof *at);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        uint32_t from = graph->edges[i].from;
        if (waits->waiter[i] == FTH_PIPE_WRITER)
            waits->full[waits->first[from] + at[from]++] = i;
    }
    free(at);
}

void fth_pipe_waits_make(struct fth_pipe_waits *waits, const struct fth_workflow_graph *graph)
{
    struct fth_keyed all = {.size = sizeof(struct spent)};
    *waits = (struct fth_pipe_waits){
        .waiter = fth_new((size_t)graph->edge_count + 1, sizeof *waits->waiter),
        .time = fth_new((size_t)graph->edge_count + 1, sizeof *waits->time),
        .full = fth_new((size_t)graph->edge_count + 1, sizeof *waits->full),
        .first = fth_new((size_t)graph->workflow->step_count + 2, sizeof *waits->first),
    };
    gather_spent(&all, graph->workflow);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        find_waiter(waits, graph, &all, i);
    sort_by_writer(waits, graph);
    fth_keyed_free(&all);
}

void fth_pipe_waits_free(struct fth_pipe_waits *waits)
{
    free(waits->waiter);
    free(waits->time);
    free(waits->full);
    free(waits->first);
    *waits = (struct fth_pipe_waits){0};
}
