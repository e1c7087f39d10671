/* A sequence of terminals as a grammar: Sequitur (Nevill-Manning and Witten, 1997) with run lengths
 * (Dorier et al., 2014), in bounded memory, without allocation while it grows. Loops fold: a loop
 * of any length costs as much as one turn of it.
 *
 * Three invariants hold in the finished grammar: two neighbours are never equal (they are one run),
 * no pair of neighbouring runs stands twice (it is a rule), no rule is used once only, unless with
 * a run length of two or more. Where a sequence has no order, some of it stays as it came, and the
 * second does not hold there.
 *
 * How often a program looks for a message, or iterates until something is small enough, nobody can
 * predict, and each new length would make new pairs. A symbol whose run lengths keep surprising is
 * *counted*: its runs have length 0 in the grammar, and their lengths go to a list of that symbol.
 * So loops around them fold, whatever they do. */
#ifndef FTH_TRACE_GRAMMAR_GRAMMAR_H
#define FTH_TRACE_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_grammar;

enum {
    FTH_GRAMMAR_BODY = 256
}; /* longest loop body, in runs, that is followed without touching the grammar */

/* Bytes that a grammar of at most `nodes` runs and `counts` counts (0: nothing is ever counted;
 * else at least 1,024) takes, and the same in place; `memory` must be zero (fresh pages) and
 * 16-byte aligned. */
size_t fth_grammar_bytes(uint32_t nodes, uint32_t counts);
struct fth_grammar *fth_grammar_place(void *memory, uint32_t nodes, uint32_t counts);
/* Empties it; touched memory is kept. */
void fth_grammar_reset(struct fth_grammar *grammar);

/* Appends one terminal, 0 <= terminal < 2^31. The grammar must not be full. */
void fth_grammar_append(struct fth_grammar *grammar, uint32_t terminal);
/* The same `count` times. */
void fth_grammar_append_run(struct fth_grammar *grammar, uint32_t terminal, uint32_t count);
/* The terminal is counted from its first run on, until the next reset. */
void fth_grammar_count(struct fth_grammar *grammar, uint32_t terminal);
/* Nothing follows: the last run and the last loop end. Once, before it is written for good. */
void fth_grammar_finish(struct fth_grammar *grammar);
/* The same for a loop, as fth_grammar_list_terminal knows it of an earlier grammar of the same
 * calls. */
void fth_grammar_know(struct fth_grammar *grammar, uint64_t loop);
/* How many symbols are counted; of each: its terminal, or, and then it is false, what goes around
 * in it. */
uint32_t fth_grammar_lists(const struct fth_grammar *grammar);
bool fth_grammar_list_terminal(const struct fth_grammar *grammar, uint32_t list, uint32_t *terminal,
                               uint64_t *loop);
/* Would a grammar that knows from the beginning what is counted be another one in much? It is much
 * if it is small, as the grammars of other processes may then be the same; else if what came before
 * it was known takes a part of its runs that is worth mentioning. */
bool fth_grammar_counts_late(const struct fth_grammar *grammar);
/* A run of the terminal, which is counted, would have been here: unless it is the run that is
 * growing, its length is 0. */
void fth_grammar_append_none(struct fth_grammar *grammar, uint32_t terminal);
/* True when another FTH_GRAMMAR_BODY appends may not fit, or run lengths could grow beyond 32 bits:
 * write it out and reset it. */
bool fth_grammar_full(const struct fth_grammar *grammar);
/* True when it is for the counts' sake: to take them is enough. */
bool fth_grammar_counts_full(const struct fth_grammar *grammar);
/* Hands over the counts that there are, list by list, each list in order, and forgets them. A list
 * has the same number until the next reset. */
typedef void fth_count_sink(void *context, uint32_t list, uint32_t count);
void fth_grammar_take_counts(struct fth_grammar *grammar, fth_count_sink *sink, void *context);
/* The symbol of a list, as fth_grammar_write wrote it last. */
uint32_t fth_grammar_list_symbol(const struct fth_grammar *grammar, uint32_t list);
/* Terminals appended since the last reset. */
uint64_t fth_grammar_length(const struct fth_grammar *grammar);

/* Upper bound of the bytes that fth_grammar_write makes of the grammar as it is. */
size_t fth_grammar_write_bound(const struct fth_grammar *grammar);
/* Writes it: varint rules; for each rule, the start rule first: varint runs, then for each run
 * varint symbol (terminal * 2, or rule * 2 + 1) and varint length. Rules are numbered breadth
 * first. Then, if there are counts, varint lists; for each: varint symbol, and its counts as a list
 * of count_columns.h. Returns the end of what was written. The grammar may go on growing
 * afterwards. */
uint8_t *fth_grammar_write(struct fth_grammar *grammar, uint8_t *to);

#endif
