/* Bins that grow: see value_bins.h. */
#include "trace/columns/value_bins.h"

#include "base/memory.h"

void fth_bins_init(struct fth_bins *bins, unsigned percent)
{
    *bins = (struct fth_bins){0};
    for (uint64_t value = 0; value < UINT64_MAX / 2;) {
        FTH_GROW(bins->values, bins->count);
        bins->values[bins->count++] = value;
        uint64_t step = value / 100 * percent + value % 100 * percent / 100;
        value += step ? step : 1;
    }
}

void fth_bins_free(struct fth_bins *bins)
{
    free(bins->values);
    *bins = (struct fth_bins){0};
}

uint32_t fth_bin_of(const struct fth_bins *bins, uint64_t value)
{
    uint32_t low = 0, high = bins->count; /* it is in one of [low, high) */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (bins->values[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}
