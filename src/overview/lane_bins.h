/* Inner header: bins of one lane while its calls come. */
#ifndef FTH_OVERVIEW_LANE_BINS_H
#define FTH_OVERVIEW_LANE_BINS_H

#include "overview/overview.h"

/* What bins divide, the same for all lanes. */
struct fth_overview_axis {
    int64_t begin, width; /* ns; of each bin, 1 or more */
    uint32_t bin_count;
    /* of a part of the run: what is before it and behind it does not count; else the first bin and
     * the last one take it */
    bool clips;
};

struct fth_overview_lane_bins {
    const struct fth_overview_axis *axis;
    struct fth_overview_bin **pieces; /* NULL: nothing came yet */
};

/* A call of this lane begins. */
void fth_overview_count(struct fth_overview_lane_bins *bins, int64_t start, int64_t end);
/* It is inside no other one of the lane, and moved[0] bytes were read, moved[1] written. */
void fth_overview_put(struct fth_overview_lane_bins *bins, int64_t start, int64_t end,
                      const uint64_t moved[2]);
/* Adds what another lane had, with the same axis. */
void fth_overview_add(struct fth_overview_lane_bins *bins, const struct fth_overview_lane *lane);
/* Gives the lane what is not empty, and frees the bins. */
void fth_overview_collect(struct fth_overview_lane_bins *bins, struct fth_overview_lane *lane);

#endif
