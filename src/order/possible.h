/* Orders that may have been there, and could not be followed. Inner header of the order room. */
#ifndef FTH_ORDER_POSSIBLE_H
#define FTH_ORDER_POSSIBLE_H

#include "order/match/match.h"
#include "order/build/shared.h"

/* Clocks of all that certainly came before, and of what may have; NULL: that is no more. */
struct fth_clocks *fth_possible_clocks(const struct fth_matching *matching,
                                       const struct fth_shared *shared);

/* Means that were not followed, and who used them. */
struct fth_possible_use {
    uint32_t means, proc;
    int64_t first, last; /* ns: when, for the first and for the last time */
};
struct fth_possible_uses {
    struct fth_intern means; /* texts with their zero */
    struct fth_possible_use *all;
    size_t count;
};
struct fth_possible_uses fth_possible_uses_of(const struct fth_matching *matching,
                                              const struct fth_shared *shared);
void fth_possible_uses_free(struct fth_possible_uses *uses);

#endif
