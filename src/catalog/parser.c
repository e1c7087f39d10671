/* The tokens of a statement and the complaints about them. */
#include "catalog/parser.h"

#include <string.h>

int fth_parser_out_of_memory(const struct fth_parser *parser)
{
    if (parser->error && *parser->error) /* reported already */
        return -1;
    return fth_fail(parser->error, "%s: out of memory", parser->file);
}

int fth_parser_expected(const struct fth_parser *parser, const struct fth_token *token,
                        const char *expected)
{
    if (token->kind == FTH_TOKEN_END)
        return FAIL_AT(parser, token, "expected %s, not the end of the line", expected);
    unsigned char byte = (unsigned char)*token->start;
    if (token->kind == FTH_TOKEN_MARK && (byte < 0x21 || byte > 0x7e))
        return FAIL_AT(parser, token, "expected %s, not the byte 0x%02x", expected, byte);
    return FAIL_AT(parser, token, "expected %s, not '%.*s'", expected, SHOWN(token));
}

const struct fth_token *fth_parser_take_any_word(struct fth_parser *parser, const char *expected)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD) {
        fth_parser_expected(parser, token, expected);
        return NULL;
    }
    parser->at++;
    return token;
}

int fth_parser_expect_end(const struct fth_parser *parser)
{
    if (current(parser)->kind == FTH_TOKEN_END)
        return 0;
    return fth_parser_expected(parser, current(parser), "the end of the line");
}

int fth_parser_copy(const struct fth_parser *parser, const struct fth_token *token, char **copy)
{
    *copy = fth_store_text(parser->store, token->start, token->length);
    return *copy ? 0 : fth_parser_out_of_memory(parser);
}

int fth_parser_copy_squeezed(const struct fth_parser *parser, size_t from, size_t to, char **copy)
{
    const struct fth_token *tokens = parser->tokens;
    size_t bytes = 1;
    for (size_t i = from; i < to; i++)
        bytes += tokens[i].length + 1;
    char *out = *copy = fth_store_take(parser->store, bytes);
    if (!out)
        return fth_parser_out_of_memory(parser);
    for (size_t i = from; i < to; i++) {
        if (i > from && tokens[i].is_apart)
            *out++ = ' ';
        memcpy(out, tokens[i].start, tokens[i].length);
        out += tokens[i].length;
    }
    *out = '\0';
    return 0;
}
