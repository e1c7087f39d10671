/* A grammar as section GRAM has it. fth_grammar_write numbers rules and terminals; here a rule
 * stands where it is used first, and a terminal is coded by its distance to the one before.
 * Terminals are numbered in order of first appearance, so most are the next one; and a call that
 * one process made more than another does not change what follows. So the grammars of processes
 * that did nearly the same are nearly the same bytes, which zstd finds. */
#ifndef FTH_TRACE_GRAMMAR_PACKED_RULES_H
#define FTH_TRACE_GRAMMAR_PACKED_RULES_H

#include "base/bytes.h"

/* Appends what fth_grammar_write made to `to`. */
void fth_rules_pack(const uint8_t *text, size_t length, struct fth_bytes *to);
/* And back, to the byte. False: damaged. What it gives is not checked: fth_rules_read does. */
bool fth_rules_unpack(const uint8_t *packed, size_t length, struct fth_bytes *text);

/* What a grammar without lists is like. */
struct fth_rules_extent {
    uint64_t length;    /* terminals of the whole */
    uint32_t terminals; /* one more than the largest */
};
/* Goes over what fth_rules_pack made, without memory for its runs. False: it has lists, or is
 * damaged: reading it says which. O(bytes). */
bool fth_rules_pass(const uint8_t *packed, size_t length, struct fth_rules_extent *extent);

#endif
