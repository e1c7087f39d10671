/* Division by a number that stays the same, without an instruction that divides: 64 bits of its
 * inverse are a product away from the quotient, or one too few. */
#ifndef FTH_BASE_DIVISOR_H
#define FTH_BASE_DIVISOR_H

#include <stdint.h>

struct fth_divisor {
    uint64_t by, inverse; /* inverse: 2^64 / by, rounded down; of 1 it is 2^64 - 1 */
};

/* `by`: at least 1. */
static inline struct fth_divisor fth_divisor_of(uint64_t by)
{
    return (struct fth_divisor){by, by > 1 ? (uint64_t)(((unsigned __int128)1 << 64) / by)
                                           : UINT64_MAX};
}

/* The quotient, rounded down. The product is short of it by value / 2^64 at most, which is less
 * than 1. */
static inline uint64_t fth_divided(uint64_t value, const struct fth_divisor *divisor)
{
    uint64_t quotient = (uint64_t)((unsigned __int128)value * divisor->inverse >> 64);
    return quotient + (value - quotient * divisor->by >= divisor->by);
}

#endif
