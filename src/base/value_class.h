/* Classes for histograms of values of any size, nanoseconds and hours, bytes and tebibytes: a value
 * below 8 is its own class; above that each power of two has eight, equally wide. So no class is
 * wider than an eighth of its least value. */
#ifndef FTH_BASE_VALUE_CLASS_H
#define FTH_BASE_VALUE_CLASS_H

#include <stdint.h>

enum {
    FTH_VALUE_CLASSES = 496,
    FTH_VALUE_STEP_BITS = 3,
    FTH_VALUE_STEPS = 1 << FTH_VALUE_STEP_BITS
};

/* Below FTH_VALUE_CLASSES. */
static inline uint32_t fth_value_class(uint64_t value)
{
    if (value < FTH_VALUE_STEPS)
        return (uint32_t)value;
    uint32_t power = 63 - (uint32_t)__builtin_clzll(value);
    return (power - FTH_VALUE_STEP_BITS + 1) * FTH_VALUE_STEPS +
           (uint32_t)(value >> (power - FTH_VALUE_STEP_BITS) & (FTH_VALUE_STEPS - 1));
}

/* The least value of a class; that of the last one's successor is 0. */
static inline uint64_t fth_value_class_begin(uint32_t number)
{
    if (number < FTH_VALUE_STEPS)
        return number;
    uint32_t shift = number / FTH_VALUE_STEPS - 1;
    return (uint64_t)(FTH_VALUE_STEPS + number % FTH_VALUE_STEPS) << shift;
}

#endif
