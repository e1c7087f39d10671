/* The rounds of all processes side by side, with the arrays that each implies, and which of them
 * are steps of a loop. Inner header of the room gen. */
#ifndef FTH_GEN_ARRAY_ROUNDS_H
#define FTH_GEN_ARRAY_ROUNDS_H

#include "gen/infer/arrays.h"

/* More loops than these are lines of a text, or the like, that happen to be equally long. */
enum { FTH_GEN_MOST_PERIOD = 8, FTH_GEN_MOST_STATEMENTS = 64, FTH_GEN_MOST_LOOPS = 4 };

struct fth_gen_matched_round {
    bool writes;
    bool spread; /* in the run one process wrote as many bytes as it had gathered */
    struct fth_gen_arrays arrays;
};

/* Rounds `first` to first + period - 1, and `steps` times as many, each further on by the shifts of
 * its arrays. */
struct fth_gen_statement {
    size_t first, period, steps;
};

struct fth_gen_rounds {
    struct fth_gen_matched_round *rounds;
    size_t count;
    struct fth_gen_statement *statements;
    size_t statement_count;
    char *why; /* not known, because; NULL: they are */
};

/* Of a file of which everything is known. Free it by fth_gen_rounds_free. */
struct fth_gen_rounds fth_gen_rounds_find(const struct fth_gen_recorded *recorded,
                                          const struct fth_gen_recorded_file *file);
void fth_gen_rounds_free(struct fth_gen_rounds *rounds);

/* How much further an array is one step later: in bytes, or, of an array of a library, in indices
 * of its first dimension. false: it is another array. */
bool fth_gen_shift(const struct fth_gen_recorded_file *file, const struct fth_gen_array *now,
                   const struct fth_gen_array *later, int64_t *shift);
/* The shift of array `index` of a round of a statement with several steps. */
int64_t fth_gen_shift_of(const struct fth_gen_recorded_file *file,
                         const struct fth_gen_rounds *rounds,
                         const struct fth_gen_statement *statement, size_t round, size_t index);

#endif
