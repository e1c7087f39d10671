/* Cuts the text of a `.calls` file into statements (one line and its continuations) and those into
 * tokens. The text may be anything: every byte that the language does not know becomes a token of
 * its own, for the parser to refuse. */
#ifndef FTH_CATALOG_LEXER_H
#define FTH_CATALOG_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fth_token_kind {
    FTH_TOKEN_WORD,
    FTH_TOKEN_NUMBER,
    FTH_TOKEN_DOTS, /* ... */
    FTH_TOKEN_TEXT, /* "...", with its quotes, on one line */
    FTH_TOKEN_MARK, /* any other single byte */
    FTH_TOKEN_END,  /* of the statement */
};

struct fth_token {
    const char *start; /* in the text */
    uint32_t length;
    uint32_t column; /* in bytes, from 1 */
    int line;        /* from 1 */
    bool is_apart;   /* from the token before it */
    enum fth_token_kind kind;
};

struct fth_lexer {
    const char *at, *end;
    const char *line_start;
    int line;
};

/* A lexer for `length` bytes of text (at most INT32_MAX, which the caller sees to). The text must
 * outlive the tokens. */
struct fth_lexer fth_lexer_of(const char *text, size_t length);

/* Goes to the first token of the next statement; false: there is none. The statement before it must
 * have been read to its end. */
bool fth_lexer_next_statement(struct fth_lexer *lexer);

/* Whether the lexer stands at the start of a line: a statement must, else it continues nothing. */
bool fth_lexer_at_line_start(const struct fth_lexer *lexer);

/* The next token of the statement; FTH_TOKEN_END (of no length) at its end, however often asked. */
struct fth_token fth_lexer_next(struct fth_lexer *lexer);

/* The value of a number token: decimal, hexadecimal (0x), octal (leading 0), with an optional
 * minus. False: it is none, or it does not fit in 64 bits. */
bool fth_token_number(const struct fth_token *token, int64_t *value);

#endif
