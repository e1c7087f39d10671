/* Inner header of the sim room: the words of a line of a program, and what is wrong with them, with
 * its place. */
#ifndef FTH_SIM_TEXT_LINE_WORDS_H
#define FTH_SIM_TEXT_LINE_WORDS_H

#include "sim/text/units.h"

#include <stdbool.h>
#include <stddef.h>

enum { FTH_SIM_WORD = 64 };

struct fth_sim_words {
    const char *line, *at;
    uint32_t number; /* of the line */
    struct fth_error **error;
};

/* Says what is wrong here; `word` may be empty. Returns -1. */
int fth_sim_words_fail(const struct fth_sim_words *words, const char *what, const char *word);
/* The next word, which is not consumed: letters, digits, points; or a single other character. Its
 * length in the line, 0 at its end. */
size_t fth_sim_words_peek(struct fth_sim_words *words, char word[FTH_SIM_WORD]);
/* Consumes the next word if it is this one. */
bool fth_sim_words_accept(struct fth_sim_words *words, const char *wanted);
/* A number with its unit, as one or two words. */
int fth_sim_words_quantity(struct fth_sim_words *words, enum fth_sim_quantity quantity,
                           uint64_t *value);
/* How often, how many: from `least` to `most`. */
int fth_sim_words_count(struct fth_sim_words *words, uint32_t least, uint32_t most,
                        uint32_t *value);
/* "64 KiB", or so many values of a type: "1000 double". */
int fth_sim_words_size(struct fth_sim_words *words, uint64_t *bytes);
/* "3..7" or "3"; reports no errors. */
int fth_sim_words_range(struct fth_sim_words *words, uint64_t *first, uint64_t *last);

#endif
