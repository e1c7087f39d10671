/* Nodes of a cluster, and how processes fill them. */
#ifndef FTH_SIM_PLAN_NODES_H
#define FTH_SIM_PLAN_NODES_H

#include "sim/plan/cluster.h"

/* How many processes a node takes when nodes are filled one after the other: one for each core, or
 * more where all have too few. */
struct fth_sim_filling {
    uint64_t least;
    uint32_t used;
};

struct fth_sim_filling fth_sim_fill(const struct fth_sim_cluster *cluster, uint32_t ranks);
struct fth_sim_kind_of_node fth_sim_kind_of(const struct fth_sim_cluster *cluster, uint32_t node);
/* Of all its sockets. */
uint64_t fth_sim_cores_of(const struct fth_sim_cluster *cluster, uint32_t node);
/* How many nodes so many processes are put on, and the servers that share nodes with them. */
uint32_t fth_sim_nodes_used(const struct fth_sim_cluster *cluster, uint32_t ranks);

#endif
