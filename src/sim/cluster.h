/* The parameters of a cluster: nodes with sockets and cores, and a network. What they do is in other files; this is what a
 * configuration says (docs/fathom-simulate.1.md). */
#ifndef FTH_SIM_CLUSTER_H
#define FTH_SIM_CLUSTER_H

#include "sim/disk.h"
#include "sim/method.h"
#include "sim/network.h"

/* A part of a network, and what reports call it. */
struct fth_sim_part {
    const char *name;
    struct fth_sim_speed speed;
};

struct fth_sim_cluster {
    char name[64];
    uint32_t nodes, sockets; /* sockets per node */
    uint32_t cores;          /* per socket; 0: as many as processes are put there */
    uint64_t instructions;   /* per second and core */
    uint64_t packet, overhead;
    /* A star: NIC - socket - node - switch, with edges between them. */
    struct fth_sim_part nic, nic_edge, socket, socket_edge, node, node_edge, hub;
    uint64_t eager;             /* messages up to this size are sent without asking */
    uint64_t step_instructions; /* what a step of a command costs */
    const struct fth_sim_disk_model *disk_model; /* of each node; NULL: it has none */
    struct fth_sim_disk_speed disk;
    const struct fth_sim_method *methods[FTH_SIM_VERBS]; /* NULL: the one that is usual */
};

/* Whether clusters can be read (it takes libyaml). */
extern const bool fth_sim_reads_clusters;

/* Reads a cluster from a file. What is wrong is told with its line and column. -1: *error is set. */
int fth_sim_cluster_read(struct fth_sim_cluster *cluster, const char *path,
                         struct fth_error **error);

#endif
