/* Ways through a network. Where the network is a tree, and clusters mostly are, a way leads up from both ends to where they meet: each
 * node knows its parent, and there are no tables. In any other network it is the shortest one, that a breadth-first search finds first,
 * looked for once for each pair of NICs that talk. */
#include "sim/flow.h"

#include "base/memory.h"

enum { NONE = UINT32_MAX };

struct fth_sim_routes {
    uint32_t *first,
        *out; /* edges that leave a node: out[first[node]] up to out[first[node + 1]] */
    uint32_t *queue, *came_by, *seen, search; /* of searches; seen[node] == search: in this one */
    bool is_tree;
    uint32_t *up, *down, *depth; /* in a tree: the edge to the parent, the one from it */
};

static const struct fth_sim_component *edge_of(const struct fth_sim_network *network, uint32_t edge)
{
    return network->components[network->edges[edge]];
}

static enum fth_sim_kind kind_of(const struct fth_sim_network *network, uint32_t node)
{
    return network->components[network->nodes[node]]->kind;
}

static void sort_edges(struct fth_sim_routes *routes, const struct fth_sim_network *network)
{
    routes->first = fth_new((size_t)network->node_count + 2, sizeof *routes->first);
    routes->out = fth_new((size_t)network->edge_count + 1, sizeof *routes->out);
    for (uint32_t i = 0; i < network->edge_count; i++)
        routes->first[edge_of(network, i)->from + 2]++;
    for (uint32_t i = 2; i < network->node_count + 2; i++)
        routes->first[i] += routes->first[i - 1];
    for (uint32_t i = 0; i < network->edge_count; i++)
        routes->out[routes->first[edge_of(network, i)->from + 1]++] = i;
}

/* Goes through the nodes that can be reached from `from`, the near ones first, and notes by which edge; NICs pass nothing on. Ends at
 * `to`. The number of nodes that were seen. */
static uint32_t search(struct fth_sim_routes *routes, const struct fth_sim_network *network,
                       uint32_t from, uint32_t to)
{
    uint32_t count = 1;
    routes->search++;
    routes->queue[0] = from;
    routes->came_by[from] = NONE;
    routes->seen[from] = routes->search;
    for (uint32_t i = 0; i < count && routes->queue[i] != to; i++) {
        uint32_t node = routes->queue[i];
        if (node != from && kind_of(network, node) == FTH_SIM_NIC)
            continue;
        for (uint32_t j = routes->first[node]; j < routes->first[node + 1]; j++) {
            uint32_t next = edge_of(network, routes->out[j])->to;
            if (routes->seen[next] == routes->search)
                continue;
            routes->seen[next] = routes->search;
            routes->came_by[next] = routes->out[j];
            routes->queue[count++] = next;
        }
    }
    return count;
}

/* Tries to see the network as a tree with `root` on top and NICs as leaves. */
static bool plant(struct fth_sim_routes *routes, const struct fth_sim_network *network,
                  uint32_t root)
{
    if (network->edge_count != 2 * (network->node_count - 1) ||
        search(routes, network, root, NONE) < network->node_count)
        return false;
    routes->up = fth_new(network->node_count, sizeof *routes->up);
    routes->down = fth_new(network->node_count, sizeof *routes->down);
    routes->depth = fth_new(network->node_count, sizeof *routes->depth);
    for (uint32_t i = 1; i < network->node_count; i++) {
        uint32_t node = routes->queue[i], by = routes->came_by[node];
        uint32_t parent = edge_of(network, by)->from;
        if (kind_of(network, parent) == FTH_SIM_NIC)
            return false;
        routes->down[node] = by;
        routes->depth[node] = routes->depth[parent] + 1;
        for (uint32_t j = routes->first[node]; j < routes->first[node + 1]; j++)
            if (edge_of(network, routes->out[j])->to == parent)
                routes->up[node] = routes->out[j];
    }
    return true;
}

static int check(struct fth_sim_routes *routes, const struct fth_sim_network *network,
                 struct fth_error **error)
{
    uint32_t first = NONE;
    for (uint32_t i = 0; i < network->node_count; i++) {
        if (kind_of(network, i) != FTH_SIM_NIC)
            continue;
        if (first == NONE) {
            first = i;
            search(routes, network, first, NONE);
        }
        if (routes->seen[i] != routes->search)
            return fth_fail(error, "the network is not connected: no way leads to NIC %u", i);
    }
    return 0;
}

struct fth_sim_routes *fth_sim_routes_new(const struct fth_sim_network *network,
                                          struct fth_error **error)
{
    struct fth_sim_routes *routes = fth_new(1, sizeof *routes);
    sort_edges(routes, network);
    routes->queue = fth_new((size_t)network->node_count + 1, sizeof *routes->queue);
    routes->came_by = fth_new((size_t)network->node_count + 1, sizeof *routes->came_by);
    routes->seen = fth_new((size_t)network->node_count + 1, sizeof *routes->seen);
    for (uint32_t i = 0; i < network->node_count; i++)
        if (kind_of(network, i) == FTH_SIM_NODE) {
            routes->is_tree = plant(routes, network, i);
            break;
        }
    if (!routes->is_tree && check(routes, network, error)) {
        fth_sim_routes_free(routes);
        return NULL;
    }
    return routes;
}

void fth_sim_routes_free(struct fth_sim_routes *routes)
{
    if (!routes)
        return;
    free(routes->first);
    free(routes->out);
    free(routes->queue);
    free(routes->came_by);
    free(routes->seen);
    free(routes->up);
    free(routes->down);
    free(routes->depth);
    free(routes);
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
        way->components[way->front++] = way->network->components[component];
    way->count++;
}

static void add_back(struct way *way, uint32_t component)
{
    if (way->components)
        way->components[--way->back] = way->network->components[component];
    way->count++;
}

/* Up from both ends, always from the deeper one, to where they meet. */
static void climb(struct way *way, uint32_t from, uint32_t to)
{
    const struct fth_sim_network *network = way->network;
    const struct fth_sim_routes *routes = network->routes;
    while (from != to) {
        if (routes->depth[from] >= routes->depth[to]) {
            add_front(way, network->nodes[from]);
            add_front(way, network->edges[routes->up[from]]);
            from = edge_of(network, routes->up[from])->to;
        } else {
            add_back(way, network->nodes[to]);
            add_back(way, network->edges[routes->down[to]]);
            to = edge_of(network, routes->down[to])->from;
        }
    }
    add_front(way, network->nodes[from]);
}

static void follow(struct way *way, uint32_t from, uint32_t to)
{
    const struct fth_sim_network *network = way->network;
    search(network->routes, network, from, to);
    for (; to != from; to = edge_of(network, network->routes->came_by[to])->from) {
        add_back(way, network->nodes[to]);
        add_back(way, network->edges[network->routes->came_by[to]]);
    }
    add_back(way, network->nodes[from]);
}

uint32_t fth_sim_routes_way(const struct fth_sim_network *network, uint32_t from, uint32_t to,
                            struct fth_sim_component **components)
{
    struct way way = {.network = network};
    for (;;) {
        if (network->routes->is_tree)
            climb(&way, from, to);
        else
            follow(&way, from, to);
        if (!components || way.components)
            return way.count;
        way = (struct way){network, components, 0, 0, way.count};
    }
}
