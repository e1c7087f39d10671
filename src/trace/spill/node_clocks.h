/* How the ticks of processes become time: one clock per node, and the nodes' clocks brought
 * together. */
#ifndef FTH_TRACE_SPILL_NODE_CLOCKS_H
#define FTH_TRACE_SPILL_NODE_CLOCKS_H

#include "trace/spill/spill_files.h"

/* Turns CLOCK_MONOTONIC of a node into the time of the run: at + (moment - pivot) * (1 + slope), ns
 * since 1970. */
struct fth_node_clock {
    int64_t pivot, at;
    double slope;
};
int64_t fth_node_clock_time(const struct fth_node_clock *clock, int64_t moment);

struct fth_clock {
    int64_t start_realtime;       /* ns since 1970, at the process's start */
    uint64_t rate_ticks, rate_ns; /* so many ticks take so many ns */
    int64_t error; /* ns that it may be off the clock of rank 0's node; FTH_CLOCK_UNRELATED */
    struct fth_node_clock node;
};
enum { FTH_CLOCK_UNRELATED = -1 }; /* several nodes that never met: they go by the time of day */

/* One for each image; to be freed. O(images). */
struct fth_clock *fth_clocks_of(const struct fth_spill_image *images, size_t count);

#endif
