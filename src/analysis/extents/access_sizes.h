/* How large accesses are: counts in powers of two, and the size that most of them have, if there is
 * one. Inner header of the analysis room. */
#ifndef FTH_ANALYSIS_ACCESS_SIZES_H
#define FTH_ANALYSIS_ACCESS_SIZES_H

#include "base/phrase.h"

#include <stdint.h>

/* All zero: none. Most files are accessed in few sizes, so only bins from the first to the last
 * that are in use are kept. Bin 0: no bytes; bin k: at least 2^(k-1) and fewer than 2^k bytes. */
struct fth_sizes {
    uint64_t *bins;
    uint8_t first, behind; /* bins[0] is bin `first`; first == behind: there is none */
    /* The only size that more than half of them can have (Boyer and Moore 1981): each access with
     * another size takes a vote from it, and without votes the next one takes its place. */
    uint64_t usual, votes;
    uint64_t seen; /* with that size, since it took its place */
    uint64_t largest;
};

/* Makes room for a bin. */
void fth_sizes_reach(struct fth_sizes *sizes, int bin);
/* So many of so many bytes. */
static inline void fth_sizes_add(struct fth_sizes *sizes, uint64_t bytes, uint64_t count)
{
    int bin = bytes ? 64 - __builtin_clzll(bytes) : 0;
    if (bin < sizes->first || bin >= sizes->behind)
        fth_sizes_reach(sizes, bin);
    sizes->bins[bin - sizes->first] += count;
    sizes->largest = bytes > sizes->largest ? bytes : sizes->largest;
    if (bytes == sizes->usual) {
        sizes->votes += count;
        sizes->seen += count;
    } else if (count <= sizes->votes) {
        sizes->votes -= count;
    } else {
        sizes->usual = bytes;
        sizes->votes = sizes->seen = count - sizes->votes;
    }
}
/* The least size that is in this bin, 0 to 64. */
uint64_t fth_sizes_edge(int bin);
void fth_sizes_merge(struct fth_sizes *sizes, const struct fth_sizes *more);
void fth_sizes_free(struct fth_sizes *sizes);
/* The size of the middle one: exact where more than half have it, else at most twice too small (the
 * lower edge of its bin). */
uint64_t fth_sizes_median(const struct fth_sizes *sizes);
/* "of 640 B", "mostly of 640 B" (more than half are), "mostly of 512 B to 4.00 KiB" (four fifths
 * lie between), "of many sizes (half below 1.00 KiB)" (they lie far apart). */
struct fth_phrase fth_sizes_phrase(const struct fth_sizes *sizes);

/* How fast large accesses were, to know what small ones could have been. */
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
