/* What the two halves of the parser of C share: declarator.c reads what types are made of,
 * declarations.c what is declared with them. Inner header. */
#ifndef FTH_CATALOG_HEADER_C_PARSER_H
#define FTH_CATALOG_HEADER_C_PARSER_H

#include "catalog/header/header.h"

enum { MOST_STEPS = 16 };

enum step { POINTER, ARRAY, FUNCTION };

/* What a declarator says of its name, from the name on. */
struct declarator {
    const struct fth_c_token *name; /* NULL: none */
    enum step steps[MOST_STEPS];
    size_t at
        /* the token behind the bracket or parenthesis; of POINTER: 1 when const follows */
        [MOST_STEPS];
    size_t count;
    bool is_odd;     /* more than is understood */
    bool is_renamed; /* int f(void) __asm__("g"): in the library it is called g */
};

/* Words in front of a declarator. */
struct specifiers {
    bool is_typedef, is_static, has_word;
    struct fth_c_type type;
    const char *text; /* "const struct kv" */
};

struct typedef_name {
    const char *name;
    size_t length;
    struct fth_c_type type;
};

struct parser {
    const struct fth_c_tokens *tokens;
    struct fth_arena *arena;
    size_t at;
    struct typedef_name *typedefs;
    size_t typedef_count;
    uint32_t *places; /* open-addressed, index + 1 */
    size_t place_count;
    int depth;
};

static inline const struct fth_c_token *current(const struct parser *parser)
{
    return &parser->tokens->list[parser->at];
}

static inline const struct fth_c_token *next(const struct parser *parser)
{
    return current(parser)->kind == FTH_C_END ? current(parser) : current(parser) + 1;
}

static inline bool is(const struct parser *parser, const char *text)
{
    return fth_c_is(current(parser), text);
}

static inline bool is_end(const struct parser *parser)
{
    return current(parser)->kind == FTH_C_END;
}

static inline bool take(struct parser *parser, const char *text)
{
    bool found = is(parser, text);
    if (found && !is_end(parser))
        parser->at++;
    return found;
}

/* Over a bracket and what belongs into it; over words that change nothing for us. */
void fth_c_skip_balanced(struct parser *parser);
bool fth_c_skip_extension(struct parser *parser);
/* Texts that live as long as the arena. */
const char *fth_c_keep(struct parser *parser, const char *start, size_t length);
const char *fth_c_join(struct parser *parser, const char *one, const char *between,
                       const char *other);
/* Typedefs of the file so far. */
void fth_c_add_typedef(struct parser *parser, const struct fth_c_token *name,
                       struct fth_c_type type);
/* What stands in front of declarators, and one of these: read from the inside out (C17, 6.7.6). */
void fth_c_read_specifiers(struct parser *parser, struct specifiers *specifiers);
void fth_c_read_declarator(struct parser *parser, struct declarator *declarator);

#endif
