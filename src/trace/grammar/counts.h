/* Repeat counts that left a grammar: how often a symbol came in a row each time, where nobody could
 * have said so before. The grammar has a run of length 0 in such a place, and each symbol has a
 * list of its own, in order: since nothing contains itself, that is the order in which its runs
 * begin as well as that in which they end. In bounded memory, without allocation. Inner header of
 * grammar.c. */
#ifndef FTH_TRACE_GRAMMAR_COUNTS_H
#define FTH_TRACE_GRAMMAR_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FTH_COUNT_HABITS = 256, FTH_KNOWN_LOOPS = 64 };

/* Of a symbol that is not counted yet: how it behaved. Another symbol may take its place. */
struct fth_count_habit {
    uint32_t symbol, last;
    uint32_t score; /* how much more often it surprised than not */
};

/* A symbol that is counted, and its list. */
struct fth_count_list {
    uint32_t symbol, length;
    uint32_t first, last; /* entries, + 1; 0: none */
    uint64_t loop;        /* what goes around, of a rule; see fth_grammar_know */
};

struct fth_counts {
    uint32_t limit, used; /* entries */
    uint32_t list_limit, list_count, table_mask;
    struct {
        uint32_t count, next;
    } * entries;
    struct fth_count_list *lists;
    uint32_t *table; /* by symbol: list, + 1 */
    uint64_t some;   /* a bit for each symbol in it, which others may have, too: most are not asked
                        for there, where they are rarely in a cache */
    struct fth_count_habit habits[FTH_COUNT_HABITS];
    uint64_t loops[FTH_KNOWN_LOOPS]; /* to be counted as soon as they appear */
    uint32_t loop_count;
};

/* Bytes behind the structure for `limit` counts, 0 or more. */
size_t fth_counts_bytes(uint32_t limit);
void fth_counts_place(struct fth_counts *counts, void *memory, uint32_t limit);
/* Forgets all: lists, habits, known loops. */
void fth_counts_reset(struct fth_counts *counts);

/* The list of a symbol, or -1. */
int64_t fth_counts_find(const struct fth_counts *counts, uint32_t symbol);
/* The symbol is counted from now on; its list, or -1: there is no room for another. */
int64_t fth_counts_begin(struct fth_counts *counts, uint32_t symbol);
/* The symbol came `length` times in a row: its list if it is counted, also when it surprised once
 * too often right now; else -1. */
int64_t fth_counts_judge(struct fth_counts *counts, uint32_t symbol, uint32_t length);
/* There must be room. */
void fth_counts_put(struct fth_counts *counts, uint32_t list, uint32_t count);
/* The lists stay, without their counts. */
void fth_counts_empty(struct fth_counts *counts);

#endif
