/* From a text to an expression, by recursive descent. Loosest first: or, and, not, comparisons, +
 * and -, * / and %. What stands behind a comparison with a text is a text, with or without quotes,
 * so that patterns and paths can be written as they are. */
#include "analysis/language/expression_parser.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

typedef struct fth_part_of_expression part;

/* ---- parts ---- */

static part *join(struct fth_expression_parser *parser, enum fth_operator is,
                  enum fth_expression_type type, size_t at, const part *left, const part *right)
{
    part *made = left ? fth_expression_parse_part(parser, is, type, at) : NULL;
    if (!made)
        return NULL;
    made->left = left;
    made->right = right;
    made->scope = right && right->scope > left->scope ? right->scope : left->scope;
    return made;
}

static bool enter(struct fth_expression_parser *parser)
{
    if (parser->depth++ < FTH_EXPRESSION_DEEPEST)
        return true;
    fth_expression_parse_failed(parser, parser->at,
                                "it is nested too deeply: more than %d brackets and words 'not'",
                                FTH_EXPRESSION_DEEPEST);
    return false;
}

/* ---- numbers ---- */

static bool is_number(const part *of)
{
    return of->type == FTH_TYPE_NUMBER || of->type == FTH_TYPE_BYTES || of->type == FTH_TYPE_TIME;
}

static bool is_text(const part *of)
{
    return of->type == FTH_TYPE_TEXT || of->type == FTH_TYPE_PATH || of->type == FTH_TYPE_TEXTS;
}

/* What is beside a number without a unit says what it is: seconds beside a time. */
static bool adapt(part *constant, enum fth_expression_type type)
{
    static const struct fth_unit_of_text seconds = {"s", FTH_TYPE_TIME, 1e9};
    if (constant->is != FTH_IS_CONSTANT || constant->type != FTH_TYPE_NUMBER)
        return true;
    return type != FTH_TYPE_TIME || fth_expression_parse_in_unit(constant, &seconds);
}

static bool are_of_a_kind(struct fth_expression_parser *parser, size_t at, part *left, part *right)
{
    if (left->type == FTH_TYPE_ANY)
        left->type = FTH_TYPE_NUMBER;
    if (right->type == FTH_TYPE_ANY)
        right->type = FTH_TYPE_NUMBER;
    if (!is_number(left) || !is_number(right)) {
        fth_expression_parse_failed(parser, at, "both sides must be numbers, not %s and %s",
                                    fth_expression_type_name(left->type),
                                    fth_expression_type_name(right->type));
        return false;
    }
    if (!adapt(left, right->type) || !adapt(right, left->type)) {
        fth_expression_parse_failed(parser, at, "this number is too large");
        return false;
    }
    if ((left->type == FTH_TYPE_TIME) != (right->type == FTH_TYPE_TIME)) {
        fth_expression_parse_failed(parser, at, "%s and %s cannot be compared or added",
                                    fth_expression_type_name(left->type),
                                    fth_expression_type_name(right->type));
        return false;
    }
    if (left->fraction || right->fraction) {
        fth_expression_parse_failed(parser, left->fraction ? left->at : right->at,
                                    "this is not a whole number");
        return false;
    }
    return true;
}

static part *calculate(struct fth_expression_parser *parser, enum fth_operator is, size_t at,
                       part *left, part *right)
{
    bool scales = is == FTH_IS_TIMES || is == FTH_IS_OVER;
    if (!left || !right)
        return NULL;
    if (!scales && !are_of_a_kind(parser, at, left, right))
        return NULL;
    if (left->type == FTH_TYPE_ANY)
        left->type = FTH_TYPE_NUMBER;
    if (right->type == FTH_TYPE_ANY)
        right->type = FTH_TYPE_NUMBER;
    if (!is_number(left) || !is_number(right) || left->fraction || right->fraction)
        return fth_expression_parse_failed(parser, at, "both sides must be whole numbers");
    enum fth_expression_type type = left->type == FTH_TYPE_NUMBER ? right->type : left->type;
    if (is == FTH_IS_OVER && left->type == right->type)
        type = FTH_TYPE_NUMBER;
    else if (scales && right->type != FTH_TYPE_NUMBER &&
             (is == FTH_IS_OVER || left->type != FTH_TYPE_NUMBER))
        return fth_expression_parse_failed(parser, at, "%s and %s cannot be multiplied or divided",
                                           fth_expression_type_name(left->type),
                                           fth_expression_type_name(right->type));
    return join(parser, is, type, at, left, right);
}

/* Signs of other languages; NULL: none stands here. */
static const char *foreign_sign(const struct fth_expression_parser *parser)
{
    switch (parser->text[parser->at]) {
    case '=':
        return "equality is written ==";
    case '&':
        return "this is written 'and'";
    case '|':
        return "this is written 'or'";
    case '!':
        return "this is written 'not', or !=";
    default:
        return NULL;
    }
}

static part *parse_or(struct fth_expression_parser *parser);

static part *parse_name(struct fth_expression_parser *parser)
{
    size_t at = parser->at, length = fth_expression_parse_word(parser);
    if (!length)
        return fth_expression_parse_failed(
            parser, at, "a field of calls, a number or a bracket is expected here");
    char *name = fth_expression_parse_keep(parser, parser->text + at, length);
    bool is_argument = strncasecmp(name, "arg.", 4) == 0 && name[4];
    part *made = fth_expression_parse_part(parser, is_argument ? FTH_IS_ARGUMENT : FTH_IS_FIELD,
                                           FTH_TYPE_ANY, at);
    if (!made)
        return NULL;
    parser->at += length;
    if (is_argument) {
        made->text = name + 4;
        made->scope = FTH_OF_CALL;
        return made;
    }
    for (char *letter = name; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    made->field = fth_expression_find(fth_expression_field_meant(name));
    if (!made->field)
        return fth_expression_parse_failed_on_name(parser, at, name);
    made->type = made->field->type;
    made->scope = made->field->scope;
    parser->expression->needs |= made->field->needs;
    return made;
}

static part *parse_primary(struct fth_expression_parser *parser)
{
    fth_expression_parse_space(parser);
    char first = parser->text[parser->at];
    if (isdigit((unsigned char)first) || first == '.' || first == '-')
        return fth_expression_parse_number(parser);
    if (!fth_expression_parse_take(parser, "("))
        return parse_name(parser);
    part *inner = enter(parser) ? parse_or(parser) : NULL;
    parser->depth--;
    if (inner && !fth_expression_parse_take(parser, ")"))
        return fth_expression_parse_failed(parser, parser->at, "')' is expected here");
    return inner;
}

static part *parse_product(struct fth_expression_parser *parser)
{
    part *left = parse_primary(parser);
    while (left) {
        fth_expression_parse_space(parser);
        size_t at = parser->at;
        enum fth_operator is = fth_expression_parse_take(parser, "*")   ? FTH_IS_TIMES
                               : fth_expression_parse_take(parser, "/") ? FTH_IS_OVER
                               : fth_expression_parse_take(parser, "%") ? FTH_IS_REST
                                                                        : FTH_IS_FIELD;
        if (is == FTH_IS_FIELD)
            break;
        left = calculate(parser, is, at, left, parse_primary(parser));
    }
    return left;
}

static part *parse_sum(struct fth_expression_parser *parser)
{
    part *left = parse_product(parser);
    while (left) {
        fth_expression_parse_space(parser);
        size_t at = parser->at;
        bool plus = fth_expression_parse_take(parser, "+");
        if (!plus && !fth_expression_parse_take(parser, "-"))
            break;
        left =
            calculate(parser, plus ? FTH_IS_PLUS : FTH_IS_MINUS, at, left, parse_product(parser));
    }
    return left;
}

/* ---- comparisons ---- */

/* What a value can be: a text where no number, and no bracket around one, stands behind it. */
static bool wants_text(struct fth_expression_parser *parser, const part *left)
{
    fth_expression_parse_space(parser);
    char next = parser->text[parser->at];
    return is_text(left) || (left->type == FTH_TYPE_ANY && !isdigit((unsigned char)next) &&
                             next != '-' && next != '(');
}

/* A constant, of the kind of what is compared with it. */
static part *parse_constant(struct fth_expression_parser *parser, part *left)
{
    part *made = wants_text(parser, left) ? fth_expression_parse_text(parser)
                                          : fth_expression_parse_number(parser);
    if (!made || is_text(made))
        return made;
    part asked = *left; /* of any kind, it may be one for each item */
    return are_of_a_kind(parser, made->at, &asked, made) ? made : NULL;
}

static part *parse_item(struct fth_expression_parser *parser, part *left)
{
    part *first = parse_constant(parser, left);
    part *item = first ? join(parser, FTH_IS_ITEM, first->type, first->at, first, NULL) : NULL;
    if (!item || is_text(first) || !fth_expression_parse_take(parser, ".."))
        return item;
    part *last = parse_constant(parser, left);
    if (last && last->number < first->number)
        return fth_expression_parse_failed(parser, first->at, "this range ends before it begins");
    return (item->last = last) ? item : NULL;
}

static part *parse_list(struct fth_expression_parser *parser, size_t at, part *left)
{
    part *all = join(parser, FTH_IS_IN, FTH_TYPE_CONDITION, at, left, NULL);
    if (!all)
        return NULL;
    if (!fth_expression_parse_take(parser, "("))
        return fth_expression_parse_failed(parser, parser->at,
                                           "a list is expected here, such as (1, 3, 5..8)");
    part *before = NULL;
    do {
        part *item = parse_item(parser, left);
        if (!item)
            return NULL;
        *(before ? &before->right : &all->right) = item;
        before = item;
    } while (fth_expression_parse_take(parser, ","));
    return fth_expression_parse_take(parser, ")")
               ? all
               : fth_expression_parse_failed(parser, parser->at, "',' or ')' is expected here");
}

static const struct {
    const char *sign;
    enum fth_operator is;
} comparisons[] = {
    {"==", FTH_IS_EQUAL},    {"!=", FTH_IS_UNEQUAL}, {"<=", FTH_IS_AT_MOST},
    {">=", FTH_IS_AT_LEAST}, {"<", FTH_IS_LESS},     {">", FTH_IS_MORE},
    {"~", FTH_IS_LIKE},      {"like", FTH_IS_LIKE},  {"in", FTH_IS_IN},
};

static part *compare_texts(struct fth_expression_parser *parser, enum fth_operator is, size_t at,
                           part *left)
{
    if (is != FTH_IS_EQUAL && is != FTH_IS_UNEQUAL && is != FTH_IS_LIKE)
        return fth_expression_parse_failed(
            parser, at, "strings are compared with ==, !=, ~ (a shell pattern) and in");
    part *right = fth_expression_parse_text(parser);
    return right ? join(parser, is, FTH_TYPE_CONDITION, at, left, right) : NULL;
}

static part *compare(struct fth_expression_parser *parser, enum fth_operator is, size_t at,
                     part *left)
{
    if (left->type == FTH_TYPE_CONDITION)
        return fth_expression_parse_failed(
            parser, at, "the left side is true or false already and cannot be compared");
    if (is_text(left) && left->is == FTH_IS_CONSTANT)
        return fth_expression_parse_failed(parser, left->at,
                                           "a field is expected before a comparison");
    if (is == FTH_IS_IN)
        return parse_list(parser, at, left);
    if (is == FTH_IS_LIKE && !is_text(left) && left->type != FTH_TYPE_ANY)
        return fth_expression_parse_failed(parser, at,
                                           "a pattern matches a string, but the left side is %s",
                                           fth_expression_type_name(left->type));
    bool may_be_text = is == FTH_IS_EQUAL || is == FTH_IS_UNEQUAL || is_text(left);
    if (is == FTH_IS_LIKE || (may_be_text && wants_text(parser, left)))
        return compare_texts(parser, is, at, left);
    part *right = parse_sum(parser);
    return right && are_of_a_kind(parser, at, left, right)
               ? join(parser, is, FTH_TYPE_CONDITION, at, left, right)
               : NULL;
}

static part *parse_comparison(struct fth_expression_parser *parser)
{
    part *left = parse_sum(parser);
    if (!left)
        return NULL;
    fth_expression_parse_space(parser);
    size_t at = parser->at;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (fth_expression_parse_take(parser, comparisons[i].sign))
            return compare(parser, comparisons[i].is, at, left);
    return left;
}

/* ---- conditions ---- */

static bool is_condition(struct fth_expression_parser *parser, const part *of)
{
    if (!of || of->type == FTH_TYPE_CONDITION)
        return of;
    if (foreign_sign(parser))
        fth_expression_parse_failed(parser, parser->at, "%s", foreign_sign(parser));
    else
        fth_expression_parse_failed(
            parser, of->at,
            "this is %s, not a condition; compare it with ==, !=, <, <=, >, >=, ~ or in",
            fth_expression_type_name(of->type));
    return false;
}

static part *parse_not(struct fth_expression_parser *parser)
{
    fth_expression_parse_space(parser);
    size_t at = parser->at;
    if (!fth_expression_parse_take(parser, "not"))
        return parse_comparison(parser);
    part *inner = enter(parser) ? parse_not(parser) : NULL;
    parser->depth--;
    return is_condition(parser, inner)
               ? join(parser, FTH_IS_NOT, FTH_TYPE_CONDITION, at, inner, NULL)
               : NULL;
}

static part *parse_and(struct fth_expression_parser *parser)
{
    part *left = parse_not(parser);
    for (;;) {
        fth_expression_parse_space(parser);
        size_t at = parser->at;
        if (!left || !fth_expression_parse_take(parser, "and"))
            return left;
        part *right = is_condition(parser, left) ? parse_not(parser) : NULL;
        left = is_condition(parser, right)
                   ? join(parser, FTH_IS_AND, FTH_TYPE_CONDITION, at, left, right)
                   : NULL;
    }
}

static part *parse_or(struct fth_expression_parser *parser)
{
    part *left = parse_and(parser);
    for (;;) {
        fth_expression_parse_space(parser);
        size_t at = parser->at;
        if (!left || !fth_expression_parse_take(parser, "or"))
            return left;
        part *right = is_condition(parser, left) ? parse_and(parser) : NULL;
        left = is_condition(parser, right)
                   ? join(parser, FTH_IS_OR, FTH_TYPE_CONDITION, at, left, right)
                   : NULL;
    }
}

struct fth_expression *fth_expression_parse(const char *text, struct fth_error **error)
{
    struct fth_expression *expression = fth_new(1, sizeof *expression);
    struct fth_expression_parser parser = {.text = text, .expression = expression, .error = error};
    part *root = NULL;
    if (strlen(text) > FTH_EXPRESSION_LONGEST)
        fth_fail(error, "it is longer than %d bytes", FTH_EXPRESSION_LONGEST);
    else
        root = parse_or(&parser);
    fth_expression_parse_space(&parser);
    if (root && is_condition(&parser, root) && text[parser.at])
        root = fth_expression_parse_failed(&parser, parser.at, "%s",
                                           foreign_sign(&parser)
                                               ? foreign_sign(&parser)
                                               : "the end, 'and' or 'or' is expected here");
    else if (root && root->type != FTH_TYPE_CONDITION)
        root = NULL;
    expression->root = root;
    if (root)
        return expression;
    fth_expression_free(expression);
    return NULL;
}
