/* From the nests of an array to its dimensions, and to what each process has of them. Inner header
 * of the room gen. */
#ifndef FTH_GEN_ARRAY_BOXES_H
#define FTH_GEN_ARRAY_BOXES_H

#include "gen/infer/arrays.h"

struct fth_gen_nest_of {
    int64_t rank;
    uint32_t piece;
    const struct fth_gen_nest *nest;
};

/* Makes the array of these nests, which are of one space. `floor`: where the array before it ends.
 * NULL, or why there is none. */
const char *fth_gen_boxes_find(const struct fth_gen_recorded_file *file,
                               const struct fth_gen_nest_of *members, size_t count, int64_t floor,
                               struct fth_gen_array *array);

#endif
