/* How long an access takes on a cluster, by the simulator, in each way that it can be made. Inner
 * header of the room gen. */
#ifndef FTH_GEN_SIMULATE_ACCESS_H
#define FTH_GEN_SIMULATE_ACCESS_H

#include "gen/choose/pattern.h"

enum fth_gen_way {
    FTH_GEN_EACH_RANGE,   /* independent: a request for each run */
    FTH_GEN_DATA_SIEVING, /* independent: from the first to the last byte */
    FTH_GEN_TWO_PHASES,   /* collective */
    FTH_GEN_WAYS
};

struct fth_cluster;
struct fth_gen_clusters {
    const char *path; /* NULL: there is none */
    struct fth_cluster *ways[FTH_GEN_WAYS];
};

/* Reads a cluster of `fathom simulate`. -1: *error is set. fth_gen_clusters_close either way. */
int fth_gen_clusters_open(struct fth_gen_clusters *clusters, const char *path,
                          struct fth_error **error);
void fth_gen_clusters_close(struct fth_gen_clusters *clusters);
/* Simulates the access in each way: `ends` in ns. 1: done; 0: its runs are not known, or too many;
 * -1: *error is set, as the cluster has too few processors. */
int fth_gen_simulate_access(const struct fth_gen_clusters *clusters, struct fth_gen_model *model,
                            const struct fth_gen_access *access, int64_t processes,
                            int64_t ends[static FTH_GEN_WAYS], struct fth_error **error);

#endif
