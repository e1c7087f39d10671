/* Inner header of the sim room: switches and the links between them by name, connected as one
 * likes. */
#ifndef FTH_SIM_NETWORK_GRAPH_H
#define FTH_SIM_NETWORK_GRAPH_H

#include "sim/network/fabric.h"

/* A switch, and the nodes of the cluster that hang at it: `nodes` from `first` on. */
struct fth_sim_graph_switch {
    struct fth_sim_part part;
    uint32_t first, nodes;
};

struct fth_sim_graph_link {
    struct fth_sim_part part;
    uint32_t one, other; /* switches */
};

/* Names are its own. Switches are in the order of their nodes. */
struct fth_sim_graph {
    struct fth_sim_graph_switch *switches;
    struct fth_sim_graph_link *links;
    uint32_t switch_count, link_count;
};

void fth_sim_graph_free(struct fth_sim_graph *graph);

/* For how many nodes there is room. */
uint32_t fth_sim_graph_room(const struct fth_sim_graph *graph);

/* Adds all of it to a network, whose parts keep its names. Returns the first switch. */
uint32_t fth_sim_graph_build(const struct fth_sim_graph *graph, struct fth_sim_network *network);

/* The switch at which a node hangs, from 0; O(log switches). */
uint32_t fth_sim_graph_switch_of(const struct fth_sim_graph *graph, uint32_t node);

#endif
