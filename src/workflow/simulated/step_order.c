/* A step begins as long behind the last one that it came after as it did, and behind one that was
 * still running as long after the start of that one. Who reads a pipe to its end waits for its
 * writers there; who reads a file that another step writes meanwhile ends no earlier behind that
 * one than it did. */
#include "workflow/simulated/step_order.h"

#include "base/memory.h"
#include "sim/plan/program_commands.h"

struct planned {
    uint32_t step;
    int64_t start;
};

static int by_start(const void *one, const void *other)
{
    const struct planned *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static int by_from(const void *one, const void *other)
{
    const struct fth_sim_begin_edge *a = one, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Groups are in the order of the recorded starts: neighbours ran at the same time, and go to
 * different nodes. */
static void make_groups(struct fth_step_order *order, const struct fth_step_programs *programs)
{
    const struct fth_workflow *workflow = programs->graph->workflow;
    struct planned *plan = fth_new((size_t)workflow->step_count + 1, sizeof *plan);
    uint32_t count = 0, rank = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        order->groups[i] = FTH_NO_STEP;
        if (!workflow->steps[i].is_script)
            plan[count++] = (struct planned){i, workflow->steps[i].start};
    }
    qsort(plan, count, sizeof *plan, by_start);
    order->start = count ? plan[0].start : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[plan[i].step];
        const struct fth_step_program *program = &programs->list[plan[i].step];
        order->steps[i] = plan[i].step;
        order->groups[plan[i].step] = i;
        order->first_process[i] = rank;
        order->lengths[i] = step->end - step->start;
        rank += program->program ? program->program->ranks : 0;
    }
    order->first_process[count] = rank;
    order->order.group_count = count;
    free(plan);
}

/* Of two steps, and no script? */
static bool is_meant(const struct fth_step_order *order, const struct fth_workflow_edge *edge,
                     bool by_data)
{
    return order->groups[edge->from] != FTH_NO_STEP && order->groups[edge->to] != FTH_NO_STEP &&
           edge->from != edge->to && (!by_data || edge->kind == FTH_EDGE_DATA);
}

/* The same, and the second one did not start first: begins that wait for each other go in no
 * circle. */
static bool counts(const struct fth_step_order *order, const struct fth_workflow_edge *edge,
                   bool by_data)
{
    return is_meant(order, edge, by_data) && order->groups[edge->from] < order->groups[edge->to];
}

/* Did the first one end first? */
static bool ends_first(const struct fth_step_order *order, const struct fth_workflow_graph *graph,
                       const struct fth_workflow_edge *edge)
{
    const struct fth_workflow_step *from = &graph->workflow->steps[edge->from],
                                   *to = &graph->workflow->steps[edge->to];
    return from->end != to->end ? from->end < to->end
                                : order->groups[edge->from] < order->groups[edge->to];
}

static void add_edge(struct fth_step_order *order, uint32_t from, uint32_t to,
                     enum fth_sim_behind kind, int64_t delay)
{
    FTH_GROW(order->edges, order->order.edge_count);
    order->edges[order->order.edge_count++] = (struct fth_sim_begin_edge){
        .from = from, .to = to, .kind = kind, .delay = delay > 0 ? delay : 0};
}

/* When the last of those that it came after had ended; FTH_NEVER: it came after none. */
static int64_t last_before(const struct fth_step_order *order,
                           const struct fth_workflow_graph *graph, uint32_t number, bool by_data)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    int64_t last = FTH_NEVER;
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++) {
        int64_t end = steps[graph->edges[i].from].end;
        if (counts(order, &graph->edges[i], by_data) && end <= steps[number].start && end > last)
            last = end;
    }
    return last;
}

/* Of steps, where the processes of a group begin later and end earlier: what its begin waits for.
 * Whether there is anything. */
static bool add_begins(struct fth_step_order *order, const struct fth_step_programs *programs,
                       uint32_t number, bool by_data)
{
    const struct fth_workflow_graph *graph = programs->graph;
    const struct fth_workflow_step *steps = graph->workflow->steps, *step = &steps[number];
    int64_t last = last_before(order, graph, number, by_data), lead = programs->list[number].lead,
            gap = by_data || last == FTH_NEVER ? 0 : step->start - last;
    uint32_t before = order->order.edge_count, group = order->groups[number];
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        const struct fth_workflow_step *from = &steps[edge->from];
        const struct fth_step_program *its = &programs->list[edge->from];
        if (!counts(order, edge, by_data))
            continue;
        if (from->end <= step->start)
            add_edge(order, order->groups[edge->from], group, FTH_SIM_BEHIND_END,
                     its->tail + gap + lead);
        else
            add_edge(order, order->groups[edge->from], group, FTH_SIM_BEHIND_BEGIN,
                     (by_data ? 0 : step->start - from->start) + lead - its->lead);
    }
    return order->order.edge_count > before;
}

/* What it waits for while it runs. */
static void add_ends(struct fth_step_order *order, const struct fth_step_programs *programs,
                     uint32_t number, bool by_data)
{
    const struct fth_workflow_graph *graph = programs->graph;
    const struct fth_workflow_step *steps = graph->workflow->steps, *step = &steps[number];
    const struct fth_step_program *to = &programs->list[number];
    for (uint32_t i = graph->first_edge[number]; i < graph->first_edge[number + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        const struct fth_step_program *its = &programs->list[edge->from];
        uint32_t from = order->groups[edge->from], group = order->groups[number];
        if (!is_meant(order, edge, by_data) || !edge->streams)
            continue;
        if (fth_step_edge_is_pipe(graph, edge))
            add_edge(order, from, group, FTH_SIM_HOLDS, its->tail);
        if (ends_first(order, graph, edge) &&
            (fth_workflow_edge_has(graph, edge, false) || !to->program))
            add_edge(order, from, group, FTH_SIM_ENDS_BEHIND,
                     its->tail + (step->end - steps[edge->from].end) - to->tail);
    }
}

static void add_edges_to(struct fth_step_order *order, const struct fth_step_programs *programs,
                         uint32_t number, bool by_data)
{
    int64_t start = programs->graph->workflow->steps[number].start - order->start;
    bool waits = add_begins(order, programs, number, by_data);
    add_ends(order, programs, number, by_data);
    order->begins[order->groups[number]] =
        programs->list[number].lead + (waits || by_data ? 0 : start);
}

void fth_step_order_make(struct fth_step_order *order, const struct fth_step_programs *programs,
                         bool by_data)
{
    size_t count = (size_t)programs->graph->workflow->step_count + 2;
    *order = (struct fth_step_order){
        .begins = fth_new(count, sizeof *order->begins),
        .lengths = fth_new(count, sizeof *order->lengths),
        .first_process = fth_new(count, sizeof *order->first_process),
        .steps = fth_new(count, sizeof *order->steps),
        .groups = fth_new(count, sizeof *order->groups),
    };
    make_groups(order, programs);
    for (uint32_t i = 0; i < order->order.group_count; i++)
        add_edges_to(order, programs, order->steps[i], by_data);
    if (order->order.edge_count)
        qsort(order->edges, order->order.edge_count, sizeof *order->edges, by_from);
    order->order.edges = order->edges;
    order->order.begins = order->begins;
    order->order.lengths = order->lengths;
    order->order.first_process = order->first_process;
}

void fth_step_order_free(struct fth_step_order *order)
{
    free(order->edges);
    free(order->begins);
    free(order->lengths);
    free(order->first_process);
    free(order->steps);
    free(order->groups);
    *order = (struct fth_step_order){0};
}
