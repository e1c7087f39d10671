/* How large accesses are: counts in powers of two. Inner header of the analysis room. */
#ifndef FTH_ANALYSIS_SIZES_H
#define FTH_ANALYSIS_SIZES_H

#include <stdint.h>

struct fth_sizes {
    uint64_t bins[65]; /* [0]: no bytes; [k]: at least 2^(k-1) and fewer than 2^k bytes */
};

static inline void fth_sizes_add(struct fth_sizes *sizes, uint64_t bytes)
{
    sizes->bins[bytes ? 64 - __builtin_clzll(bytes) : 0]++;
}
void fth_sizes_merge(struct fth_sizes *sizes, const struct fth_sizes *more);
/* At most twice too small: the lower edge of the bin that the middle one is in. */
uint64_t fth_sizes_median(const struct fth_sizes *sizes);

/* How fast large accesses were, to tell what small ones could have been. */
struct fth_speed {
    uint64_t bytes;
    int64_t time;
};
enum { FTH_LARGE = 1 << 18 };
void fth_speed_of_large(struct fth_speed *best, uint64_t bytes, int64_t time);
/* Of one access, or of many. */
static inline void fth_speed_add(struct fth_speed *best, uint64_t bytes, int64_t time)
{
    if (bytes >= FTH_LARGE)
        fth_speed_of_large(best, bytes, time);
}
/* ns that so many bytes take at that speed; without one, at 4 GiB/s. */
int64_t fth_speed_time(const struct fth_speed *best, uint64_t bytes);

#endif
