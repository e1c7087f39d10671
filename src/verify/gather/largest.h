/* The largest of any values that stand in a row: a tree of them. Inner header of the verify
 * room. */
#ifndef FTH_VERIFY_GATHER_LARGEST_H
#define FTH_VERIFY_GATHER_LARGEST_H

#include <stddef.h>
#include <stdint.h>

struct fth_largest {
    uint64_t *tree; /* node i has the larger one of nodes 2 i and 2 i + 1; values from `room` on */
    size_t count, room;
};

/* Room for so many values; fth_largest_put fills it in before fth_largest_settle. */
struct fth_largest fth_largest_new(size_t count);
void fth_largest_free(struct fth_largest *largest);
static inline void fth_largest_put(struct fth_largest *largest, size_t at, uint64_t value)
{
    largest->tree[largest->room + at] = value;
}
/* All values are there. */
void fth_largest_settle(struct fth_largest *largest);

/* Of values [from, to); 0: there is none. */
uint64_t fth_largest_in(const struct fth_largest *largest, size_t from, size_t to);
/* Place of the first value, from `from` on, that is larger than `than`; `count`: none is. */
size_t fth_largest_first(const struct fth_largest *largest, size_t from, uint64_t than);

#endif
