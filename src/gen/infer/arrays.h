/* Arrays that accesses of all processes imply, and which part of them each process has. Inner
 * header of the room gen. */
#ifndef FTH_GEN_ARRAYS_H
#define FTH_GEN_ARRAYS_H

#include "gen/infer/nests.h"

enum { FTH_GEN_MOST_LENGTHS = 12, FTH_GEN_MOST_PARTS = 1 << 16 };

/* What a process has of an array, the slowest dimension first; of several the first is piece 0. */
struct fth_gen_owned {
    int64_t rank;
    uint32_t piece;
    int64_t start[FTH_GEN_MOST_LENGTHS], count[FTH_GEN_MOST_LENGTHS];
};

struct fth_gen_array {
    uint32_t space;
    const struct fth_gen_type *type; /* of its elements; a byte where it is not known */
    bool type_known;
    bool reshaped; /* of a library: it has other dimensions than the program gave it */
    int64_t base;  /* where it begins in its space, bytes */
    int64_t bytes;
    unsigned dimensions;
    int64_t length[FTH_GEN_MOST_LENGTHS];
    uint32_t pieces; /* of the process with most */
    struct fth_gen_owned *owned;
    size_t owned_count;
};

struct fth_gen_arrays {
    struct fth_gen_array *list;
    size_t count;
    char *why; /* there are none, because; NULL: there are */
};

/* The nests of a process. */
struct fth_gen_rank_nests {
    int64_t rank;
    const struct fth_gen_nest *nests;
    size_t count;
};

/* The arrays of what these processes access in one round, in the order of spaces and places. Free
 * them by fth_gen_arrays_free. */
struct fth_gen_arrays fth_gen_arrays_find(const struct fth_gen_recorded_file *file,
                                          const struct fth_gen_rank_nests *ranks, size_t count);
void fth_gen_arrays_free(struct fth_gen_arrays *arrays);
/* The same, but for the place of one? */
bool fth_gen_arrays_alike(const struct fth_gen_array *a, const struct fth_gen_array *b);

#endif
