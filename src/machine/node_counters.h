/* The counters of a node: each function takes the text of one file of the kernel. */
#ifndef FTH_MACHINE_NODE_COUNTERS_H
#define FTH_MACHINE_NODE_COUNTERS_H

#include "machine/reading.h"

void fth_node_cpus(const char *stat, const struct fth_taker *taker);       /* /proc/stat */
void fth_node_load(const char *loadavg, const struct fth_taker *taker);    /* /proc/loadavg */
void fth_node_memory(const char *meminfo, const struct fth_taker *taker);  /* /proc/meminfo */
void fth_node_swapping(const char *vmstat, const struct fth_taker *taker); /* /proc/vmstat */
/* /proc/diskstats; those that `is_disk` says are disks, and not parts of one. */
void fth_node_disks(const char *diskstats, bool (*is_disk)(const char *name),
                    const struct fth_taker *taker);
void fth_node_network(const char *dev, const struct fth_taker *taker); /* /proc/net/dev */
void fth_node_nfs(const char *nfs, const struct fth_taker *taker);     /* /proc/net/rpc/nfs */
/* /proc/self/mountstats: bytes that each mount of NFS moved. */
void fth_node_nfs_mounts(const char *mountstats, const struct fth_taker *taker);
/* .../llite/INSTANCE/stats of a client of Lustre. */
void fth_node_lustre(const char *stats, const char *instance, const struct fth_taker *taker);

#endif
