/* What the parts of the parser share: the tokens of a statement, and what each part reads of it.
 * All that can fail return -1 or NULL and have made the error. Inner header of the catalogue's
 * room. */
#ifndef FTH_CATALOG_PARSER_H
#define FTH_CATALOG_PARSER_H

#include "catalog/catalog.h"
#include "catalog/lexer.h"
#include "catalog/store.h"

#include <string.h>

enum {
    FTH_MOST_PARAMETERS = 31,
    FTH_MOST_EACH = 8,
    FTH_MOST_CHOICES = 32,
    FTH_MOST_TYPE_WORDS = 4,
};

/* `each NAME WORD = TYPE, ...`: a row with NAME in it stands for several, one with each of the
 * types. */
struct fth_each {
    struct fth_token name;
    size_t count;
    struct fth_choice {
        struct fth_token word;
        struct fth_token type[FTH_MOST_TYPE_WORDS];
        size_t type_words;
    } choices[FTH_MOST_CHOICES];
};

struct fth_parser {
    struct fth_catalog *catalog;
    struct fth_catalog_store *store;
    const char *file;
    struct fth_token *tokens; /* of the statement; the last one is its end */
    size_t token_room;
    size_t at; /* the current token */
    struct fth_each *each;
    size_t each_count;
    /* behind an error: what it has left out is taken to be there, so that one cause is one error */
    bool goes_on;
    struct fth_error **error;
};

/* Fails at a token with a message of its own. */
#define FAIL_AT(parser, token, format, ...)                                                        \
    fth_fail((parser)->error, "%s:%d:%u: " format, (parser)->file, (token)->line,                  \
             (token)->column __VA_OPT__(, ) __VA_ARGS__)

/* A token in a printf: `%.*s`, cut where it would swamp the message. */
#define SHOWN(token) (int)((token)->length < 64 ? (token)->length : 64), (token)->start

/* ---- tokens ---- */

static inline const struct fth_token *current(const struct fth_parser *parser)
{
    return &parser->tokens[parser->at];
}

static inline bool is_mark(const struct fth_token *token, char mark)
{
    return token->kind == FTH_TOKEN_MARK && *token->start == mark;
}

static inline bool is_word(const struct fth_token *token, const char *word)
{
    return token->kind == FTH_TOKEN_WORD && *token->start == *word &&
           strncmp(token->start, word, token->length) == 0 && word[token->length] == '\0';
}

/* Steps over the current token if it is this mark. */
static inline bool take_mark(struct fth_parser *parser, char mark)
{
    if (!is_mark(current(parser), mark))
        return false;
    parser->at++;
    return true;
}

static inline bool take_word(struct fth_parser *parser, const char *word)
{
    if (!is_word(current(parser), word))
        return false;
    parser->at++;
    return true;
}

static inline bool is_one_of(const struct fth_token *token, const char *const *words)
{
    for (; *words; words++)
        if (is_word(token, *words))
            return true;
    return false;
}

/* Steps over any word; `expected` says in the error what should be there. */
const struct fth_token *fth_parser_take_any_word(struct fth_parser *parser, const char *expected);
int fth_parser_expect_end(const struct fth_parser *parser);
int fth_parser_expected(const struct fth_parser *parser, const struct fth_token *token,
                        const char *expected);
int fth_parser_out_of_memory(const struct fth_parser *parser);

int fth_parser_copy(const struct fth_parser *parser, const struct fth_token *token, char **copy);
/* Copies the text from one token up to another, on one line: comments fall away, white space
 * shrinks to one blank. */
int fth_parser_copy_squeezed(const struct fth_parser *parser, size_t from, size_t to, char **copy);

/* ---- classes (class.c) ---- */

/* Behind the word `class`. */
int fth_parse_class(struct fth_parser *parser);
/* Behind an error: the word is a class from now on, of which nobody complains again. */
void fth_parser_take_for_class(const struct fth_parser *parser, const struct fth_token *name);

/* ---- declarations in C ---- */

/* The declaration of a parameter: tokens from..to. */
int fth_parse_declaration(const struct fth_parser *parser, size_t from, size_t to,
                          struct fth_field *field);
/* Checks that the tokens from..to are words and stars that can be the type of `name`. */
int fth_check_type(const struct fth_parser *parser, size_t from, size_t to,
                   const struct fth_token *name);
/* Spells the type that the tokens from..to declare, without the token `name` (NULL: with all). */
int fth_copy_type(const struct fth_parser *parser, size_t from, size_t to,
                  const struct fth_token *name, const char *tail, char **type);

/* ---- rows ---- */

extern const struct fth_field fth_no_field;

/* Parameters that a role names. */
struct fth_role_words {
    const struct fth_token *length; /* use CLASS[n] */
    const struct fth_token *base;   /* path at FD */
    const struct fth_token *in, *named;
    const struct fth_token *asked[FTH_MOST_ASKED]; /* `*` where the answer is stored */
};

/* A row as it is read, with the tokens that name its parameters before all of these are known. */
struct fth_row_draft {
    struct fth_row row;
    struct fth_field fields[FTH_MOST_PARAMETERS];
    struct fth_role_words words[FTH_MOST_PARAMETERS];
    struct fth_role_words result_words;
    const struct fth_token *dots; /* the parameter `...` */
};

/* The role of parameter `index` of the draft. */
int fth_parse_parameter_role(struct fth_parser *parser, struct fth_row_draft *draft, size_t index);
int fth_parse_result_role(struct fth_parser *parser, struct fth_row_draft *draft);
int fth_parse_row(struct fth_parser *parser);

/* ---- layers (layer.c) ---- */

/* Behind the word `layer`. */
int fth_parse_layer(struct fth_parser *parser);
/* Takes `means WORD, ...` of a row if it is there: 1 then, 0 without, -1 on failure. */
int fth_parse_means(struct fth_parser *parser, struct fth_row *row);

/* ---- rows that stand for several (each.c) ---- */

int fth_parse_each(struct fth_parser *parser);
/* A row, or one for each choice of what it names. */
int fth_parse_rows(struct fth_parser *parser);

#endif
