/* Ways through a network. Whatever hangs at the rest like a tree, and of clusters that is nearly
 * all, needs no tables: a way leads up from both ends, each node knows its parent. What is then
 * left over are switches that are connected in more than one way. There a guide says which one
 * comes next, if the network has one; else it is a shortest way, that a breadth-first search finds,
 * once for each node of the rest that something is sent to. */
#include "sim/network/flow.h"

#include "base/memory.h"

enum { NONE = UINT32_MAX };

struct fth_sim_routes {
    uint32_t *first,
        *out; /* edges that leave a node: out[first[node]] up to out[first[node + 1]] */
    uint32_t *queue;
    uint32_t *up, *depth; /* in a tree: the edge to the parent */
    uint32_t **toward;    /* by node: the edges on which others come nearer to it, or NULL */
};

/* Edges come in pairs, there and back. */
static uint32_t back(uint32_t edge)
{
    return edge ^ 1;
}

/* Where an edge leads to. */
static uint32_t end_of(const struct fth_sim_network *network, uint32_t edge)
{
    return network->from[back(edge)];
}

static bool is_nic(const struct fth_sim_network *network, uint32_t node)
{
    return network->components[network->nodes[node]]->kind == FTH_SIM_NIC;
}

static void sort_edges(struct fth_sim_routes *routes, const struct fth_sim_network *network)
{
    routes->first = fth_new((size_t)network->node_count + 2, sizeof *routes->first);
    routes->out = fth_new((size_t)network->edge_count + 1, sizeof *routes->out);
    for (uint32_t i = 0; i < network->edge_count; i++)
        routes->first[network->from[i] + 2]++;
    for (uint32_t i = 2; i < network->node_count + 2; i++)
        routes->first[i] += routes->first[i - 1];
    for (uint32_t i = 0; i < network->edge_count; i++)
        routes->out[routes->first[network->from[i] + 1]++] = i;
}

static uint32_t find_edge(const struct fth_sim_network *network, uint32_t from, uint32_t to)
{
    const struct fth_sim_routes *routes = network->routes;
    for (uint32_t i = routes->first[from]; i < routes->first[from + 1]; i++)
        if (end_of(network, routes->out[i]) == to)
            return routes->out[i];
    return NONE;
}

/* The one edge from a node to what has not been taken off yet. */
static uint32_t last_edge(const struct fth_sim_routes *routes,
                          const struct fth_sim_network *network, uint32_t node,
                          const uint32_t *degree)
{
    for (uint32_t i = routes->first[node]; i < routes->first[node + 1]; i++)
        if (degree[end_of(network, routes->out[i])])
            return routes->out[i];
    return NONE;
}

/* Takes off the leaves, and what becomes a leaf by that, until there are none. NICs pass nothing
 * on, so nothing hangs at them. */
static void take_off_trees(struct fth_sim_routes *routes, const struct fth_sim_network *network)
{
    uint32_t nodes = network->node_count, count = 0;
    uint32_t *degree = fth_new(nodes, sizeof *degree);
    routes->up = fth_new(nodes, sizeof *routes->up);
    routes->depth = fth_new(nodes, sizeof *routes->depth);
    for (uint32_t i = 0; i < nodes; i++) {
        routes->up[i] = NONE;
        degree[i] = routes->first[i + 1] - routes->first[i];
        if (degree[i] == 1)
            routes->queue[count++] = i;
    }
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = routes->queue[i];
        uint32_t edge = last_edge(routes, network, node, degree);
        if (degree[node] != 1 || edge == NONE)
            continue;
        uint32_t parent = end_of(network, edge);
        if (is_nic(network, parent))
            continue;
        routes->up[node] = edge;
        degree[node] = 0;
        if (--degree[parent] == 1)
            routes->queue[count++] = parent;
        routes->queue[taken++] = node;
    }
    while (taken) {
        uint32_t node = routes->queue[--taken], parent = end_of(network, routes->up[node]);
        routes->depth[node] = routes->depth[parent] + 1;
    }
    free(degree);
}

/* A name for people. */
static const char *name_of(const struct fth_sim_network *network, uint32_t node)
{
    return network->components[network->nodes[node]]->name;
}

static int check_connected(struct fth_sim_routes *routes, const struct fth_sim_network *network,
                           struct fth_error **error)
{
    bool *seen = fth_new((size_t)network->node_count + 1, sizeof *seen);
    uint32_t count = 0, nic = 0, number = 0;
    while (nic < network->node_count && !is_nic(network, nic))
        nic++;
    if (nic < network->node_count) {
        seen[nic] = true;
        routes->queue[count++] = nic;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = routes->queue[i];
        if (node != nic && is_nic(network, node))
            continue;
        for (uint32_t j = routes->first[node]; j < routes->first[node + 1]; j++) {
            uint32_t next = end_of(network, routes->out[j]);
            if (!seen[next])
                routes->queue[count++] = next;
            seen[next] = true;
        }
    }
    for (uint32_t i = 0; i < network->node_count; i++) {
        number += is_nic(network, i);
        if (is_nic(network, i) && !seen[i]) {
            free(seen);
            return fth_fail(
                error,
                "the network is not connected: there is no route from the first %s to number %u",
                name_of(network, nic), number);
        }
    }
    free(seen);
    return 0;
}

struct fth_sim_routes *fth_sim_routes_new(const struct fth_sim_network *network,
                                          struct fth_error **error)
{
    struct fth_sim_routes *routes = fth_new(1, sizeof *routes);
    sort_edges(routes, network);
    routes->queue = fth_new((size_t)network->node_count + 1, sizeof *routes->queue);
    routes->toward = fth_new((size_t)network->node_count + 1, sizeof *routes->toward);
    take_off_trees(routes, network);
    if (check_connected(routes, network, error)) {
        fth_sim_routes_free(routes, network->node_count);
        return NULL;
    }
    return routes;
}

void fth_sim_routes_free(struct fth_sim_routes *routes, uint32_t nodes)
{
    if (!routes)
        return;
    for (uint32_t i = 0; i < nodes; i++)
        free(routes->toward[i]);
    free(routes->first);
    free(routes->out);
    free(routes->queue);
    free(routes->up);
    free(routes->depth);
    free(routes->toward);
    free(routes);
}

/* From `to` backwards through all that is no tree: by which edge each node comes nearer to it. */
static uint32_t *search(const struct fth_sim_network *network, uint32_t to)
{
    struct fth_sim_routes *routes = network->routes;
    uint32_t *edges = fth_new(network->node_count, sizeof *edges), count = 0;
    for (uint32_t i = 0; i < network->node_count; i++)
        edges[i] = NONE;
    routes->queue[count++] = to;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = routes->queue[i];
        if (node != to && is_nic(network, node))
            continue;
        for (uint32_t j = routes->first[node]; j < routes->first[node + 1]; j++) {
            uint32_t next = end_of(network, routes->out[j]);
            if (next == to || edges[next] != NONE || routes->up[next] != NONE)
                continue;
            edges[next] = back(routes->out[j]);
            routes->queue[count++] = next;
        }
    }
    return edges;
}

static uint32_t next_edge(const struct fth_sim_network *network, uint32_t at, uint32_t to,
                          uint32_t number)
{
    struct fth_sim_routes *routes = network->routes;
    if (network->guide)
        return find_edge(network, at, network->guide->next(network->guide, at, to, number));
    if (!routes->toward[to])
        routes->toward[to] = search(network, to);
    return routes->toward[to][at];
}

/* A way that is written down from both ends at once, or only counted. */
struct way {
    const struct fth_sim_network *network;
    struct fth_sim_component **components;
    uint32_t count, front, back; /* back: where the next one from the end comes before */
};

static void add_front(struct way *way, uint32_t component)
{
    if (way->components)
        way->components[way->front++] = fth_sim_network_use(way->network, component);
    way->count++;
}

static void add_back(struct way *way, uint32_t component)
{
    if (way->components)
        way->components[--way->back] = fth_sim_network_use(way->network, component);
    way->count++;
}

/* Up from both ends, always from the deeper one, to where they meet or nothing is above them; from
 * there on through the rest. */
static void follow(struct way *way, uint32_t from, uint32_t to)
{
    const struct fth_sim_network *network = way->network;
    const struct fth_sim_routes *routes = network->routes;
    uint32_t number = to;
    while (from != to && (routes->depth[from] || routes->depth[to])) {
        if (routes->depth[from] >= routes->depth[to]) {
            add_front(way, network->nodes[from]);
            add_front(way, network->edges[routes->up[from]]);
            from = end_of(network, routes->up[from]);
        } else {
            add_back(way, network->nodes[to]);
            add_back(way, network->edges[back(routes->up[to])]);
            to = end_of(network, routes->up[to]);
        }
    }
    while (from != to) {
        uint32_t edge = next_edge(network, from, to, number);
        add_front(way, network->nodes[from]);
        add_front(way, network->edges[edge]);
        from = end_of(network, edge);
    }
    add_front(way, network->nodes[from]);
}

uint32_t fth_sim_routes_way(const struct fth_sim_network *network, uint32_t from, uint32_t to,
                            struct fth_sim_component **components)
{
    struct way way = {.network = network};
    for (;;) {
        follow(&way, from, to);
        if (!components || way.components)
            return way.count;
        way = (struct way){network, components, 0, 0, way.count};
    }
}
