#include "workflow/graph/schedule.h"

#include "base/memory.h"
#include "base/saturating.h"
#include "workflow/graph/pipe_waits.h"

enum { MOST_PROCESSORS = 4096 };

static bool is_step(const struct fth_workflow_graph *graph, uint32_t step)
{
    return !graph->workflow->steps[step].is_script;
}

/* ---- the critical path ---- */

static uint32_t last_to_end(const struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    uint32_t last = FTH_NO_STEP;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (is_step(graph, i) &&
            (last == FTH_NO_STEP || workflow->steps[i].end > workflow->steps[last].end))
            last = i;
    return last;
}

/* What the path is found with. */
struct search {
    const struct fth_workflow_graph *graph;
    struct fth_pipe_waits waits;
    bool *is_on_path; /* by step */
};

/* What held a step: the step before it on the path, and the edge between the two. */
struct holder {
    uint32_t step; /* FTH_NO_STEP: none */
    const struct fth_workflow_edge *edge;
};

static void hold_by(const struct search *search, struct holder *latest, uint32_t step,
                    const struct fth_workflow_edge *edge)
{
    const struct fth_workflow_step *steps = search->graph->workflow->steps;
    if (is_step(search->graph, step) && !search->is_on_path[step] &&
        (latest->step == FTH_NO_STEP || steps[step].end > steps[latest->step].end))
        *latest = (struct holder){step, edge};
}

static void note_waiter(struct fth_workflow_held *held, uint32_t writer, int64_t time)
{
    if (held->waiter != FTH_NO_STEP && held->waiter_time >= time)
        return;
    held->waiter = writer;
    held->waiter_time = time;
}

/* Did a step end first, or did one that read from its pipe see it end? */
static bool came_first(const struct search *search, uint32_t edge, uint32_t step, uint32_t other)
{
    const struct fth_workflow_step *steps = search->graph->workflow->steps;
    return steps[step].end < steps[other].end ||
           (search->waits.waiter[edge] == FTH_PIPE_READER &&
            fth_workflow_ends_behind(&steps[other], &steps[step]));
}

/* Of those that it needed, the one that ended last, before it did. Of two steps that a pipe joins
 * and that ran at the same time, the one that waited longer there needs the other: the reader needs
 * bytes of its writer, or the writer needs that its reader makes room. */
static struct holder what_held(const struct search *search, struct fth_workflow_held *held)
{
    const struct fth_workflow_graph *graph = search->graph;
    const struct fth_pipe_waits *waits = &search->waits;
    struct holder latest = {.step = FTH_NO_STEP};
    uint32_t step = held->step;
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        if (waits->waiter[i] == FTH_PIPE_WRITER)
            note_waiter(held, edge->from, waits->time[i]);
        else if (came_first(search, i, edge->from, step))
            hold_by(search, &latest, edge->from, edge);
    }
    for (uint32_t i = waits->first[step]; i < waits->first[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[waits->full[i]];
        if (came_first(search, waits->full[i], edge->to, step))
            hold_by(search, &latest, edge->to, edge);
    }
    return latest;
}

/* ns that the job of a step was in the queue between the end of what it needed and its start. */
static int64_t queued(const struct fth_workflow_graph *graph, uint32_t before, uint32_t step,
                      int64_t start)
{
    uint32_t number = graph->job[step];
    if (number == FTH_NO_STEP || number == graph->job[before])
        return 0;
    const struct fth_workflow_job *job = &graph->workflow->jobs[number];
    if (job->submit == FTH_NEVER || job->start == FTH_NEVER)
        return 0;
    int64_t from = graph->workflow->steps[before].end;
    from = job->submit > from ? job->submit : from;
    start = job->start < start ? job->start : start;
    return start > from ? start - from : 0;
}

static void come_after(const struct fth_workflow_graph *graph, struct fth_workflow_held *held,
                       const struct holder *holder)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    const struct fth_workflow_edge *edge = holder->edge;
    int64_t end = steps[holder->step].end;
    end = end < held->to ? end : held->to;
    held->from = end > steps[held->step].start ? end : steps[held->step].start;
    held->waited = held->from - end;
    held->queued = queued(graph, holder->step, held->step, held->from);
    held->before = holder->step;
    held->kind = edge->kind;
    held->full_pipe = edge->from == held->step;
    held->only_end =
        edge->kind == FTH_EDGE_DATA && !edge->bytes && !fth_workflow_edge_has(graph, edge, false);
}

static void find_path(struct fth_workflow_schedule *schedule,
                      const struct fth_workflow_graph *graph)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    struct search search = {
        .graph = graph,
        .is_on_path = fth_new((size_t)graph->workflow->step_count + 1, sizeof(bool)),
    };
    fth_pipe_waits_make(&search.waits, graph);
    for (uint32_t step = last_to_end(graph); step != FTH_NO_STEP;) {
        struct fth_workflow_held held = {
            .step = step,
            .from = steps[step].start,
            .to = steps[step].end,
            .before = FTH_NO_STEP,
            .kind = FTH_EDGE_ORDER,
            .waiter = FTH_NO_STEP,
        };
        search.is_on_path[step] = true;
        struct holder holder = what_held(&search, &held);
        if (holder.step != FTH_NO_STEP)
            come_after(graph, &held, &holder);
        FTH_GROW(schedule->held, schedule->held_count);
        schedule->held[schedule->held_count++] = held;
        step = held.before;
    }
    fth_pipe_waits_free(&search.waits);
    free(search.is_on_path);
    for (uint32_t i = 0; i < schedule->held_count / 2; i++) {
        struct fth_workflow_held swapped = schedule->held[i];
        schedule->held[i] = schedule->held[schedule->held_count - 1 - i];
        schedule->held[schedule->held_count - 1 - i] = swapped;
    }
}

/* ---- another order ---- */

struct planned {
    uint32_t step;
    int64_t start; /* as recorded */
};

static int by_start(const void *one, const void *other)
{
    const struct planned *a = one, *b = other;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static int by_time(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

double fth_workflow_step_busy(const struct fth_workflow_step *step)
{
    int64_t busy = fth_saturating_sum(fth_saturating_sum(step->io, step->own), step->other),
            length = step->end - step->start;
    return length > 0 ? (double)busy / (double)length : 1;
}

/* Processors that it kept busy: its ranks, or its threads. */
static uint32_t wants(const struct fth_workflow_step *step, uint32_t processors)
{
    uint64_t threads = (uint64_t)fth_workflow_step_busy(step);
    uint64_t wanted = step->ranks > threads ? step->ranks : threads;
    return wanted < 1 ? 1 : wanted > processors ? processors : (uint32_t)wanted;
}

/* When what a step reads is there, in the new order. */
static int64_t ready(const struct fth_workflow_graph *graph, uint32_t step, const int64_t *starts)
{
    const struct fth_workflow_step *steps = graph->workflow->steps;
    int64_t time = 0;
    for (uint32_t i = graph->first_edge[step]; i < graph->first_edge[step + 1]; i++) {
        const struct fth_workflow_edge *edge = &graph->edges[i];
        const struct fth_workflow_step *from = &steps[edge->from];
        if (edge->kind != FTH_EDGE_DATA || !is_step(graph, edge->from) ||
            from->start > steps[step].start)
            continue;
        int64_t there = starts[edge->from] + (edge->streams ? 0 : from->end - from->start);
        time = there > time ? there : time;
    }
    return time;
}

/* Of those that are idle at the start, the ones that have been so for the shortest time: others may
 * take steps that could start before. */
static void take_processors(int64_t *idle_from, uint32_t processors, uint32_t wanted, int64_t start,
                            int64_t end)
{
    uint32_t idle = wanted;
    while (idle < processors && idle_from[idle] <= start)
        idle++;
    for (uint32_t i = idle - wanted; i < idle; i++)
        idle_from[i] = end;
    qsort(idle_from, processors, sizeof *idle_from, by_time);
}

/* processors 0: as many as steps want. */
static int64_t length_of(const struct fth_workflow_graph *graph, const struct planned *order,
                         uint32_t count, uint32_t processors)
{
    int64_t *starts = fth_new((size_t)graph->workflow->step_count + 1, sizeof *starts),
            *idle_from = fth_new((size_t)processors + 1, sizeof *idle_from), length = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct fth_workflow_step *step = &graph->workflow->steps[order[k].step];
        int64_t start = ready(graph, order[k].step, starts);
        uint32_t wanted = processors ? wants(step, processors) : 0;
        if (wanted && idle_from[wanted - 1] > start)
            start = idle_from[wanted - 1];
        int64_t end = start + (step->end - step->start);
        starts[order[k].step] = start;
        if (wanted)
            take_processors(idle_from, processors, wanted, start, end);
        length = end > length ? end : length;
    }
    free(starts);
    free(idle_from);
    return length;
}

/* ns in which at least one step ran. */
static int64_t time_of_steps(const struct fth_workflow_graph *graph, const struct planned *order,
                             uint32_t count)
{
    int64_t time = 0, until = INT64_MIN;
    for (uint32_t i = 0; i < count; i++) {
        int64_t end = graph->workflow->steps[order[i].step].end,
                start = order[i].start > until ? order[i].start : until;
        if (end <= start)
            continue;
        FTH_ADD_SATURATING(time, end - start);
        until = end;
    }
    return time;
}

/* The recorded order without the time in which no step ran is one that is possible, too: a planned
 * one that is longer is not the best. */
static void use_recorded_order(struct fth_workflow_schedule *schedule, int64_t recorded)
{
    if (schedule->possible > recorded)
        schedule->possible = recorded;
    if (schedule->unlimited > recorded)
        schedule->unlimited = recorded;
}

static void try_other_orders(struct fth_workflow_schedule *schedule,
                             const struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    struct planned *order = fth_new((size_t)workflow->step_count + 1, sizeof *order);
    uint32_t count = 0, processors = workflow->processors;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (is_step(graph, i))
            order[count++] = (struct planned){i, workflow->steps[i].start};
    qsort(order, count, sizeof *order, by_start);
    schedule->unlimited = length_of(graph, order, count, 0);
    if (processors && processors <= MOST_PROCESSORS)
        schedule->possible = length_of(graph, order, count, processors);
    use_recorded_order(schedule, time_of_steps(graph, order, count));
    free(order);
}

void fth_workflow_schedule_make(struct fth_workflow_schedule *schedule,
                                const struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    *schedule = (struct fth_workflow_schedule){.start = INT64_MAX, .end = INT64_MIN};
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const struct fth_workflow_step *step = &workflow->steps[i];
        schedule->start = step->start < schedule->start ? step->start : schedule->start;
        schedule->end = step->end > schedule->end ? step->end : schedule->end;
        if (is_step(graph, i))
            FTH_ADD_SATURATING(schedule->running, step->end - step->start);
    }
    if (!workflow->step_count)
        schedule->start = schedule->end = 0;
    find_path(schedule, graph);
    try_other_orders(schedule, graph);
}

void fth_workflow_schedule_free(struct fth_workflow_schedule *schedule)
{
    free(schedule->held);
    *schedule = (struct fth_workflow_schedule){0};
}
