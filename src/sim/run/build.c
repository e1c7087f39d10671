/* Puts processes on the nodes of a cluster, and builds its network: processes at sockets, sockets
 * at nodes, nodes at switches. */
#include "sim/io/storage.h"
#include "sim/io/buffers.h"
#include "sim/plan/nodes.h"
#include "sim/run/run.h"
#include "sim/world/world.h"

#include "base/memory.h"

/* Ranks go round the nodes, or fill them one after the other; those of a node go round its sockets.
 * Notes how many each node has. */
static void place(struct fth_sim_world *world, uint32_t *counts)
{
    const struct fth_sim_cluster *cluster = world->cluster;
    struct fth_sim_filling filling = fth_sim_fill(cluster, world->program->ranks);
    for (uint32_t rank = 0, node = 0; rank < world->program->ranks; rank++) {
        struct fth_sim_process *process = &world->processes[rank];
        if (!cluster->in_blocks) {
            node = rank % world->node_count;
        } else {
            uint64_t most = fth_sim_cores_of(cluster, node);
            node += counts[node] >= (most > filling.least ? most : filling.least);
        }
        process->processor = &world->processors[node];
        if (cluster->instance.per_node)
            process->server =
                node + world->node_count * (counts[node] % cluster->instance.per_node);
        process->socket = counts[node]++ % fth_sim_kind_of(cluster, node).sockets;
    }
    for (uint32_t i = 0; i < world->node_count; i++) {
        struct fth_sim_kind_of_node kind = fth_sim_kind_of(cluster, i);
        uint32_t cores = kind.cores ? kind.cores * kind.sockets : counts[i];
        fth_sim_processor_init(&world->processors[i], &world->engine, cores ? cores : 1,
                               kind.instructions);
        world->processors[i].processes = counts[i] + cluster->instance.per_node;
    }
}

/* A part of the network, and the edge that leads from it up to another one. Without a name there is
 * none: what would hang there hangs at the other one. */
static uint32_t add_part(struct fth_sim_network *network, const struct fth_sim_part *part,
                         const struct fth_sim_part *edge, enum fth_sim_kind kind, uint32_t above)
{
    if (!part->name)
        return above;
    uint32_t node = fth_sim_network_node(network, part->name, kind, &part->speed);
    fth_sim_network_link(network, edge->name, node, above, &edge->speed);
    return node;
}

/* Sockets are there as far as processes are; servers on nodes of processes are at the first one. */
static uint32_t sockets_used(const struct fth_sim_world *world, uint32_t node,
                             const uint32_t *counts)
{
    uint32_t sockets = fth_sim_kind_of(world->cluster, node).sockets;
    uint32_t count = node < world->node_count ? counts[node] : 0;
    return count < 1 ? 1 : count < sockets ? count : sockets;
}

void fth_sim_build(struct fth_sim_world *world)
{
    const struct fth_sim_cluster *cluster = world->cluster;
    struct fth_sim_network *network = world->network;
    uint32_t servers = world->storage ? world->storage->server_count : 0;
    uint32_t forwarders = world->storage ? world->storage->forwarder_count : 0;
    uint32_t apart = cluster->servers.shared ? cluster->servers.apart : servers;
    uint32_t with_servers = world->node_count + apart;
    uint32_t buffers = world->storage ? world->storage->buffer_count : 0;
    uint32_t with_forwarders = with_servers + forwarders;
    uint32_t nodes = with_forwarders + (cluster->buffers.local ? 0 : buffers);
    uint32_t *counts = fth_new(world->node_count, sizeof *counts);
    uint32_t **sockets = fth_new(nodes, sizeof *sockets);
    place(world, counts);
    if (cluster->is_analytical)
        fth_sim_network_simplify(network);
    world->fabric =
        fth_sim_fabric_new(network, &cluster->shape, &cluster->hub, &cluster->hub_edge,
                           cluster->far_edge.name ? &cluster->far_edge : &cluster->hub_edge);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t node = add_part(network, &cluster->node, &cluster->node_edge, FTH_SIM_NODE,
                                 fth_sim_fabric_switch(world->fabric, i));
        uint32_t used = sockets_used(world, i, counts);
        sockets[i] = fth_new(used, sizeof **sockets);
        for (uint32_t j = 0; j < used; j++)
            sockets[i][j] =
                add_part(network, &cluster->socket, &cluster->socket_edge, FTH_SIM_NODE, node);
    }
    for (uint32_t rank = 0; rank < world->program->ranks; rank++) {
        struct fth_sim_process *process = &world->processes[rank];
        uint32_t node = (uint32_t)(process->processor - world->processors);
        process->nic = add_part(network, &cluster->nic, &cluster->nic_edge, FTH_SIM_NIC,
                                sockets[node][process->socket]);
    }
    for (uint32_t i = 0; i < servers; i++) {
        uint32_t shared = servers - apart;
        uint32_t node = i < shared ? i % world->node_count : world->node_count + i - shared;
        world->storage->servers[i].node = node;
        world->storage->servers[i].nic =
            add_part(network, &cluster->nic, &cluster->nic_edge, FTH_SIM_NIC, sockets[node][0]);
    }
    for (uint32_t i = 0; i < forwarders; i++)
        world->storage->forwarders[i] = add_part(network, &cluster->nic, &cluster->nic_edge,
                                                 FTH_SIM_NIC, sockets[with_servers + i][0]);
    for (uint32_t i = 0; i < buffers; i++)
        world->storage->buffers[i].nic = add_part(
            network, &cluster->nic, &cluster->nic_edge, FTH_SIM_NIC,
            sockets[cluster->buffers.local ? i % world->node_count : with_forwarders + i][0]);
    for (uint32_t i = 0; world->storage && i < world->storage->index.count; i++)
        world->storage->index.servers[i] =
            (struct fth_sim_index_server){.nic = world->storage->buffers[i].nic,
                                          .node = i % world->node_count,
                                          .processor = &world->processors[i % world->node_count]};
    for (uint32_t i = 0; i < nodes; i++)
        free(sockets[i]);
    free(sockets);
    free(counts);
}
