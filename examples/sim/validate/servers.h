/* Clusters with servers of files, and programs that only access one file. */
#ifndef FATHOM_VALIDATE_SERVERS_H
#define FATHOM_VALIDATE_SERVERS_H

#include "sim/run/run.h"

enum { KI = 1024, MI = KI * KI };

/* Each process accesses `calls` times `parts` records of so many bytes, those of all processes one
 * behind the other; or, at random, records of so many as there are. */
struct accesses {
    enum fth_sim_verb verb;
    uint64_t calls, parts, record;
    bool at_random; /* then `parts` is 1 */
    bool opens;     /* the file, before: rank 0 tells the others of it, as MPICH does */
};

struct outcome {
    double seconds, ends; /* all of it, with what caches write at last; processes */
    uint64_t events;
};

struct outcome simulate_accesses(const struct fth_sim_cluster *cluster, uint32_t clients,
                                 const struct accesses *accesses);

/* The reference cluster with so many nodes for processes, and so many servers. False: it cannot be
 * read. */
bool cluster_with_servers(struct fth_sim_cluster *cluster, const char *cache, uint32_t nodes,
                          uint32_t servers);

/* Instead of disks what is as fast as memory: 2000 MiB/s, at once. */
void put_in_memory(struct fth_sim_cluster *cluster);

#endif
