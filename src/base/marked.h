/* A set of small numbers, those of files for instance: a byte each, so that one question of many
 * costs no way to memory. All zero: none. */
#ifndef FTH_BASE_MARKED_H
#define FTH_BASE_MARKED_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct fth_marked {
    uint8_t *marks; /* by number */
    uint32_t limit;
};

static inline void fth_marked_add(struct fth_marked *marked, uint32_t number)
{
    marked->marks = fth_reach(marked->marks, &marked->limit, number, sizeof *marked->marks);
    marked->marks[number] = 1;
}
static inline bool fth_marked_has(const struct fth_marked *marked, uint32_t number)
{
    return number < marked->limit && marked->marks[number];
}
static inline void fth_marked_free(struct fth_marked *marked)
{
    free(marked->marks);
    *marked = (struct fth_marked){0};
}

#endif
