/* Steps in the order of their starts: all that a step came after has its new times by then. */
#include "workflow/graph/what_if.h"

#include "base/memory.h"
#include "base/saturating.h"

struct planned {
    uint32_t step;
    int64_t start; /* as recorded */
};

struct times {
    int64_t start, end; /* ns since the workflow began */
};

static int by_start(const void *one, const void *other)
{
    const struct planned *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* ns of the length of a step that one of its kinds of time has. */
static int64_t part_of(const struct fth_workflow_step *step, int64_t time)
{
    double all = (double)step->io + (double)step->messages + (double)step->waiting +
                 (double)step->other + (double)step->own + (double)step->unknown,
           length = (double)(step->end - step->start);
    if (all < length)
        all = length;
    return all > 0 ? (int64_t)((double)time * length / all) : 0;
}

static bool counts(const struct fth_workflow_graph *graph, const struct fth_workflow_edge *edge)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    return !steps[edge->from].is_script && steps[edge->from].start <= steps[edge->to].start &&
           edge->from != edge->to;
}

static void plan(const struct fth_workflow_graph *graph, uint32_t number, double share,
                 int64_t first, struct times *times)
{
    const struct fth_workflow_step *steps = graph->workflow->steps, *step = &steps[number];
    int64_t io = part_of(step, step->io), saved = io - (int64_t)((double)io * share),
            length = step->end - step->start - saved, before = FTH_NEVER, there = 0, start = 0,
            end = 0;
    bool streams = false;
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        const struct fth_workflow_step *from = &steps[edge->from];
        if (!counts(graph, edge))
            continue;
        if (from->end <= step->start) {
            before = from->end > before ? from->end : before;
            there = times[edge->from].end > there ? times[edge->from].end : there;
            continue;
        }
        int64_t begun = times[edge->from].start + (step->start - from->start);
        start = begun > start ? begun : start;
        if (edge->kind != FTH_EDGE_DATA || from->end > step->end)
            continue;
        int64_t behind = times[edge->from].end + (step->end - from->end);
        end = behind > end ? behind : end;
        streams = true;
    }
    int64_t after = before == FTH_NEVER ? step->start - first : there + (step->start - before);
    if (before != FTH_NEVER || !streams)
        start = after > start ? after : start;
    int64_t least = streams ? length - part_of(step, step->waiting) : length;
    end = start + (least > 0 ? least : 0) > end ? start + (least > 0 ? least : 0) : end;
    times[number] = (struct times){start, end};
}

int64_t fth_workflow_with_io(const struct fth_workflow_graph *graph, double share)
{
    const struct fth_workflow *workflow = graph->workflow;
    struct planned *order = fth_new((size_t)workflow->step_count + 1, sizeof *order);
    struct times *times = fth_new((size_t)workflow->step_count + 1, sizeof *times);
    uint32_t count = 0;
    int64_t last = 0, first = INT64_MAX;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        first = workflow->steps[i].start < first ? workflow->steps[i].start : first;
        if (!workflow->steps[i].is_script)
            order[count++] = (struct planned){i, workflow->steps[i].start};
    }
    qsort(order, count, sizeof *order, by_start);
    for (uint32_t i = 0; i < count; i++) {
        plan(graph, order[i].step, share, first, times);
        last = times[order[i].step].end > last ? times[order[i].step].end : last;
    }
    /* The script may go on behind its last step. */
    int64_t end = 0, recorded = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        int64_t behind = workflow->steps[i].end - first;
        end = behind > end ? behind : end;
        if (!workflow->steps[i].is_script)
            recorded = behind > recorded ? behind : recorded;
    }
    free(order);
    free(times);
    return last + (end - recorded);
}
