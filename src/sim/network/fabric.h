/* Fabrics: how the switches of a cluster are connected with each other, for fat trees, tori,
 * dragonflies, and graphs. All but the last are built, and ways through them found, without
 * tables. */
#ifndef FTH_SIM_NETWORK_FABRIC_H
#define FTH_SIM_NETWORK_FABRIC_H

#include "sim/network/network.h"

/* A part of a network, and what reports call it. */
struct fth_sim_part {
    const char *name;
    struct fth_sim_speed speed;
};

enum fth_sim_topology {
    FTH_SIM_STAR,
    FTH_SIM_FAT_TREE,
    FTH_SIM_TORUS,
    FTH_SIM_DRAGONFLY,
    FTH_SIM_GRAPH
};
struct fth_sim_graph; /* graph.h */

enum { FTH_SIM_DIMENSIONS = 8 };

struct fth_sim_shape {
    enum fth_sim_topology topology;
    /* Fat trees: how many a switch of each level has below it, the lowest level first, and how many
     * above. Tori: switches along each dimension. Dragonflies: groups, and switches in each. */
    uint32_t levels, down[FTH_SIM_DIMENSIONS], up[FTH_SIM_DIMENSIONS];
    uint32_t hosts; /* nodes at each switch of tori and dragonflies */
    uint32_t far;   /* links of each switch of a dragonfly to other groups */
    struct fth_sim_graph *graph;
};

/* For how many nodes there is room; 0: the shape is impossible, *error says why. */
uint64_t fth_sim_shape_room(const struct fth_sim_shape *shape, struct fth_error **error);

struct fth_sim_fabric;

/* Adds the switches of a shape that has room, and the links between them, to a network, and becomes
 * its guide; `far` is for links between the groups of a dragonfly. */
struct fth_sim_fabric *fth_sim_fabric_new(struct fth_sim_network *network,
                                          const struct fth_sim_shape *shape,
                                          const struct fth_sim_part *hub,
                                          const struct fth_sim_part *edge,
                                          const struct fth_sim_part *far);
void fth_sim_fabric_free(struct fth_sim_fabric *fabric);

/* The switch at which a node of the cluster hangs. */
uint32_t fth_sim_fabric_switch(const struct fth_sim_fabric *fabric, uint32_t node);

#endif
