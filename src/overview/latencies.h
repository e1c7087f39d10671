/* Inner header: how long calls took in each part of the run, by layer. */
#ifndef FTH_OVERVIEW_LATENCIES_H
#define FTH_OVERVIEW_LATENCIES_H

#include "overview/lane_bins.h"

/* All zero but for `axis` and `layer_count`: no calls yet. */
struct fth_overview_latencies {
    const struct fth_overview_axis *axis; /* of the parts */
    size_t layer_count;
    /* by layer, then by part: FTH_VALUE_CLASSES classes of ns, of the calls that began in it; NULL:
     * none */
    uint64_t **classes;
};

void fth_overview_took(struct fth_overview_latencies *latencies, uint16_t layer, int64_t start,
                       int64_t duration);
/* Adds *from, and frees it. */
void fth_overview_latencies_merge(struct fth_overview_latencies *into,
                                  struct fth_overview_latencies *from);
void fth_overview_latencies_free(struct fth_overview_latencies *latencies);

#endif
