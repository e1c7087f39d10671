/* Networks: how their parts are connected, and messages that enter them. The parts: components.c.
 * Packets on their way: flow.c. */
#include "sim/network/trains.h"

#include "base/memory.h"

struct fth_sim_network *fth_sim_network_new(struct fth_sim_engine *engine, uint64_t packet,
                                            uint64_t overhead,
                                            const struct fth_sim_network_user *user)
{
    struct fth_sim_network *network = fth_new(1, sizeof *network);
    network->engine = engine;
    network->packet = packet;
    network->overhead = overhead;
    network->user = *user;
    return network;
}

void fth_sim_network_frame(struct fth_sim_network *network, uint64_t bytes)
{
    network->frame = bytes;
}

void fth_sim_network_free(struct fth_sim_network *network)
{
    if (!network)
        return;
    for (uint32_t i = 0; i < network->flow_limit; i++)
        for (struct fth_sim_flow *flow = network->flows[i]; flow; flow = flow->next)
            free(flow->packets);
    free(network->flows);
    fth_sim_routes_free(network->routes, network->node_count);
    free(network->components);
    free(network->nodes);
    free(network->edges);
    free(network->from);
    free(network->patterns);
    free(network);
}

uint32_t fth_sim_network_node(struct fth_sim_network *network, const char *name,
                              enum fth_sim_kind kind, const struct fth_sim_speed *speed)
{
    uint32_t component = fth_sim_network_add(network, name, kind, speed);
    FTH_GROW(network->nodes, network->node_count);
    network->nodes[network->node_count] = component;
    return network->node_count++;
}

static void add_edge(struct fth_sim_network *network, const char *name, uint32_t from,
                     const struct fth_sim_speed *speed)
{
    uint32_t component = fth_sim_network_add(network, name, FTH_SIM_EDGE, speed);
    uint32_t count = network->edge_count;
    FTH_GROW(network->edges, count);
    FTH_GROW(network->from, count);
    network->edges[count] = component;
    network->from[count] = from;
    network->edge_count++;
}

void fth_sim_network_link(struct fth_sim_network *network, const char *name, uint32_t one,
                          uint32_t other, const struct fth_sim_speed *speed)
{
    add_edge(network, name, one, speed);
    add_edge(network, name, other, speed);
}

void fth_sim_network_guide(struct fth_sim_network *network, const struct fth_sim_guide *guide)
{
    network->guide = guide;
}

void fth_sim_network_simplify(struct fth_sim_network *network)
{
    network->is_simple = true;
}

void fth_sim_network_play_all(struct fth_sim_network *network)
{
    network->has_no_trains = true;
}

int fth_sim_network_connect(struct fth_sim_network *network, struct fth_error **error)
{
    network->routes = fth_sim_routes_new(network, error);
    return network->routes ? 0 : -1;
}

uint64_t fth_sim_network_counted(const struct fth_sim_network *network)
{
    return network->counted;
}

uint64_t fth_sim_network_under_way(const struct fth_sim_network *network)
{
    return network->under_way;
}

size_t fth_sim_network_components(const struct fth_sim_network *network)
{
    return network->component_count;
}

const struct fth_sim_component *fth_sim_network_component(const struct fth_sim_network *network,
                                                          size_t index)
{
    struct fth_sim_component *component = network->components[index];
    fth_sim_train_leave(network->engine, component->train);
    return component;
}

double fth_sim_component_queue(const struct fth_sim_component *component, int64_t now)
{
    uint64_t waited = component->waited + component->waiting * (uint64_t)now;
    return now ? (double)waited / (double)now : 0;
}

/* Whether packets only pass through this node from one NIC at it to another one. */
static bool is_between_nics(struct fth_sim_component *const *way, uint32_t index)
{
    return way[index]->speed.local && way[index - 2]->kind == FTH_SIM_NIC &&
           way[index + 2]->kind == FTH_SIM_NIC;
}

static void init_hop(struct fth_sim_flow *flow, uint32_t index, struct fth_sim_component *component)
{
    struct fth_sim_hop *hop = &flow->hops[index];
    hop->arrival.happen = fth_sim_hop_arrival;
    hop->arrival.order = ++component->network->targets;
    hop->index = index;
    hop->component = component;
    hop->is_first = index == 0;
    hop->is_last = hop->is_unlimited = index == flow->hop_count - 1;
    hop->full =
        fth_sim_time_of(fth_sim_full_packet(component->network), component->speed.throughput);
}

/* Two NICs at the speed of the slowest part of the way; or one, for what goes to itself. */
static void simplify(struct fth_sim_network *network, struct fth_sim_flow *flow,
                     struct fth_sim_component *const *way, uint32_t count)
{
    uint64_t slowest = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const struct fth_sim_speed *speed = &way[i]->speed;
        bool is_local = way[i]->kind == FTH_SIM_NODE && is_between_nics(way, i);
        uint64_t throughput = is_local ? speed->local : speed->throughput;
        slowest = throughput < slowest ? throughput : slowest;
        flow->wire += speed->latency;
    }
    for (uint32_t i = 0; i < flow->hop_count; i++) {
        init_hop(flow, i, way[i ? count - 1 : 0]);
        flow->hops[i].is_scaled = flow->hops[i].is_unlimited = true;
        flow->hops[i].full = fth_sim_time_of(fth_sim_full_packet(network), slowest);
    }
}

static struct fth_sim_flow *new_flow(struct fth_sim_network *network, uint32_t from, uint32_t to)
{
    uint32_t count = fth_sim_routes_way(network, from, to, NULL);
    uint32_t hops = network->is_simple && count > 2 ? 2 : count;
    struct fth_sim_component *way[count];
    fth_sim_routes_way(network, from, to, way);
    struct fth_sim_flow *flow =
        fth_sim_new_line(network->engine, sizeof *flow + hops * sizeof *flow->hops);
    flow->from = from;
    flow->to = to;
    flow->hop_count = hops;
    flow->full = (uint32_t)fth_sim_full_packet(network);
    if (network->is_simple) {
        simplify(network, flow, way, count);
        return flow;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct fth_sim_hop *hop = &flow->hops[i];
        init_hop(flow, i, way[i]);
        hop->is_local = way[i]->kind == FTH_SIM_NODE && is_between_nics(way, i);
        if (hop->is_local)
            hop->full = fth_sim_time_of(fth_sim_full_packet(network), way[i]->speed.local);
    }
    if (!network->has_no_trains)
        fth_sim_trains_plan(flow);
    return flow;
}

static uint32_t bucket_of(const struct fth_sim_network *network, uint32_t from, uint32_t to)
{
    uint64_t key = ((uint64_t)from << 32 | to) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(key >> 32) & (network->flow_limit - 1);
}

static void insert_flow(struct fth_sim_network *network, struct fth_sim_flow *flow)
{
    struct fth_sim_flow **bucket = &network->flows[bucket_of(network, flow->from, flow->to)];
    flow->next = *bucket;
    *bucket = flow;
}

static void grow_flows(struct fth_sim_network *network)
{
    struct fth_sim_flow **old = network->flows;
    uint32_t old_limit = network->flow_limit;
    network->flow_limit = old_limit ? old_limit * 2 : 64;
    network->flows = fth_new(network->flow_limit, sizeof(struct fth_sim_flow *));
    for (uint32_t i = 0; i < old_limit; i++)
        for (struct fth_sim_flow *flow = old[i], *next; flow; flow = next) {
            next = flow->next;
            insert_flow(network, flow);
        }
    free(old);
}

static struct fth_sim_flow *find_flow(struct fth_sim_network *network, uint32_t from, uint32_t to)
{
    if (network->flow_limit) {
        struct fth_sim_flow *flow = network->flows[bucket_of(network, from, to)];
        for (; flow; flow = flow->next)
            if (flow->from == from && flow->to == to)
                return flow;
    }
    if (network->flow_count == network->flow_limit)
        grow_flows(network);
    network->flow_count++;
    struct fth_sim_flow *flow = new_flow(network, from, to);
    insert_flow(network, flow);
    return flow;
}

/* A message that can become a packet takes turns with the others of its flow. */
static void wait_for_turn(struct fth_sim_network *network, struct fth_sim_message *message)
{
    if (message->waiting || !fth_sim_fills_packet(network, message))
        return;
    fth_sim_train_leave(network->engine, message->flow->ridden);
    fth_sim_flow_queue(message->flow, message);
    fth_sim_flow_feed(network->engine, message->flow);
}

void fth_sim_network_send(struct fth_sim_network *network, uint32_t from, uint32_t to,
                          struct fth_sim_message *message)
{
    network->under_way++;
    message->flow = find_flow(network, from, to);
    wait_for_turn(network, message);
}

void fth_sim_network_append(struct fth_sim_network *network, struct fth_sim_message *message,
                            uint64_t bytes)
{
    fth_sim_train_leave(network->engine, message->flow->ridden);
    message->withheld -= bytes;
    wait_for_turn(network, message);
}

void fth_sim_network_close(struct fth_sim_network *network, uint32_t nic)
{
    struct fth_sim_component *component = fth_sim_network_use(network, network->nodes[nic]);
    fth_sim_train_leave(network->engine, component->train);
    component->closed = true;
}

void fth_sim_network_open(struct fth_sim_network *network, uint32_t nic)
{
    fth_sim_component_open(network->engine, fth_sim_network_use(network, network->nodes[nic]));
}
