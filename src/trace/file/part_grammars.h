/* The grammars of a part that is being built: each is packed when it is added, and a long one
 * compressed, so that little is left to do when the part is written, and ranks do it at the same
 * time. */
#ifndef FTH_TRACE_FILE_PART_GRAMMARS_H
#define FTH_TRACE_FILE_PART_GRAMMARS_H

#include "trace/file/part.h"

/* What fth_grammar_write made, with lists of counts behind it, as a grammar of the part: its
 * number. */
uint32_t fth_part_grammar(struct fth_part *part, const void *text, size_t length);

/* Appends what section GRAM of the part holds. Returns 0; or, where some are long, all is
 * compressed already, to frames one behind the other: how many bytes it was before. */
size_t fth_part_grammars_write(const struct fth_part *part, struct fth_bytes *to);

#endif
