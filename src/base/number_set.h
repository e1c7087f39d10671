/* A set of small numbers, those of files for instance: a byte each, so that one question of many
 * costs no way to memory. All zero: none. */
#ifndef FTH_BASE_NUMBER_SET_H
#define FTH_BASE_NUMBER_SET_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct fth_number_set {
    uint8_t *marks; /* by number */
    uint32_t limit;
};

static inline void fth_number_set_add(struct fth_number_set *set, uint32_t number)
{
    set->marks = fth_reach(set->marks, &set->limit, number, sizeof *set->marks);
    set->marks[number] = 1;
}
static inline bool fth_number_set_has(const struct fth_number_set *set, uint32_t number)
{
    return number < set->limit && set->marks[number];
}
static inline void fth_number_set_free(struct fth_number_set *set)
{
    free(set->marks);
    *set = (struct fth_number_set){0};
}

#endif
