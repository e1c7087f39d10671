/* Bytes of files, as programs name them and as they lie on servers. A command accesses one range,
 * or many: by a rule, or as a list. */
#ifndef FTH_SIM_RANGES_H
#define FTH_SIM_RANGES_H

#include <stdint.h>

struct fth_sim_extent {
    uint64_t offset, bytes;
};

/* `count` ranges of `bytes` each, `stride` from the begin of one to that of the next; or a list of
 * `count`. Ascending, and none touches another's bytes. */
struct fth_sim_ranges {
    uint64_t offset, bytes, stride, count;
    const struct fth_sim_extent *list;
};

struct fth_sim_extent fth_sim_range(const struct fth_sim_ranges *ranges, uint64_t index);
uint64_t fth_sim_ranges_total(const struct fth_sim_ranges *ranges);
/* How many of their bytes are in [from, to). */
uint64_t fth_sim_ranges_between(const struct fth_sim_ranges *ranges, uint64_t from, uint64_t to);
/* The first of them that ends behind `from`; as many as there are when none does. */
uint64_t fth_sim_ranges_first(const struct fth_sim_ranges *ranges, uint64_t from);
/* From the first byte to the last one. */
struct fth_sim_extent fth_sim_ranges_hull(const struct fth_sim_ranges *ranges);

/* A file's bytes go to servers in turn, `stripe` of them at a time. */
struct fth_sim_layout {
    uint64_t stripe;
    uint32_t servers; /* that it is on */
    uint32_t first;   /* which has its first byte */
};

/* How many of the bytes before `offset` are on the file's server of that index, 0 for the one with
 * its first byte: so where they are in there. */
uint64_t fth_sim_layout_before(const struct fth_sim_layout *layout, uint32_t index,
                               uint64_t offset);

#endif
