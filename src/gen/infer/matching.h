/* Which rounds of different processes are one round of the run. Inner header of the room gen. */
#ifndef FTH_GEN_MATCHING_H
#define FTH_GEN_MATCHING_H

#include "gen/infer/recorded.h"

enum fth_gen_matching_way {
    FTH_GEN_BY_MEETING, /* between the same collective calls of all processes */
    FTH_GEN_BY_NUMBER,  /* the first of each, then the second of each ... */
    FTH_GEN_AS_ONE,     /* all that was done is one round */
    FTH_GEN_MATCHING_WAYS,
};

struct fth_gen_matching {
    enum fth_gen_matching_way way;
    size_t count; /* rounds of the run */
    size_t **of;  /* by rank, by round: its number in the run, ascending; NULL: as one */
    int64_t ranks;
};

struct fth_gen_matching fth_gen_matching_make(const struct fth_gen_recorded *recorded,
                                              const struct fth_gen_recorded_file *file,
                                              enum fth_gen_matching_way way);
void fth_gen_matching_free(struct fth_gen_matching *matching);

/* What a rank does in a round of the run; count 0: nothing. `round`: that of the rank; NULL where
 * all is one. */
struct fth_gen_matched_runs {
    const struct fth_gen_run *runs;
    size_t count;
    bool writes;
    const struct fth_gen_round *round;
};
struct fth_gen_matched_runs fth_gen_matched_runs_of(const struct fth_gen_matching *matching,
                                                    const struct fth_gen_recorded_file *file,
                                                    int64_t rank, size_t number);

#endif
