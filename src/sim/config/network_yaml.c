/* Networks of clusters, from YAML. */
#ifdef FATHOM_LIBYAML

#include "sim/config/yaml.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 24 };

static const struct fth_yaml_field network_fields[] = {
    FTH_YAML_FIELD(fth_sim_cluster, "packet", FTH_SIM_BYTES, packet, true, 1, 1 << 30),
    FTH_YAML_FIELD(fth_sim_cluster, "overhead", FTH_SIM_BYTES, overhead, false, 0, 1 << 20),
    FTH_YAML_FIELD(fth_sim_cluster, "frame", FTH_SIM_BYTES, frame, false, 0, 1 << 20),
    FTH_YAML_FIELD(fth_sim_cluster, "groups", FTH_SIM_COUNT, shape.down[0], false, 1, MOST),
    FTH_YAML_FIELD(fth_sim_cluster, "switches", FTH_SIM_COUNT, shape.down[1], false, 1, MOST),
    FTH_YAML_FIELD(fth_sim_cluster, "far links", FTH_SIM_COUNT, shape.far, false, 1, MOST),
    FTH_YAML_FIELD(fth_sim_cluster, "nodes per switch", FTH_SIM_COUNT, shape.hosts, false, 1, MOST),
    {0},
};

/* The parts, by their keys. Those that are not always there come with the one that leads to
 * them. */
static const struct {
    const char *key, *name;
    size_t offset;
} parts[] = {
    {"nic", "NIC", offsetof(struct fth_sim_cluster, nic)},
    {"nic edge", "NIC edge", offsetof(struct fth_sim_cluster, nic_edge)},
    {"socket", "socket", offsetof(struct fth_sim_cluster, socket)},
    {"socket edge", "socket edge", offsetof(struct fth_sim_cluster, socket_edge)},
    {"node", "node", offsetof(struct fth_sim_cluster, node)},
    {"node edge", "node edge", offsetof(struct fth_sim_cluster, node_edge)},
    {"switch", "switch", offsetof(struct fth_sim_cluster, hub)},
    {"switch edge", "switch edge", offsetof(struct fth_sim_cluster, hub_edge)},
    {"far edge", "far edge", offsetof(struct fth_sim_cluster, far_edge)},
};
enum { PARTS = sizeof parts / sizeof *parts };

static const char *const topologies[] = {[FTH_SIM_STAR] = "star",
                                         [FTH_SIM_FAT_TREE] = "fat tree",
                                         [FTH_SIM_TORUS] = "torus",
                                         [FTH_SIM_DRAGONFLY] = "dragonfly",
                                         [FTH_SIM_GRAPH] = "graph"};
enum { TOPOLOGIES = sizeof topologies / sizeof *topologies };

static int take_part(const struct fth_yaml *reading, const yaml_node_t *value, const char *key,
                     const char *name, struct fth_sim_part *part)
{
    part->name = name;
    return fth_yaml_each(reading, value, key, fth_yaml_speed, &part->speed) ||
                   fth_yaml_check_required(reading, value, fth_yaml_speed_fields)
               ? -1
               : 0;
}

/* "16 x 8 x 4": how many there are. */
static int read_counts(const struct fth_yaml *reading, const yaml_node_t *value, const char *key,
                       uint32_t counts[FTH_SIM_DIMENSIONS], uint32_t *count)
{
    const char *at = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    for (*count = 0;; at++) {
        char word[16];
        uint64_t number = 0;
        while (*at == ' ')
            at++;
        size_t length = strspn(at, "0123456789");
        snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), at);
        if (*count == FTH_SIM_DIMENSIONS || fth_sim_parse(word, FTH_SIM_COUNT, &number, NULL) ||
            !number || number > MOST)
            return fth_yaml_fail(reading, value, "expected up to eight numbers like 16 x 8 for",
                                 key);
        counts[(*count)++] = (uint32_t)number;
        for (at += length; *at == ' '; at++)
            continue;
        if (!*at)
            return 0;
        if (*at != 'x')
            return fth_yaml_fail(reading, value, "expected numbers like 16 x 8 for", key);
    }
}

static int take_topology(const struct fth_yaml *reading, const yaml_node_t *value,
                         struct fth_sim_shape *shape)
{
    const char *name = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    for (unsigned i = 0; i < TOPOLOGIES; i++)
        if (!strcmp(topologies[i], name)) {
            shape->topology = (enum fth_sim_topology)i;
            return 0;
        }
    return fth_yaml_fail(reading, value,
                         "topologies are star, fat tree, torus, dragonfly and graph, there is no",
                         name);
}

/* A dragonfly has a number of switches. */
static bool is_of_graph(const char *name, const yaml_node_t *value)
{
    return (!strcmp(name, "switches") && value->type == YAML_MAPPING_NODE) ||
           !strcmp(name, "links");
}

static int take_network(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    struct fth_sim_cluster *cluster = target;
    struct fth_sim_shape *shape = &cluster->shape;
    const char *name = fth_yaml_text(key), *word = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    uint32_t levels = 0;
    for (size_t i = 0; i < PARTS; i++)
        if (!strcmp(parts[i].key, name))
            return take_part(reading, value, name, parts[i].name,
                             (void *)((char *)cluster + parts[i].offset));
    if (is_of_graph(name, value))
        return 0; /* see fth_yaml_check_network: it takes the other keys */
    if (!strcmp(name, "topology"))
        return take_topology(reading, value, shape);
    if (!strcmp(name, "down") || !strcmp(name, "dimensions"))
        return read_counts(reading, value, name, shape->down, &shape->levels);
    if (!strcmp(name, "up"))
        return read_counts(reading, value, name, shape->up, &levels);
    if (!strcmp(name, "nics")) {
        cluster->is_analytical = !strcmp(word, "analytical");
        return cluster->is_analytical || !strcmp(word, "packets")
                   ? 0
                   : fth_yaml_fail(reading, value, "nics are packets or analytical, not", word);
    }
    return fth_yaml_number(reading, network_fields, key, value, cluster, "a network has no");
}

int fth_yaml_network(const struct fth_yaml *reading, const yaml_node_t *value,
                     struct fth_sim_cluster *cluster)
{
    cluster->shape.hosts = 1;
    if (fth_yaml_each(reading, value, "network", take_network, cluster) ||
        fth_yaml_check_required(reading, value, network_fields))
        return -1;
    if (cluster->shape.topology == FTH_SIM_DRAGONFLY)
        cluster->shape.levels = 2;
    return 0;
}

/* What each topology needs beside the parts. */
static const struct {
    enum fth_sim_topology topology;
    const char *key;
} needs[] = {
    {FTH_SIM_FAT_TREE, "down"},       {FTH_SIM_FAT_TREE, "switch edge"},
    {FTH_SIM_TORUS, "dimensions"},    {FTH_SIM_TORUS, "switch edge"},
    {FTH_SIM_DRAGONFLY, "groups"},    {FTH_SIM_DRAGONFLY, "switches"},
    {FTH_SIM_DRAGONFLY, "far links"}, {FTH_SIM_DRAGONFLY, "switch edge"},
    {FTH_SIM_GRAPH, "switches"},
};

static int check_graph(const struct fth_yaml *reading, const yaml_node_t *network,
                       struct fth_sim_cluster *cluster)
{
    const yaml_node_t *switches = fth_yaml_find(reading, network, "switches"),
                      *links = fth_yaml_find(reading, network, "links");
    if (cluster->shape.topology == FTH_SIM_GRAPH)
        return fth_yaml_graph(reading, switches, links, cluster);
    if (links)
        return fth_yaml_fail(reading, links, "only a graph has", "links");
    return switches && is_of_graph("switches", switches)
               ? fth_yaml_fail(reading, switches, "only a graph has names of", "switches")
               : 0;
}

int fth_yaml_check_network(const struct fth_yaml *reading, const yaml_node_t *root,
                           struct fth_sim_cluster *cluster)
{
    static const char lacks[] = "the network lacks its";
    const yaml_node_t *network = fth_yaml_find(reading, root, "network");
    const struct fth_sim_shape *shape = &cluster->shape;
    struct fth_error *cause = NULL;
    if (!network)
        return fth_yaml_fail(reading, root, "missing key", "network");
    if (!cluster->nic.name || !cluster->nic_edge.name || !cluster->hub.name)
        return fth_yaml_fail(reading, network, lacks,
                             !cluster->nic.name        ? "nic"
                             : !cluster->nic_edge.name ? "nic edge"
                                                       : "switch");
    if (!cluster->socket.name != !cluster->socket_edge.name)
        return fth_yaml_fail(reading, network, lacks,
                             cluster->socket.name ? "socket edge" : "socket");
    if (!cluster->node.name != !cluster->node_edge.name)
        return fth_yaml_fail(reading, network, lacks, cluster->node.name ? "node edge" : "node");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].topology == shape->topology && !fth_yaml_find(reading, network, needs[i].key))
            return fth_yaml_fail(reading, network, lacks, needs[i].key);
    if (check_graph(reading, network, cluster))
        return -1;
    for (uint32_t i = 0; shape->topology == FTH_SIM_FAT_TREE && i + 1 < shape->levels; i++)
        if (!shape->up[i])
            return fth_yaml_fail(reading, network,
                                 "each level of 'down' but the last needs a number in", "up");
    uint64_t room = fth_sim_shape_room(shape, &cause);
    if (!room) {
        fth_yaml_fail(reading, network, fth_error_text(cause), topologies[shape->topology]);
        fth_error_free(cause);
        return -1;
    }
    uint64_t nodes = cluster->nodes;
    if (!cluster->servers.shared)
        nodes += cluster->servers.count;
    nodes += cluster->servers.forwarders + cluster->buffers.count;
    if (nodes > room) {
        char text[96];
        snprintf(text, sizeof text, "there is room for %llu nodes and servers, not %llu, in this",
                 (unsigned long long)room, (unsigned long long)nodes);
        return fth_yaml_fail(reading, network, text, topologies[shape->topology]);
    }
    return 0;
}

#endif
