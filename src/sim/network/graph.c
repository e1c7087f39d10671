/* Graphs of switches: see the header. Ways through them are the shortest ones (routes.c). */
#include "sim/network/graph.h"

#include "base/memory.h"

void fth_sim_graph_free(struct fth_sim_graph *graph)
{
    if (!graph)
        return;
    for (uint32_t i = 0; i < graph->switch_count; i++)
        free((char *)(uintptr_t)graph->switches[i].part.name);
    for (uint32_t i = 0; i < graph->link_count; i++)
        free((char *)(uintptr_t)graph->links[i].part.name);
    free(graph->switches);
    free(graph->links);
    free(graph);
}

uint32_t fth_sim_graph_room(const struct fth_sim_graph *graph)
{
    if (!graph->switch_count)
        return 0;
    const struct fth_sim_graph_switch *last = &graph->switches[graph->switch_count - 1];
    return last->first + last->nodes;
}

uint32_t fth_sim_graph_build(const struct fth_sim_graph *graph, struct fth_sim_network *network)
{
    uint32_t base = 0;
    for (uint32_t i = 0; i < graph->switch_count; i++) {
        const struct fth_sim_part *part = &graph->switches[i].part;
        uint32_t node = fth_sim_network_node(network, part->name, FTH_SIM_NODE, &part->speed);
        if (!i)
            base = node;
    }
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const struct fth_sim_graph_link *link = &graph->links[i];
        fth_sim_network_link(network, link->part.name, base + link->one, base + link->other,
                             &link->part.speed);
    }
    return base;
}

uint32_t fth_sim_graph_switch_of(const struct fth_sim_graph *graph, uint32_t node)
{
    uint32_t low = 0, high = graph->switch_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (graph->switches[middle].first <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}
