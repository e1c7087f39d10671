/* What a simulated run used, resource by resource. */
#ifndef FTH_SIM_RESULTS_RESOURCES_H
#define FTH_SIM_RESULTS_RESOURCES_H

#include "sim/run/run.h"

enum fth_sim_resource_kind { FTH_SIM_PROCESSORS, FTH_SIM_NETWORK, FTH_SIM_DISK };

struct fth_sim_resource {
    const char *name; /* "node edge", "disk of server 3"; lives as long as the call */
    enum fth_sim_resource_kind kind;
    /* ns that it has to work: with everything else infinitely fast the run would take that. Of
     * processors of a node: when they share their work evenly. */
    int64_t busy;
    uint64_t operations, bytes; /* packets, or operations of the disk; of processors none */
    /* Operations that waited for it, on average and at most; of processors, and of disks of burst
     * buffers, not known: 0. */
    double queue;
    uint64_t longest_queue;
};

/* Calls `found` with the processors of each node, each part of the network, each disk of servers
 * and burst buffers. After the run. */
void fth_sim_each_resource(const struct fth_sim_world *world,
                           void (*found)(void *context, const struct fth_sim_resource *resource),
                           void *context);

/* What is busy for the longest time, the first of them: its name, and how long. 0: nothing was. */
int64_t fth_sim_busiest(const struct fth_sim_world *world, char *name, size_t size);

#endif
