/* What all processes access together, computed from the hints. Inner header of the room gen. */
#ifndef FTH_GEN_PATTERN_H
#define FTH_GEN_PATTERN_H

#include "gen/template/data_model.h"

struct fth_gen_pattern {
    bool known;
    char *unknown;                    /* why not: a name, or what is missing; NULL if it is known */
    int64_t processes;                /* of the program */
    int64_t accessing;                /* those with anything */
    uint64_t bytes;                   /* of all processes */
    uint64_t most_bytes, least_bytes; /* of one of those with anything */
    uint64_t runs;                    /* contiguous pieces in the file, of the process with most */
    uint64_t run_bytes;               /* of the shortest one */
    uint64_t span;                    /* from the first byte to behind the last one */
    bool interleaved;                 /* runs of one process lie between those of another */
    bool fills;                       /* together they leave no byte out */
    bool memory_contiguous;
};

/* Computes it. -1: processes access what is outside of the variable; *error has ranks and indices.
 */
int fth_gen_pattern_find(struct fth_gen_model *model, const struct fth_gen_access *access,
                         struct fth_gen_pattern *pattern, struct fth_error **error);
void fth_gen_pattern_free(struct fth_gen_pattern *pattern);

/* Do processes write to the same elements in one set? -1: they do, *error has ranks and indices. */
int fth_gen_overlap_check(struct fth_gen_model *model, const struct fth_gen_set *set,
                          struct fth_error **error);

/* A part of a variable: starts from 0, the slowest dimension first. */
struct fth_gen_box {
    int64_t rank;
    struct fth_hint_place place;
    int64_t start[FTH_GEN_MOST_DIMENSIONS], count[FTH_GEN_MOST_DIMENSIONS];
};
/* The boxes of an access with anything in them; false: not known, because of *unknown. free() them.
 */
bool fth_gen_boxes(struct fth_gen_model *model, const struct fth_gen_access *access,
                   int64_t processes, struct fth_gen_box **boxes, size_t *count,
                   const char **unknown);
/* The same of one record of a variable whose slowest dimension grows: starts there are 0, counts
 * 1. */
bool fth_gen_record_boxes(struct fth_gen_model *model, const struct fth_gen_access *access,
                          int64_t processes, struct fth_gen_box **boxes, size_t *count,
                          const char **unknown);
/* How many processes to think of: of the options, or as many as the hints name; 0: not known. */
int64_t fth_gen_processes(const struct fth_gen_model *model, uint32_t file);

#endif
