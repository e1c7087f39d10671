/* Declarations of C as headers have them: typedefs are remembered, functions handed on, all else is
 * skipped. */
#include "catalog/header/c_parser.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* The type behind the first `from` steps. */
static struct fth_c_type type_behind(const struct fth_c_type *base,
                                     const struct declarator *declarator, size_t from)
{
    struct fth_c_type type = *base;
    for (size_t i = declarator->count; i-- > from;) {
        if (declarator->steps[i] == POINTER && type.base != FTH_C_FUNCTION) {
            type.stars++;
            type.own_stars++;
            type.is_const = type.own_stars == 1
                                ? base->is_const
                                : declarator->at[i + 1 < declarator->count ? i + 1 : i] != 0;
        } else if (declarator->steps[i] == ARRAY) {
            type.is_array = true;
        } else {
            type.base = FTH_C_FUNCTION;
        }
    }
    return type;
}

/* ---- texts ---- */

/* "*", "*const *": the pointers from step `from` on, in the order in which they are written. */
static const char *pointers(struct parser *parser, const struct declarator *declarator, size_t from)
{
    const char *text = "";
    for (size_t i = declarator->count; i-- > from;)
        text = fth_c_join(parser, text, declarator->at[i] ? "*const " : "*", "");
    return text;
}

/* The tokens up to `to`, without extensions. */
static const char *clean(struct parser *parser, size_t from, size_t to)
{
    struct parser copy = *parser;
    const char *text = "";
    bool after_word = false;
    for (copy.at = from; copy.at < to;) {
        if (fth_c_skip_extension(&copy))
            continue;
        const struct fth_c_token *token = current(&copy);
        bool word = token->kind != FTH_C_OTHER;
        const char *piece = fth_c_keep(parser, token->start, token->length);
        text = fth_c_join(parser, text, after_word && (word || *piece == '*') ? " " : "", piece);
        after_word = word || *piece == ',';
        copy.at++;
    }
    return text;
}

static bool only(const struct declarator *declarator, size_t from, enum step step)
{
    for (size_t i = from; i < declarator->count; i++)
        if (declarator->steps[i] != step)
            return false;
    return true;
}

/* Where the parentheses end that begin before the token `at`. */
static size_t end_of(const struct parser *parser, size_t at)
{
    struct parser copy = *parser;
    copy.at = at - 1;
    fth_c_skip_balanced(&copy);
    return copy.at;
}

/* The declaration as a row has it; NULL: rows cannot say it. */
static const char *declaration_text(struct parser *parser, const struct specifiers *specifiers,
                                    const struct declarator *declarator, const char *name)
{
    const char *base = specifiers->text;
    size_t count = declarator->count;
    if (only(declarator, 0, POINTER)) {
        const char *stars = pointers(parser, declarator, 0);
        return fth_c_join(parser, fth_c_join(parser, base, " ", stars), "", name);
    }
    if (declarator->steps[0] == ARRAY && only(declarator, 1, POINTER))
        return fth_c_join(parser,
                          fth_c_join(parser,
                                     fth_c_join(parser, base, " ", pointers(parser, declarator, 1)),
                                     "", name),
                          "[]", "");
    size_t function =
        declarator->steps[0] == FUNCTION                                                   ? 0
        : count > 1 && declarator->steps[0] == POINTER && declarator->steps[1] == FUNCTION ? 1
                                                                                           : count;
    if (function == count || !only(declarator, function + 1, POINTER))
        return NULL;
    const char *inside =
        clean(parser, declarator->at[function] - 1, end_of(parser, declarator->at[function]));
    const char *head = fth_c_join(
        parser, fth_c_join(parser, base, " ", pointers(parser, declarator, function + 1)), "(*",
        name);
    return fth_c_join(parser, head, ")", inside);
}

/* ---- functions ---- */

/* Parameters without a name are called after their place. */
static const char *odd_parameter(struct parser *parser, const struct fth_c_parameter *parameter)
{
    char text[160];
    snprintf(text, sizeof text,
             "a row cannot express the type of its parameter '%.60s'; use a typedef in a header",
             parameter->name);
    return fth_c_keep(parser, text, strlen(text));
}

static void read_parameters(struct parser *parser, size_t at, struct fth_c_function *function)
{
    size_t back = parser->at;
    parser->at = at;
    if (is(parser, ")"))
        function->problem = "its parameters are not declared: () is not (void)";
    if (is(parser, "void") && fth_c_is(next(parser), ")"))
        parser->at++;
    while (!is(parser, ")") && !is_end(parser)) {
        if (is(parser, "...")) {
            function->problem = "it is variadic";
            break;
        }
        if (function->parameter_count == FTH_C_MOST_PARAMETERS) {
            function->problem = "it has too many parameters";
            break;
        }
        struct specifiers specifiers;
        struct declarator declarator = {0};
        char own[16];
        size_t before = parser->at;
        fth_c_read_specifiers(parser, &specifiers);
        fth_c_read_declarator(parser, &declarator);
        struct fth_c_parameter *parameter = &function->parameters[function->parameter_count++];
        snprintf(own, sizeof own, "p%zu", function->parameter_count);
        parameter->name = declarator.name
                              ? fth_c_keep(parser, declarator.name->start, declarator.name->length)
                              : fth_c_keep(parser, own, strlen(own));
        parameter->text = declarator.is_odd || !specifiers.has_word
                              ? NULL
                              : declaration_text(parser, &specifiers, &declarator, parameter->name);
        parameter->type = type_behind(&specifiers.type, &declarator, 0);
        if (!parameter->text)
            function->problem = odd_parameter(parser, parameter);
        if (!take(parser, ",") && !is(parser, ")")) {
            function->problem = "its parameters cannot be parsed";
            break;
        }
        if (parser->at == before)
            break;
    }
    parser->at = back;
}

static void read_function(struct parser *parser, const struct specifiers *specifiers,
                          const struct declarator *declarator, struct fth_c_function *function)
{
    const char *stars = only(declarator, 1, POINTER) ? pointers(parser, declarator, 1) : "";
    *function = (struct fth_c_function){0};
    function->name = fth_c_keep(parser, declarator->name->start, declarator->name->length);
    function->result = fth_c_join(parser, specifiers->text, *stars ? " " : "", stars);
    function->result_type = type_behind(&specifiers->type, declarator, 1);
    if (!only(declarator, 1, POINTER))
        function->problem = "it returns a pointer to a function";
    else if (!specifiers->has_word)
        function->problem = "its return type cannot be parsed";
    read_parameters(parser, declarator->at[0], function);
    if (declarator->is_renamed)
        function->problem = "the header gives it another name in the library (asm)";
}

/* ---- the whole ---- */

struct taking {
    bool (*wanted)(const char *file, void *context);
    void (*take)(const struct fth_c_function *function, void *context);
    void *context;
    struct fth_c_function function;
};

static void take_declared(struct parser *parser, struct taking *taking,
                          const struct specifiers *specifiers, const struct declarator *declarator)
{
    if (!declarator->name || declarator->is_odd)
        return;
    if (specifiers->is_typedef) {
        struct fth_c_type type = type_behind(&specifiers->type, declarator, 0);
        if (type.is_array)
            type.base = FTH_C_UNKNOWN;
        fth_c_add_typedef(parser, declarator->name, type);
        return;
    }
    if (specifiers->is_static || !declarator->count || declarator->steps[0] != FUNCTION ||
        !taking->wanted(parser->tokens->files[declarator->name->file], taking->context))
        return;
    read_function(parser, specifiers, declarator, &taking->function);
    taking->take(&taking->function, taking->context);
}

/* Up to behind the next semicolon, or a body. */
static void skip_rest(struct parser *parser)
{
    while (!is_end(parser) && !is(parser, ";")) {
        bool body = is(parser, "{");
        if (body || is(parser, "(") || is(parser, "["))
            fth_c_skip_balanced(parser);
        else
            parser->at++;
        if (body)
            return;
    }
    take(parser, ";");
}

static void read_external(struct parser *parser, struct taking *taking)
{
    struct specifiers specifiers;
    if (is(parser, "_Static_assert")) {
        skip_rest(parser);
        return;
    }
    fth_c_read_specifiers(parser, &specifiers);
    while (!is_end(parser) && !is(parser, ";")) {
        struct declarator declarator = {0};
        size_t before = parser->at;
        fth_c_read_declarator(parser, &declarator);
        take_declared(parser, taking, &specifiers, &declarator);
        if (!take(parser, ",") || parser->at == before)
            break;
    }
    skip_rest(parser);
}

void fth_c_declarations(const struct fth_c_tokens *tokens, struct fth_arena *arena,
                        bool (*wanted)(const char *file, void *context),
                        void (*take_function)(const struct fth_c_function *function, void *context),
                        void *context)
{
    struct parser parser = {.tokens = tokens, .arena = arena};
    struct taking *taking = fth_new(1, sizeof *taking);
    taking->wanted = wanted;
    taking->take = take_function;
    taking->context = context;
    while (!is_end(&parser)) {
        size_t before = parser.at;
        read_external(&parser, taking);
        if (parser.at == before)
            parser.at++;
    }
    free(taking);
    free(parser.typedefs);
    free(parser.places);
}
