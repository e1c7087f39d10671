/* Bins that grow with what is in them: 0, 1, 2 ... and then each a given percentage above the one
 * before. A number that is rounded down to its bin, or up to the next one, is off by less than that
 * percentage; small ones are exact. */
#ifndef FTH_TRACE_COLUMNS_VALUE_BINS_H
#define FTH_TRACE_COLUMNS_VALUE_BINS_H

#include <stdint.h>

struct fth_bins {
    uint64_t *values; /* least of each bin, in order */
    uint32_t count;
};
void fth_bins_init(struct fth_bins *bins, unsigned percent);
void fth_bins_free(struct fth_bins *bins);
/* The bin that the value is in. O(log bins). */
uint32_t fth_bin_of(const struct fth_bins *bins, uint64_t value);

#endif
