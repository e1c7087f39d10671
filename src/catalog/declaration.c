/* Declarations of parameters in C: what they name, of which type, and what is kept of it where no
 * role says so. */
#include "catalog/parser.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char *const type_words[] = {
    "_Bool", "bool", "char", "const", "double", "enum", "float", "int", "long", "restrict", "short",
    "signed", "struct", "union", "unsigned", "void", "volatile", NULL,
};

/* Types that are no integers though they look like it: kept only where a role says how. */
static const char *const opaque_words[] = {
    "FILE", "_Complex", "__compar_d_fn_t", "__compar_fn_t", "__ftw_func_t", "__gnuc_va_list",
    "__nftw_func_t", "__sighandler_t", "comparison_fn_t", "cookie_io_functions_t", "div_t",
    "double", "fd_set", "float", "fpos64_t", "fpos_t", "ldiv_t", "locale_t", "mbstate_t", "sem_t",
    "sighandler_t", "sigset_t", "struct", "union", "va_list", "void", NULL,
};

/* clang-format on */

/* The types of MPI that are integers; all its other types are handles and functions. */
static const char *const mpi_integers[] = {"MPI_Aint", "MPI_Count", "MPI_Fint", "MPI_Offset", NULL};

/* What is kept of a parameter of this type without a role. */
static enum fth_role role_of_type(const struct fth_token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fth_token *token = &tokens[i];
        if (token->kind != FTH_TOKEN_WORD || is_one_of(token, opaque_words))
            return FTH_ROLE_NONE;
        if (token->length > 4 && memcmp(token->start, "MPI_", 4) == 0 &&
            !is_one_of(token, mpi_integers))
            return FTH_ROLE_NONE;
    }
    return FTH_ROLE_VALUE;
}

/* Whether a blank belongs between two tokens of a type: "char *const *", "int (*)(int, void *)". */
static bool is_apart(const struct fth_token *left, const struct fth_token *right)
{
    if (is_mark(left, '*') || is_mark(left, '(') || is_mark(left, '['))
        return false;
    if (is_mark(right, '(') && is_mark(left, ')'))
        return false;
    return !is_mark(right, ')') && !is_mark(right, ',') && !is_mark(right, '[') &&
           !is_mark(right, ']');
}

int fth_copy_type(const struct fth_parser *parser, size_t from, size_t to,
                  const struct fth_token *name, const char *tail, char **type)
{
    size_t bytes = strlen(tail) + 1;
    for (size_t i = from; i < to; i++)
        bytes += parser->tokens[i].length + 1;
    char *out = *type = fth_store_take(parser->store, bytes);
    if (!out)
        return fth_parser_out_of_memory(parser);
    const struct fth_token *left = NULL;
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (token == name)
            continue;
        if (left && is_apart(left, token))
            *out++ = ' ';
        memcpy(out, token->start, token->length);
        out += token->length;
        left = token;
    }
    strcpy(out, tail);
    return 0;
}

int fth_check_type(const struct fth_parser *parser, size_t from, size_t to,
                   const struct fth_token *name)
{
    bool named = false; /* a word that is more than const or struct */
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (token->kind == FTH_TOKEN_WORD)
            named |= !is_word(token, "const") && !is_word(token, "volatile") &&
                     !is_word(token, "struct") && !is_word(token, "union") &&
                     !is_word(token, "enum");
        else if (!is_mark(token, '*') || !named)
            return fth_parser_expected(parser, token, "the words of a C type");
    }
    if (!named)
        return FAIL_AT(parser, name, "expected a type before '%.*s'", SHOWN(name));
    return 0;
}

/* The name inside `TYPE (*NAME)...`, or NULL if the declaration is not of that form. */
static const struct fth_token *name_in_parentheses(const struct fth_parser *parser, size_t from,
                                                   size_t to)
{
    for (size_t i = from + 1; i + 3 < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (!is_mark(token, '('))
            continue;
        bool found =
            is_mark(&token[1], '*') && token[2].kind == FTH_TOKEN_WORD && is_mark(&token[3], ')');
        return found ? &token[2] : NULL;
    }
    return NULL;
}

/* `TYPE (*NAME)(...)`: the type keeps the shape of its declarator, "int (*)(void *)". */
static int parse_pointer_declaration(const struct fth_parser *parser, size_t from, size_t to,
                                     const struct fth_token *name, struct fth_field *field)
{
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        bool fits =
            token->kind == FTH_TOKEN_WORD || token->kind == FTH_TOKEN_DOTS ||
            token->kind == FTH_TOKEN_NUMBER ||
            (token->kind == FTH_TOKEN_MARK && strchr("*(),[]", *token->start) && *token->start);
        if (!fits)
            return fth_parser_expected(parser, token, "the words of a C type");
    }
    if (fth_parser_copy(parser, name, &field->name) ||
        fth_copy_type(parser, from, to, name, "", &field->type))
        return -1;
    field->role = FTH_ROLE_NONE;
    return 0;
}

/* Splits off the [] and [2] behind the name: *to becomes where they start, *count their number. */
static int parse_dimensions(const struct fth_parser *parser, size_t from, size_t *to, size_t *count)
{
    *count = 0;
    while (*to > from + 1 && is_mark(&parser->tokens[*to - 1], ']')) {
        size_t open = *to - 2;
        int64_t length;
        const struct fth_token *inside = &parser->tokens[open];
        if (!is_mark(inside, '[')) {
            if (inside->kind != FTH_TOKEN_NUMBER || !fth_token_number(inside, &length) ||
                open == from || !is_mark(inside - 1, '['))
                return fth_parser_expected(parser, inside,
                                           "a number or nothing between '[' and ']'");
            open--;
        }
        *to = open;
        ++*count;
    }
    return 0;
}

int fth_parse_declaration(const struct fth_parser *parser, size_t from, size_t to,
                          struct fth_field *field)
{
    const struct fth_token *name = name_in_parentheses(parser, from, to);
    if (name)
        return parse_pointer_declaration(parser, from, to, name, field);

    size_t all = to, dimensions;
    if (parse_dimensions(parser, from, &to, &dimensions))
        return -1;
    if (to == from)
        return fth_parser_expected(parser, &parser->tokens[from], "a parameter");
    name = &parser->tokens[to - 1];
    if (is_mark(name, '*') || is_one_of(name, type_words))
        name = &parser->tokens[to]; /* where it is missing */
    if (name->kind != FTH_TOKEN_WORD)
        return fth_parser_expected(parser, name, "the name of the parameter");
    if (fth_check_type(parser, from, to - 1, name) || fth_parser_copy(parser, name, &field->name))
        return -1;
    field->array = dimensions == 1;
    field->role = dimensions ? FTH_ROLE_NONE : role_of_type(&parser->tokens[from], to - 1 - from);
    if (dimensions < 2)
        return fth_copy_type(parser, from, to - 1, NULL, "", &field->type);

    /* `int ranges[][3]` is a pointer to an array: "int (*)[3]". */
    size_t second = to + 1;
    while (!is_mark(&parser->tokens[second], '['))
        second++;
    char *head, *tail;
    if (fth_parser_copy_squeezed(parser, second, all, &tail) ||
        !(head = fth_store_take(parser->store, strlen(tail) + 5)))
        return fth_parser_out_of_memory(parser);
    sprintf(head, " (*)%s", tail);
    return fth_copy_type(parser, from, to - 1, NULL, head, &field->type);
}
