/* Goes through the text once, byte by byte; no token is copied. */
#include "catalog/lexer.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == '\v';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_word_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || is_digit(byte) ||
           byte == '_';
}

struct fth_lexer fth_lexer_of(const char *text, size_t length)
{
    return (struct fth_lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

/* Skips blanks and a comment, up to a token or the end of the line. */
static void skip_blanks(struct fth_lexer *lexer)
{
    while (lexer->at < lexer->end && is_blank(*lexer->at))
        lexer->at++;
    if (lexer->at < lexer->end && *lexer->at == '#') {
        const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
        lexer->at = newline ? newline : lexer->end;
    }
}

static void skip_newline(struct fth_lexer *lexer)
{
    lexer->at++;
    lexer->line++;
    lexer->line_start = lexer->at;
}

/* Skips blanks, comments and lines without tokens. Returns true at a token, false at the end of the
 * text. */
static bool skip_to_token(struct fth_lexer *lexer)
{
    for (;;) {
        skip_blanks(lexer);
        if (lexer->at == lexer->end)
            return false;
        if (*lexer->at != '\n')
            return true;
        skip_newline(lexer);
    }
}

bool fth_lexer_at_line_start(const struct fth_lexer *lexer)
{
    return lexer->at == lexer->line_start;
}

bool fth_lexer_next_statement(struct fth_lexer *lexer)
{
    return skip_to_token(lexer);
}

static struct fth_token token_of(const struct fth_lexer *lexer, enum fth_token_kind kind,
                                 size_t length)
{
    return (struct fth_token){
        .start = lexer->at,
        .length = (uint32_t)length,
        .column = (uint32_t)(lexer->at - lexer->line_start) + 1,
        .line = lexer->line,
        .kind = kind,
    };
}

static size_t word_length(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && is_word_byte(*at))
        at++;
    return (size_t)(at - from);
}

/* How long the text in quotes is that begins here, with them; 0: there is none. */
static size_t text_length(const char *at, const char *end)
{
    if (*at != '"')
        return 0;
    for (const char *last = at + 1; last < end && *last != '\n'; last++)
        if (*last == '"')
            return (size_t)(last - at) + 1;
    return 0;
}

struct fth_token fth_lexer_next(struct fth_lexer *lexer)
{
    const char *from = lexer->at;
    skip_blanks(lexer);
    if (lexer->at == lexer->end)
        return token_of(lexer, FTH_TOKEN_END, 0);
    if (*lexer->at == '\n') {
        struct fth_lexer ahead = *lexer;
        /* The end of the line is the end of the statement unless the next token is indented. */
        if (!skip_to_token(&ahead) || fth_lexer_at_line_start(&ahead))
            return token_of(lexer, FTH_TOKEN_END, 0);
        *lexer = ahead;
    }

    struct fth_token token;
    size_t left = (size_t)(lexer->end - lexer->at);
    bool minus = *lexer->at == '-' && left > 1 && is_digit(lexer->at[1]);
    if (minus || is_digit(*lexer->at))
        token =
            token_of(lexer, FTH_TOKEN_NUMBER, minus + word_length(lexer->at + minus, lexer->end));
    else if (is_word_byte(*lexer->at))
        token = token_of(lexer, FTH_TOKEN_WORD, word_length(lexer->at, lexer->end));
    else if (left >= 3 && memcmp(lexer->at, "...", 3) == 0)
        token = token_of(lexer, FTH_TOKEN_DOTS, 3);
    else if (text_length(lexer->at, lexer->end))
        token = token_of(lexer, FTH_TOKEN_TEXT, text_length(lexer->at, lexer->end));
    else
        token = token_of(lexer, FTH_TOKEN_MARK, 1);
    token.is_apart = token.start != from;
    lexer->at += token.length;
    return token;
}

static int digit_value(char byte)
{
    if (is_digit(byte))
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    return 16;
}

bool fth_token_number(const struct fth_token *token, int64_t *value)
{
    const char *at = token->start, *end = at + token->length;
    bool negative = at < end && *at == '-';
    if (negative)
        at++;
    int base = 10;
    if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    } else if (end - at > 1 && at[0] == '0') {
        base = 8;
        at++;
    }
    if (at == end)
        return false;
    int64_t sum = 0; /* grows downwards: INT64_MIN has no positive counterpart */
    for (; at < end; at++) {
        int digit = digit_value(*at);
        if (digit >= base || __builtin_mul_overflow(sum, base, &sum) ||
            __builtin_sub_overflow(sum, digit, &sum))
            return false;
    }
    if (!negative && sum == INT64_MIN)
        return false;
    *value = negative ? sum : -sum;
    return true;
}
