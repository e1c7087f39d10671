/* What was meant by a word that does not exist: the one that is spelt most like it. */
#ifndef FTH_BASE_NEAREST_H
#define FTH_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Is `known` near enough to be meant, and nearer than the nearest so far, which is *least away
 * (SIZE_MAX: none yet)? Then *least is its distance. */
bool fth_is_nearer(const char *word, const char *known, size_t *least);

#endif
