/* Saturating arithmetic. Times of a trace are within 36 years (model.h), but there may be any
 * number of them, and a damaged trace, or one made to do harm, says what it likes: a sum stays at
 * the largest number instead of becoming a negative one. */
#ifndef FTH_BASE_SATURATING_H
#define FTH_BASE_SATURATING_H

#include <stdint.h>

static inline int64_t fth_saturating_sum(int64_t one, int64_t other)
{
    int64_t sum;
    if (!__builtin_add_overflow(one, other, &sum))
        return sum;
    return other < 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t fth_saturating_product(int64_t one, int64_t other)
{
    int64_t product;
    if (!__builtin_mul_overflow(one, other, &product))
        return product;
    return (one < 0) == (other < 0) ? INT64_MAX : INT64_MIN;
}

/* Without what is behind the point. */
static inline int64_t fth_saturating_integer(double number)
{
    const double most = 9223372036854774784.0; /* the largest one below 2^63 */
    return number > most ? INT64_MAX : number > -most ? (int64_t)number : INT64_MIN;
}

#define FTH_ADD_SATURATING(sum, more) ((sum) = fth_saturating_sum((sum), (more)))

#endif
