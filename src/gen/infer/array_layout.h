/* Where the arrays of a file stand in it, as variables of hints, in their order and without a hole
 * between them. Inner header of the room gen. */
#ifndef FTH_GEN_ARRAY_LAYOUT_H
#define FTH_GEN_ARRAY_LAYOUT_H

#include "gen/infer/array_rounds.h"

struct fth_gen_proposed_variable {
    char *name;
    const struct fth_gen_type *type;
    bool type_known, reshaped;
    bool gap;                          /* nothing of it is accessed */
    bool grows;                        /* a record of it for each step */
    size_t steps;                      /* of a dimension in front of the others; 1: none */
    const struct fth_gen_space *space; /* of a library; NULL */
    uint32_t space_number;
    int64_t at, bytes; /* of its first step */
    unsigned dimensions;
    int64_t length[FTH_GEN_MOST_LENGTHS];
};

/* An array of a round of a statement. */
struct fth_gen_proposed_access {
    size_t statement, round;
    uint32_t variable; /* by number */
    const struct fth_gen_array *array;
    int64_t shift; /* of an array of a library: indices of the first dimension in each step */
};

struct fth_gen_layout {
    struct fth_gen_proposed_variable *variables;
    size_t variable_count;
    struct fth_gen_proposed_access *accesses;
    size_t access_count;
    char *why; /* not known, because; NULL: they are */
};

/* `stem`: names of variables begin with it; it is none of the names that programs use. */
struct fth_gen_layout fth_gen_layout_make(const struct fth_gen_recorded_file *file,
                                          const struct fth_gen_rounds *rounds, const char *stem);
void fth_gen_layout_free(struct fth_gen_layout *layout);

/* A name of C that nothing else has, made of the letters of `text`; to be freed. */
char *fth_gen_name_from(const char *text);

#endif
