/* Ranks in programs: the destination of a message, and the ranks to which a line applies. */
#include "sim/program/statements.h"

#include <string.h>

enum { MOST_PROCESSES = FTH_SIM_MOST_PROCESSES };

/* "3", "any", "left", "right", "rank", "rank+2", "rank-1". */
int fth_sim_words_rank(struct fth_sim_words *words, uint32_t ranks, struct rank *rank)
{
    *rank = (struct rank){0};
    if (fth_sim_words_accept(words, "any")) {
        rank->is_any = true;
        return 0;
    }
    rank->is_relative = true;
    if (fth_sim_words_accept(words, "right")) {
        rank->value = 1;
        return 0;
    }
    if (fth_sim_words_accept(words, "left")) {
        rank->value = -1;
        return 0;
    }
    uint32_t number = 0;
    if (fth_sim_words_accept(words, "rank")) {
        bool minus = fth_sim_words_accept(words, "-");
        if (!minus && !fth_sim_words_accept(words, "+"))
            return 0;
        if (fth_sim_words_count(words, 0, MOST_PROCESSES, &number))
            return -1;
        rank->value = minus ? -(int64_t)number : number;
        return 0;
    }
    rank->is_relative = false;
    if (!ranks)
        return fth_sim_words_fail(words, "'processes N' must come before this", "");
    if (fth_sim_words_count(words, 0, ranks - 1, &number))
        return -1;
    rank->value = number;
    return 0;
}

/* Which ranks a line is for: "rank 3:", "rank 1..7:", "even:", "odd:", or all of them. */
int fth_sim_words_ranks(struct fth_sim_words *words, uint32_t ranks, struct statement *statement)
{
    *statement = (struct statement){.last = ranks - 1, .step = 1};
    if (fth_sim_words_accept(words, "even") || fth_sim_words_accept(words, "odd")) {
        statement->step = 2;
        statement->first = words->at[-1] == 'd';
    } else if (fth_sim_words_accept(words, "rank")) {
        char word[FTH_SIM_WORD];
        uint64_t first = 0, last = 0;
        const char *start = (fth_sim_words_peek(words, word), words->at);
        if (fth_sim_words_range(words, &first, &last))
            return fth_sim_words_fail(words, "ranks are '3' or '1..7', not", word);
        if (first > last || last >= ranks) {
            words->at = start;
            return fth_sim_words_fail(words, "there are no such ranks", "");
        }
        statement->first = (uint32_t)first;
        statement->last = (uint32_t)last;
    } else {
        return 0;
    }
    return fth_sim_words_accept(words, ":")
               ? 0
               : fth_sim_words_fail(words, "expected ':' after the ranks", "");
}
