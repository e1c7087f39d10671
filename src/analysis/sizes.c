/* Sizes and speeds. */
#include "analysis/sizes.h"

void fth_sizes_merge(struct fth_sizes *sizes, const struct fth_sizes *more)
{
    for (int i = 0; i < 65; i++)
        sizes->bins[i] += more->bins[i];
}

uint64_t fth_sizes_median(const struct fth_sizes *sizes)
{
    uint64_t total = 0, seen = 0;
    for (int i = 0; i < 65; i++)
        total += sizes->bins[i];
    for (int i = 0; total && i < 65; i++) {
        seen += sizes->bins[i];
        if (2 * seen >= total)
            return i ? (uint64_t)1 << (i - 1) : 0;
    }
    return 0;
}

void fth_speed_of_large(struct fth_speed *best, uint64_t bytes, int64_t time)
{
    if (time <= 0)
        return;
    if (!best->time || (double)bytes / (double)time > (double)best->bytes / (double)best->time)
        *best = (struct fth_speed){bytes, time};
}

int64_t fth_speed_time(const struct fth_speed *best, uint64_t bytes)
{
    double speed = best->time ? (double)best->bytes / (double)best->time : 4.0 * (1 << 30) / 1e9;
    double time = (double)bytes / speed;
    return time < 9e18 ? (int64_t)time : INT64_MAX;
}
