/* Single messages through the network of the reference cluster, without a process or a command:
 * from socket to socket and from node to node, in packets of three sizes. Held against a model of
 * the same rules by somebody else, and the closed form latency + size / throughput. */
#include "case.h"

#include "sim/plan/cluster.h"
#include "sim/network/network.h"

#include <stdio.h>
#include <stdlib.h>

enum { KI = 1024, MI = KI * KI };

static struct fth_sim_cluster pvs;

static void ignore(void *user, struct fth_sim_message *message)
{
    (void)user;
    (void)message;
}
static const struct fth_sim_network_user nobody = {
    .left = ignore, .announced = ignore, .arrived = ignore};

enum place { IN_SOCKET, IN_NODE, BETWEEN_NODES };

static uint32_t part(struct fth_sim_network *network, const struct fth_sim_part *part)
{
    return fth_sim_network_node(network, part->name, FTH_SIM_NODE, &part->speed);
}

/* Two NICs as far from each other as `place` says; one of those at the ends of `nics`. */
static struct fth_sim_network *build(struct fth_sim_engine *engine, enum place place,
                                     uint64_t packet, uint32_t nics[2])
{
    struct fth_sim_network *network = fth_sim_network_new(engine, packet, pvs.overhead, &nobody);
    fth_sim_network_frame(network, pvs.frame);
    uint32_t hub = part(network, &pvs.hub), nodes[2], sockets[2];
    for (int i = 0; i < 2; i++) {
        nodes[i] = i && place < BETWEEN_NODES ? nodes[0] : part(network, &pvs.node);
        if (!i || nodes[1] != nodes[0])
            fth_sim_network_link(network, "node edge", nodes[i], hub, &pvs.node_edge.speed);
        sockets[i] = i && place == IN_SOCKET ? sockets[0] : part(network, &pvs.socket);
        if (!i || sockets[1] != sockets[0])
            fth_sim_network_link(network, "socket edge", sockets[i], nodes[i],
                                 &pvs.socket_edge.speed);
        nics[i] = fth_sim_network_node(network, "NIC", FTH_SIM_NIC, &pvs.nic.speed);
        fth_sim_network_link(network, "NIC edge", nics[i], sockets[i], &pvs.nic_edge.speed);
    }
    fth_sim_network_connect(network, NULL);
    return network;
}

/* How long a message is on its way, in seconds. */
static double one_way(enum place place, uint64_t packet, uint64_t bytes)
{
    struct fth_sim_engine engine = {0};
    uint32_t nics[2];
    struct fth_sim_network *network = build(&engine, place, packet, nics);
    struct fth_sim_message message = {.bytes = bytes};
    fth_sim_network_send(network, nics[0], nics[1], &message);
    fth_sim_engine_run(&engine);
    double seconds = (double)engine.now * 1e-9;
    fth_sim_network_free(network);
    fth_sim_engine_free(&engine);
    return seconds;
}

/* Times are full nanoseconds here, in each of up to 13 components, us. */
#define TRUNCATED 0.0045

void validate_paths(void)
{
    enum { SIZES = 7 };
    static const uint64_t sizes[SIZES] = {512, 4 * KI, 16 * KI, 128 * KI, MI, 4 * MI, 128 * MI};
    static const struct {
        const char *name;
        enum place place;
        uint64_t packet;
        double empty, rates[SIZES]; /* us, MiB/s */
    } rows[] = {
        {"socket", IN_SOCKET, 512, 0.188, {891, 2690, 3433, 3734, 3775, 3780, 3781}},
        {"socket", IN_SOCKET, 5 * KI, 0.188, {845, 1183, 2295, 3493, 3742, 3772, 3781}},
        {"socket", IN_SOCKET, 100 * KI, 0.188, {845, 1183, 1236, 1496, 3176, 3604, 3775}},
        {"node", IN_NODE, 512, 0.302, {442, 1858, 2829, 3339, 3416, 3424, 3427}},
        {"node", IN_NODE, 100 * KI, 0.302, {416, 538, 555, 695, 2298, 3051, 3414}},
        {"nodes", BETWEEN_NODES, 512, 41.33, {8.9, 38.2, 58.9, 70.0, 71.7, 71.8, 71.9}},
        {"nodes", BETWEEN_NODES, 5 * KI, 41.33, {8.7, 24.8, 47.1, 67.4, 71.3, 71.8, 71.9}},
        {"nodes", BETWEEN_NODES, 100 * KI, 41.33, {8.7, 24.8, 30.9, 38.4, 64.8, 69.9, 71.8}},
    };
    if (!fth_sim_reads_clusters || fth_sim_cluster_read(&pvs, reference_cluster, NULL))
        return; /* messages.c says so */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char id[64];
        snprintf(id, sizeof id, "path/%s/%llu/empty", rows[i].name,
                 (unsigned long long)rows[i].packet);
        compare(id, "an empty message: us", REFERENCE_MODEL, rows[i].empty,
                one_way(rows[i].place, rows[i].packet, 0) * 1e6, TRUNCATED);
        for (int j = 0; j < SIZES; j++) {
            snprintf(id, sizeof id, "path/%s/%llu/%llu", rows[i].name,
                     (unsigned long long)rows[i].packet, (unsigned long long)sizes[j]);
            double mebibytes = (double)sizes[j] / MI;
            compare(id, "a message, by bytes of a packet and of itself: MiB/s", REFERENCE_MODEL,
                    rows[i].rates[j], mebibytes / one_way(rows[i].place, rows[i].packet, sizes[j]),
                    0.01 * rows[i].rates[j]);
        }
    }
    double once = one_way(BETWEEN_NODES, 512, 128 * MI);
    pvs.overhead = 0;
    pvs.frame = 40;
    compare("path/nodes/512/frames", "128 MiB, what 40 B in each packet cost more: %",
            THESIS "section 7.5.1", 7.8, (one_way(BETWEEN_NODES, 512, 128 * MI) / once - 1) * 100,
            0.1);
}
