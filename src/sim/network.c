/* Networks: their parts, and messages that enter them. Packets on their way: flow.c. */
#include "sim/flow.h"

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

void fth_sim_network_free(struct fth_sim_network *network)
{
    if (!network)
        return;
    for (uint32_t i = 0; i < network->flow_limit; i++)
        for (struct fth_sim_flow *flow = network->flows[i]; flow; flow = flow->next)
            free(flow->packets);
    free(network->flows);
    fth_sim_routes_free(network->routes);
    free(network->components);
    free(network->nodes);
    free(network->edges);
    free(network);
}

static struct fth_sim_component *add_component(struct fth_sim_network *network, const char *name,
                                               enum fth_sim_kind kind,
                                               const struct fth_sim_speed *speed)
{
    struct fth_sim_component *component = fth_sim_new(network->engine, sizeof *component);
    uint64_t slowest = speed->throughput;
    if (speed->local && speed->local < slowest)
        slowest = speed->local;
    component->done.happen = fth_sim_component_done;
    component->network = network;
    component->speed = *speed;
    component->limit = speed->latency + fth_sim_time_of(network->packet, slowest);
    component->name = name;
    component->kind = kind;
    FTH_GROW(network->components, network->component_count);
    network->components[network->component_count++] = component;
    return component;
}

uint32_t fth_sim_network_node(struct fth_sim_network *network, const char *name,
                              enum fth_sim_kind kind, const struct fth_sim_speed *speed)
{
    struct fth_sim_component *node = add_component(network, name, kind, speed);
    node->from = node->to = network->node_count;
    FTH_GROW(network->nodes, network->node_count);
    network->nodes[network->node_count] = network->component_count - 1;
    return network->node_count++;
}

static void add_edge(struct fth_sim_network *network, const char *name, uint32_t from, uint32_t to,
                     const struct fth_sim_speed *speed)
{
    struct fth_sim_component *edge = add_component(network, name, FTH_SIM_EDGE, speed);
    edge->from = from;
    edge->to = to;
    FTH_GROW(network->edges, network->edge_count);
    network->edges[network->edge_count++] = network->component_count - 1;
}

void fth_sim_network_link(struct fth_sim_network *network, const char *name, uint32_t one,
                          uint32_t other, const struct fth_sim_speed *speed)
{
    add_edge(network, name, one, other, speed);
    add_edge(network, name, other, one, speed);
}

int fth_sim_network_connect(struct fth_sim_network *network, struct fth_error **error)
{
    network->routes = fth_sim_routes_new(network, error);
    return network->routes ? 0 : -1;
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
    return network->components[index];
}

/* Whether packets only pass through this node from one NIC at it to another one. */
static bool is_between_nics(struct fth_sim_component *const *way, uint32_t index)
{
    return way[index]->speed.local && way[index - 2]->kind == FTH_SIM_NIC &&
           way[index + 2]->kind == FTH_SIM_NIC;
}

static struct fth_sim_flow *new_flow(struct fth_sim_network *network, uint32_t from, uint32_t to)
{
    uint32_t count = fth_sim_routes_way(network, from, to, NULL);
    struct fth_sim_component *way[count];
    fth_sim_routes_way(network, from, to, way);
    struct fth_sim_flow *flow =
        fth_sim_new(network->engine, sizeof *flow + count * sizeof *flow->hops);
    flow->from = from;
    flow->to = to;
    flow->hop_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct fth_sim_hop *hop = &flow->hops[i];
        hop->arrival.happen = fth_sim_hop_arrival;
        hop->flow = flow;
        hop->component = way[i];
        hop->is_first = i == 0;
        hop->is_last = i == count - 1;
        hop->is_local = way[i]->kind == FTH_SIM_NODE && is_between_nics(way, i);
        hop->full = fth_sim_time_of(network->packet,
                                    hop->is_local ? way[i]->speed.local : way[i]->speed.throughput);
    }
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

void fth_sim_network_send(struct fth_sim_network *network, uint32_t from, uint32_t to,
                          struct fth_sim_message *message)
{
    struct fth_sim_flow *flow = find_flow(network, from, to);
    network->under_way++;
    message->flow = flow;
    message->next = NULL;
    if (flow->messages)
        flow->last_message->next = message;
    else
        flow->messages = message;
    flow->last_message = message;
    fth_sim_flow_feed(network->engine, flow);
}
