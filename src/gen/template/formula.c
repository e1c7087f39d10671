/* Formulas: read by descent, kept as trees, computed with integers that never overflow. */
#include "gen/template/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_DEPTH = 100 };

struct fth_formula {
    char what; /* '#' number, 'n' name, '+', '-', '*', '/', '%', '<' min, '>' max */
    int64_t number;
    const char *name;
    const struct fth_formula *left, *right;
};

struct reader {
    struct fth_arena *arena;
    const struct fth_formula_scope *scope;
    const char *at;
    unsigned depth;
};

static void skip(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static struct fth_formula *make(struct reader *reader, char what, const struct fth_formula *left,
                                const struct fth_formula *right)
{
    struct fth_formula *made = fth_arena_take(reader->arena, sizeof *made);
    *made = (struct fth_formula){.what = what, .left = left, .right = right};
    return made;
}

static const struct fth_formula *read_sum(struct reader *reader);

static const struct fth_formula *read_number(struct reader *reader)
{
    int64_t value = 0;
    for (; isdigit((unsigned char)*reader->at); reader->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *reader->at - '0', &value))
            return NULL;
    while (strchr("uUlL", *reader->at) && *reader->at)
        reader->at++;
    if (isalnum((unsigned char)*reader->at) || *reader->at == '_' || *reader->at == '.')
        return NULL;
    struct fth_formula *made = make(reader, '#', NULL, NULL);
    made->number = value;
    return made;
}

/* Behind the name of a function. */
static const struct fth_formula *read_pair(struct reader *reader, char what)
{
    reader->at++;
    const struct fth_formula *left = read_sum(reader);
    skip(reader);
    if (!left || *reader->at != ',')
        return NULL;
    reader->at++;
    const struct fth_formula *right = read_sum(reader);
    skip(reader);
    if (!right || *reader->at != ')')
        return NULL;
    reader->at++;
    return make(reader, what, left, right);
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    for (;; length++) {
        if (isalnum((unsigned char)text[length]) || text[length] == '_')
            continue;
        bool member = text[length] == '.' || (text[length] == '-' && text[length + 1] == '>');
        if (!member || !length)
            return length;
        length += text[length] == '-';
    }
}

static const struct fth_formula *read_name(struct reader *reader)
{
    const char *begin = reader->at;
    size_t length = name_length(begin);
    if (!length)
        return NULL;
    reader->at += length;
    skip(reader);
    if (*reader->at == '(') {
        char what = length != 3                          ? 0
                    : !strncasecmp(begin, "mod", length) ? '%'
                    : !strncasecmp(begin, "min", length) ? '<'
                    : !strncasecmp(begin, "max", length) ? '>'
                                                         : 0;
        return what ? read_pair(reader, what) : NULL;
    }
    if (*reader->at == '[')
        return NULL;
    struct fth_formula *made = make(reader, 'n', NULL, NULL);
    made->number = reader->scope->find(reader->scope->context, begin, length);
    char *name = fth_arena_take(reader->arena, length + 1);
    memcpy(name, begin, length);
    name[length] = '\0';
    made->name = name;
    return made;
}

static const struct fth_formula *read_item(struct reader *reader)
{
    if (++reader->depth > MOST_DEPTH)
        return NULL;
    skip(reader);
    const struct fth_formula *made = NULL;
    if (isdigit((unsigned char)*reader->at)) {
        made = read_number(reader);
    } else if (*reader->at == '-') {
        reader->at++;
        const struct fth_formula *right = read_item(reader);
        made = right ? make(reader, '-', make(reader, '#', NULL, NULL), right) : NULL;
    } else if (*reader->at == '(') {
        reader->at++;
        made = read_sum(reader);
        skip(reader);
        if (*reader->at != ')')
            return NULL;
        reader->at++;
    } else {
        made = read_name(reader);
    }
    reader->depth--;
    return made;
}

static const struct fth_formula *read_product(struct reader *reader)
{
    const struct fth_formula *made = read_item(reader);
    for (skip(reader); made && *reader->at && strchr("*/%", *reader->at); skip(reader)) {
        char what = *reader->at++;
        const struct fth_formula *right = read_item(reader);
        made = right ? make(reader, what, made, right) : NULL;
    }
    return made;
}

static const struct fth_formula *read_sum(struct reader *reader)
{
    const struct fth_formula *made = read_product(reader);
    for (skip(reader); made && (*reader->at == '+' || *reader->at == '-'); skip(reader)) {
        char what = *reader->at++;
        const struct fth_formula *right = read_product(reader);
        made = right ? make(reader, what, made, right) : NULL;
    }
    return made;
}

/* A sum of ten thousand terms is a tree as deep: what is computed by descent has an end. */
static unsigned depth_of(const struct fth_formula *formula, unsigned so_far)
{
    if (!formula || so_far > 10 * MOST_DEPTH)
        return so_far;
    unsigned left = depth_of(formula->left, so_far + 1);
    unsigned right = depth_of(formula->right, so_far + 1);
    return left > right ? left : right;
}

const struct fth_formula *fth_formula_read(struct fth_arena *arena, const char *text,
                                           const struct fth_formula_scope *scope)
{
    struct reader reader = {arena, scope, text, 0};
    const struct fth_formula *made = read_sum(&reader);
    skip(&reader);
    return *reader.at || !made || depth_of(made, 0) > 10 * MOST_DEPTH ? NULL : made;
}

static bool compute(char what, int64_t left, int64_t right, int64_t *value)
{
    switch (what) {
    case '+':
        return !__builtin_add_overflow(left, right, value);
    case '-':
        return !__builtin_sub_overflow(left, right, value);
    case '*':
        return !__builtin_mul_overflow(left, right, value);
    case '<':
        *value = left < right ? left : right;
        return true;
    case '>':
        *value = left > right ? left : right;
        return true;
    default:
        if (!right || (left == INT64_MIN && right == -1))
            return false;
        *value = what == '/' ? left / right : left % right;
        return true;
    }
}

bool fth_formula_value(const struct fth_formula *formula, const struct fth_formula_scope *scope,
                       int64_t *value, const char **unknown)
{
    if (!formula || formula->what == '#') {
        *value = formula ? formula->number : 0;
        return formula != NULL;
    }
    if (formula->what == 'n') {
        *unknown = formula->name;
        return formula->number >= 0 &&
               scope->value(scope->context, formula->number, value, unknown);
    }
    int64_t left, right;
    return fth_formula_value(formula->left, scope, &left, unknown) &&
           fth_formula_value(formula->right, scope, &right, unknown) &&
           compute(formula->what, left, right, value);
}
