/* Equal parts of a stretch of time. */
#ifndef FTH_BASE_TIME_PARTS_H
#define FTH_BASE_TIME_PARTS_H

#include <stdint.h>

/* In which of `count` parts of `width` ns each, the first of which begins at `begin`, a time is.
 * Times before the first are in it, times behind the last are in that. Both are 1 or more. */
static inline uint32_t fth_part_at(int64_t begin, int64_t width, uint32_t count, int64_t time)
{
    if (time <= begin)
        return 0;
    uint64_t part = ((uint64_t)time - (uint64_t)begin) / (uint64_t)width;
    return part < count ? (uint32_t)part : count - 1;
}

/* How much of a part lies before `end`, where the stretch ends: of the last one maybe less than its
 * width, of those behind `end` nothing. A stretch without length is 1 ns long. */
static inline int64_t fth_part_within(int64_t begin, int64_t width, uint32_t part, int64_t end)
{
    uint64_t whole = end > begin ? (uint64_t)end - (uint64_t)begin : 1,
             from = (uint64_t)width * part;
    if (from >= whole)
        return 0;
    return whole - from < (uint64_t)width ? (int64_t)(whole - from) : width;
}

#endif
