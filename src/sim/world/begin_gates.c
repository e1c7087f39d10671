/* A group waits at a gate until all edges to its begin are through, and ends when all its processes
 * and all edges to its end are. */
#include "sim/world/begin_gates.h"

#include "base/saturating.h"

enum { NO_EDGE = UINT32_MAX };

/* Where processes of a group are held. */
struct inner_gate {
    struct fth_sim_target target; /* it opens */
    struct gate *gate;
    uint32_t left;    /* edges that are not through */
    uint32_t waiting; /* the process that came last, plus 1; 0: none */
    uint32_t last;    /* the edge that came last */
    int64_t opens_at;
    bool is_open;
};

struct gate {
    struct fth_sim_target target; /* its begin, then its end */
    struct fth_sim_gates *gates;
    struct inner_gate inner;
    uint32_t begins_left; /* edges to its begin that are not through */
    uint32_t ends_left;   /* processes that have not ended, edges to its end */
    int64_t begins_at, ends_at;
    uint32_t inner_held; /* the edge that opened the inner gate for who was held; NO_EDGE */
    struct fth_sim_group_times times;
};

struct fth_sim_gates {
    struct fth_sim_world *world;
    const struct fth_sim_begin_order *order;
    struct gate *list;    /* by group */
    uint32_t *first_edge; /* by group, and one behind: its edges */
    uint32_t *group_of;   /* by process */
    uint32_t *next;       /* by process that is held: the one that came before it, plus 1; or 0 */
};

static uint32_t number_of(const struct gate *gate)
{
    return (uint32_t)(gate - gate->gates->list);
}

static void happen_at(struct gate *gate, int64_t time)
{
    struct fth_sim_engine *engine = &gate->gates->world->engine;
    fth_sim_after(engine, time > engine->now ? time - engine->now : 0, &gate->target);
}

static void let_begin(struct gate *gate, int64_t time, uint32_t edge)
{
    if (gate->times.behind == NO_EDGE ? time >= gate->begins_at : time > gate->begins_at) {
        gate->begins_at = time;
        gate->times.behind = edge;
    }
    if (!--gate->begins_left)
        happen_at(gate, gate->begins_at);
}

/* `edge`: NO_EDGE for a process of its own, which may have been held before. */
static void let_end(struct gate *gate, int64_t time, uint32_t edge)
{
    if (time > gate->ends_at || (time == gate->ends_at && edge == NO_EDGE)) {
        gate->ends_at = time;
        gate->times.held = edge != NO_EDGE ? edge : gate->inner_held;
    }
    if (!--gate->ends_left)
        happen_at(gate, gate->ends_at);
}

static void let_through(struct gate *gate, int64_t time, uint32_t edge)
{
    struct fth_sim_engine *engine = &gate->gates->world->engine;
    if (time >= gate->inner.opens_at) {
        gate->inner.opens_at = time;
        gate->inner.last = edge;
    }
    if (!--gate->inner.left)
        fth_sim_after(engine, gate->inner.opens_at - engine->now, &gate->inner.target);
}

static void open_inner(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct inner_gate *inner = (struct inner_gate *)target;
    struct fth_sim_gates *gates = inner->gate->gates;
    (void)engine;
    inner->is_open = true;
    if (inner->waiting)
        inner->gate->inner_held = inner->last;
    while (inner->waiting) {
        struct fth_sim_process *process = &gates->world->processes[inner->waiting - 1];
        inner->waiting = gates->next[inner->waiting - 1];
        fth_sim_process_start(process);
    }
}

static bool hold(struct fth_sim_process *process)
{
    struct fth_sim_gates *gates = process->world->gates;
    struct inner_gate *inner = &gates->list[gates->group_of[process->rank]].inner;
    if (inner->is_open)
        return false;
    gates->next[process->rank] = inner->waiting;
    inner->waiting = process->rank + 1;
    return true;
}

/* Those that wait for what has just happened. */
static void pass_on(const struct gate *gate, bool has_ended)
{
    struct fth_sim_gates *gates = gate->gates;
    uint32_t group = number_of(gate);
    for (uint32_t i = gates->first_edge[group]; i < gates->first_edge[group + 1]; i++) {
        const struct fth_sim_begin_edge *edge = &gates->order->edges[i];
        int64_t time = fth_saturating_sum(gates->world->engine.now, edge->delay);
        if ((edge->kind == FTH_SIM_BEHIND_BEGIN) == has_ended)
            continue;
        if (edge->kind == FTH_SIM_ENDS_BEHIND)
            let_end(&gates->list[edge->to], time, i);
        else if (edge->kind == FTH_SIM_HOLDS)
            let_through(&gates->list[edge->to], time, i);
        else
            let_begin(&gates->list[edge->to], time, i);
    }
}

static void begin_group(struct gate *gate)
{
    struct fth_sim_gates *gates = gate->gates;
    uint32_t group = number_of(gate), first = gates->order->first_process[group],
             behind = gates->order->first_process[group + 1];
    int64_t now = gates->world->engine.now;
    gate->times.begun = now;
    pass_on(gate, false);
    for (uint32_t rank = first; rank < behind; rank++)
        fth_sim_process_start(&gates->world->processes[rank]);
    if (first == behind)
        let_end(gate, fth_saturating_sum(now, gates->order->lengths[group]), NO_EDGE);
}

static void happen(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct gate *gate = (struct gate *)target;
    if (gate->times.begun < 0) {
        begin_group(gate);
        return;
    }
    gate->times.ended = engine->now;
    pass_on(gate, true);
}

static void process_ended(struct fth_sim_process *process)
{
    struct fth_sim_gates *gates = process->world->gates;
    let_end(&gates->list[gates->group_of[process->rank]], process->end, NO_EDGE);
}

static void make_gate(struct fth_sim_gates *gates, uint32_t group)
{
    const struct fth_sim_begin_order *order = gates->order;
    uint32_t processes = order->first_process[group + 1] - order->first_process[group];
    gates->list[group] = (struct gate){
        .target = {.happen = happen, .order = group},
        .gates = gates,
        .ends_left = processes ? processes : 1,
        .begins_at = order->begins[group],
        .inner_held = NO_EDGE,
        .times = {-1, -1, NO_EDGE, NO_EDGE},
        .inner = {.target = {.happen = open_inner, .order = group}, .last = NO_EDGE},
    };
    gates->list[group].inner.gate = &gates->list[group];
    for (uint32_t i = 0; i < processes; i++)
        gates->group_of[order->first_process[group] + i] = group;
}

void fth_sim_gates_open(struct fth_sim_world *world)
{
    const struct fth_sim_begin_order *order = world->program->order;
    struct fth_sim_engine *engine = &world->engine;
    struct fth_sim_gates *gates = fth_sim_new(engine, sizeof *gates);
    size_t count = order->group_count;
    gates->world = world;
    gates->order = order;
    gates->list = fth_sim_new(engine, (count + 1) * sizeof *gates->list);
    gates->first_edge = fth_sim_new(engine, (count + 2) * sizeof *gates->first_edge);
    gates->group_of =
        fth_sim_new(engine, ((size_t)world->program->ranks + 1) * sizeof *gates->group_of);
    gates->next = fth_sim_new(engine, ((size_t)world->program->ranks + 1) * sizeof *gates->next);
    world->gates = gates;
    world->ended = process_ended;
    world->holds = hold;
    for (uint32_t group = 0; group < count; group++)
        make_gate(gates, group);
    for (uint32_t i = 0; i < order->edge_count; i++) {
        const struct fth_sim_begin_edge *edge = &order->edges[i];
        gates->first_edge[edge->from + 1]++;
        if (edge->kind == FTH_SIM_ENDS_BEHIND)
            gates->list[edge->to].ends_left++;
        else if (edge->kind == FTH_SIM_HOLDS)
            gates->list[edge->to].inner.left++;
        else
            gates->list[edge->to].begins_left++;
    }
    for (uint32_t group = 0; group < count; group++)
        gates->first_edge[group + 1] += gates->first_edge[group];
    for (uint32_t group = 0; group < count; group++)
        gates->list[group].inner.is_open = !gates->list[group].inner.left;
    for (uint32_t group = 0; group < count; group++)
        if (!gates->list[group].begins_left)
            happen_at(&gates->list[group], gates->list[group].begins_at);
}

struct fth_sim_group_times fth_sim_world_group(const struct fth_sim_world *world, uint32_t group)
{
    return world->gates->list[group].times;
}
