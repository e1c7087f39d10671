/* Runs of bytes as nests: a run, repeated at a stride, that again, and so on. Inner header of the
 * room gen. */
#ifndef FTH_GEN_NESTS_H
#define FTH_GEN_NESTS_H

#include "gen/infer/recorded.h"

enum { FTH_GEN_MOST_LEVELS = 8, FTH_GEN_MOST_NESTS = 64 };

struct fth_gen_nest {
    uint32_t space;
    const struct fth_gen_type *type;
    int64_t at, length; /* bytes of the innermost run */
    unsigned levels;
    struct {
        int64_t stride, count; /* the innermost first; count is 2 or more */
    } level[FTH_GEN_MOST_LEVELS];
};

/* Two nests always are at one distance, which need not mean anything: how runs are put together is
 * tried in several ways. */
struct fth_gen_nesting {
    bool joins;  /* runs that touch are one first */
    size_t stop; /* so few nests are left as they are */
};

/* The runs of a round, which are put in order of space and place. At most FTH_GEN_MOST_NESTS are
 * returned, to be freed. NULL: there are more, or some of them overlap; *why says so. */
struct fth_gen_nest *fth_gen_nests_find(const struct fth_gen_run *runs, size_t count,
                                        struct fth_gen_nesting how, size_t *nest_count,
                                        const char **why);
/* The byte behind its last one. */
int64_t fth_gen_nest_end(const struct fth_gen_nest *nest);

#endif
