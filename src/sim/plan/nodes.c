/* Nodes of a cluster, and how processes fill them. */
#include "sim/plan/nodes.h"

struct fth_sim_kind_of_node fth_sim_kind_of(const struct fth_sim_cluster *cluster, uint32_t node)
{
    for (uint32_t i = 0; i < cluster->kind_count; i++)
        if (node <= cluster->kinds[i].last)
            return cluster->kinds[i];
    return (struct fth_sim_kind_of_node){cluster->nodes, cluster->sockets, cluster->cores,
                                         cluster->instructions};
}

uint64_t fth_sim_cores_of(const struct fth_sim_cluster *cluster, uint32_t node)
{
    struct fth_sim_kind_of_node kind = fth_sim_kind_of(cluster, node);
    return kind.cores ? (uint64_t)kind.cores * kind.sockets : 1;
}

struct fth_sim_filling fth_sim_fill(const struct fth_sim_cluster *cluster, uint32_t ranks)
{
    uint64_t room = 0;
    uint32_t node = 0;
    while (node < cluster->nodes && room < ranks)
        room += fth_sim_cores_of(cluster, node++);
    if (room >= ranks)
        return (struct fth_sim_filling){1, node};
    return (struct fth_sim_filling){(ranks + (uint64_t)cluster->nodes - 1) / cluster->nodes,
                            cluster->nodes};
}

uint32_t fth_sim_nodes_used(const struct fth_sim_cluster *cluster, uint32_t ranks)
{
    uint32_t used = cluster->in_blocks ? fth_sim_fill(cluster, ranks).used : ranks;
    uint32_t shared = cluster->servers.count - cluster->servers.apart;
    if (cluster->servers.shared && shared > used)
        used = shared;
    return used < cluster->nodes ? used : cluster->nodes;
}
