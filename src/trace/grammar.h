/* A sequence of terminals as a grammar: Sequitur (Nevill-Manning and Witten, 1997) with run lengths (Dorier et al., 2014), in
 * bounded memory, without allocation while it grows. Loops fold: a loop of any length costs as much as one turn of it.
 *
 * Three invariants hold in the finished grammar: two neighbours are never equal (they are one run), no pair of
 * neighbouring runs stands twice (it is a rule), no rule is used once only, unless with a run length of two or more. */
#ifndef FTH_TRACE_GRAMMAR_H
#define FTH_TRACE_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_grammar;

enum {
    FTH_GRAMMAR_BODY = 256
}; /* longest loop body, in runs, that is followed without touching the grammar */

/* Bytes that a grammar of at most `nodes` runs takes, and the same in place; `memory` must be zero (fresh pages) and 16-byte aligned. */
size_t fth_grammar_bytes(uint32_t nodes);
struct fth_grammar *fth_grammar_place(void *memory, uint32_t nodes);
/* Empties it; touched memory is kept. */
void fth_grammar_reset(struct fth_grammar *grammar);

/* Appends one terminal, 0 <= terminal < 2^31. The grammar must not be full. */
void fth_grammar_append(struct fth_grammar *grammar, uint32_t terminal);
/* The same `count` times. */
void fth_grammar_append_run(struct fth_grammar *grammar, uint32_t terminal, uint32_t count);
/* True when another FTH_GRAMMAR_BODY appends may not fit, or run lengths could grow beyond 32 bits: write it out and reset it. */
bool fth_grammar_full(const struct fth_grammar *grammar);
/* Terminals appended since the last reset. */
uint64_t fth_grammar_length(const struct fth_grammar *grammar);

/* Upper bound of the bytes that fth_grammar_write makes of the grammar as it is. */
size_t fth_grammar_write_bound(const struct fth_grammar *grammar);
/* Writes it: varint rules; for each rule, the start rule first: varint runs, then for each run varint symbol (terminal * 2, or
 * rule * 2 + 1) and varint length. Rules are numbered breadth first. Returns the end of what was written. The grammar may go on
 * growing afterwards. */
uint8_t *fth_grammar_write(struct fth_grammar *grammar, uint8_t *to);

#endif
