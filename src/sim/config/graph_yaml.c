/* Graphs of switches, from YAML: `switches` with the nodes at them, and `links` like "left - right"
 * between them. */
#ifdef FATHOM_LIBYAML

#include "base/memory.h"
#include "sim/network/graph.h"
#include "sim/config/yaml.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 24 };

/* What is read, and what is needed only for that. */
struct graph_reading {
    const struct fth_sim_cluster *cluster; /* it says the speeds that are usual */
    struct fth_sim_graph *graph;
    const yaml_node_t **places; /* of the names of switches */
    uint32_t *above;            /* by switch: another one that is connected with it, or itself */
};

static const struct fth_yaml_field switch_fields[] = {
    FTH_YAML_FIELD(fth_sim_graph_switch, "nodes", FTH_SIM_COUNT, nodes, false, 0, MOST),
    {0},
};

static int take_switch_field(const struct fth_yaml *reading, const yaml_node_t *key,
                             const yaml_node_t *value, void *target)
{
    struct fth_sim_graph_switch *at = target;
    if (fth_yaml_has(switch_fields, fth_yaml_text(key)))
        return fth_yaml_number(reading, switch_fields, key, value, at, "a switch has no");
    return fth_yaml_speed(reading, key, value, &at->part.speed);
}

static uint32_t find_switch(const struct fth_sim_graph *graph, const char *name, size_t length)
{
    uint32_t i = 0;
    while (i < graph->switch_count && (strncmp(graph->switches[i].part.name, name, length) != 0 ||
                                       graph->switches[i].part.name[length]))
        i++;
    return i;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(fth_new(size, 1), text, size);
}

static int take_switch(const struct fth_yaml *reading, const yaml_node_t *key,
                       const yaml_node_t *value, void *target)
{
    struct graph_reading *read = target;
    struct fth_sim_graph *graph = read->graph;
    const char *name = fth_yaml_text(key);
    uint32_t number = graph->switch_count, room = fth_sim_graph_room(graph);
    FTH_GROW(graph->switches, graph->switch_count);
    read->places = fth_resize(read->places, (size_t)number + 1, sizeof *read->places);
    read->above = fth_resize(read->above, (size_t)number + 1, sizeof *read->above);
    read->places[number] = key;
    read->above[number] = number;
    struct fth_sim_graph_switch *at = &graph->switches[graph->switch_count++];
    *at = (struct fth_sim_graph_switch){{copy_of(name), read->cluster->hub.speed}, room, 0};
    if (fth_yaml_each(reading, value, name, take_switch_field, at))
        return -1;
    if (room + at->nodes > MOST)
        return fth_yaml_fail(reading, key, "there are too many nodes with those at", name);
    return 0;
}

static uint32_t root_of(uint32_t *above, uint32_t at)
{
    while (above[at] != at)
        at = above[at] = above[above[at]];
    return at;
}

/* "left - right": between which switches. */
static int read_ends(const struct fth_yaml *reading, const yaml_node_t *key,
                     const struct fth_sim_graph *graph, struct fth_sim_graph_link *link)
{
    static const char between[] = " - ";
    const char *name = fth_yaml_text(key), *middle = strstr(name, between);
    if (!middle)
        return fth_yaml_fail(reading, key, "links are like 'left - right', not", name);
    const char *other = middle + strlen(between);
    link->one = find_switch(graph, name, (size_t)(middle - name));
    link->other = find_switch(graph, other, strlen(other));
    if (link->one == graph->switch_count || link->other == graph->switch_count)
        return fth_yaml_fail(reading, key, "one of its ends is not a switch:", name);
    if (link->one == link->other)
        return fth_yaml_fail(reading, key, "both of its ends are the same:", name);
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const struct fth_sim_graph_link *before = &graph->links[i];
        if ((before->one == link->one && before->other == link->other) ||
            (before->one == link->other && before->other == link->one))
            return fth_yaml_fail(reading, key, "there is a link between them already:", name);
    }
    return 0;
}

static int take_link(const struct fth_yaml *reading, const yaml_node_t *key,
                     const yaml_node_t *value, void *target)
{
    struct graph_reading *read = target;
    struct fth_sim_graph *graph = read->graph;
    struct fth_sim_graph_link link = {.part.speed = read->cluster->hub_edge.speed};
    const char *name = fth_yaml_text(key);
    if (read_ends(reading, key, graph, &link) ||
        fth_yaml_each(reading, value, name, fth_yaml_speed, &link.part.speed))
        return -1;
    if (!link.part.speed.throughput)
        return fth_yaml_fail(reading, key,
                             "neither this link nor 'switch edge' has a throughput:", name);
    link.part.name = copy_of(name);
    FTH_GROW(graph->links, graph->link_count);
    graph->links[graph->link_count++] = link;
    read->above[root_of(read->above, link.one)] = root_of(read->above, link.other);
    return 0;
}

static int check_connected(const struct fth_yaml *reading, const struct graph_reading *read)
{
    const struct fth_sim_graph_switch *switches = read->graph->switches;
    char text[128];
    for (uint32_t i = 1; i < read->graph->switch_count; i++) {
        if (root_of(read->above, i) == root_of(read->above, 0))
            continue;
        snprintf(text, sizeof text, "the network is not connected: no links lead from '%.40s' to",
                 switches[0].part.name);
        return fth_yaml_fail(reading, read->places[i], text, switches[i].part.name);
    }
    return 0;
}

int fth_yaml_graph(const struct fth_yaml *reading, const yaml_node_t *switches,
                   const yaml_node_t *links, struct fth_sim_cluster *cluster)
{
    struct fth_sim_graph *graph = fth_new(1, sizeof *graph);
    struct graph_reading read = {cluster, graph, NULL, NULL};
    cluster->shape.graph = graph;
    int result = fth_yaml_each(reading, switches, "switches", take_switch, &read);
    if (!result && links)
        result = fth_yaml_each(reading, links, "links", take_link, &read);
    if (!result)
        result = check_connected(reading, &read);
    free(read.places);
    free(read.above);
    return result;
}

#endif
