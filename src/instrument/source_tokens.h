/* Inner header of the instrument room: the words of a source in C or C++, and patterns of them.
 * Comments and blanks are not words; nor are lines of the preprocessor. */
#ifndef FTH_INSTRUMENT_SOURCE_TOKENS_H
#define FTH_INSTRUMENT_SOURCE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fth_source_token {
    uint32_t begin, end; /* offsets in the text */
};
struct fth_source_tokens {
    const char *text;
    struct fth_source_token *list;
    size_t count;
};

void fth_source_tokens_read(struct fth_source_tokens *tokens, const char *text, size_t length);
void fth_source_tokens_free(struct fth_source_tokens *tokens);
/* The first one that does not begin before this offset; `count` behind the last one. */
size_t fth_source_token_at(const struct fth_source_tokens *tokens, uint32_t offset);
/* Is it this word? False behind the last one. */
bool fth_source_token_is(const struct fth_source_tokens *tokens, size_t index, const char *word);

/* Are the words from `begin` to `end` what the pattern describes? In a pattern `...` stands for any
 * words, none too, in which brackets are balanced, and $NAME for such words, at least one, that are
 * the same wherever the name stands. */
bool fth_source_tokens_match(const struct fth_source_tokens *tokens, size_t begin, size_t end,
                             const struct fth_source_tokens *pattern);

#endif
