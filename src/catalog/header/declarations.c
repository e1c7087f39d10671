/* Declarations of C as headers have them: typedefs are remembered, functions handed on, all else is skipped. A declarator is read from the inside out
 * (C17, 6.7.6): what stands behind a name before what stands in front of it. */
#include "catalog/header/header.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 16, MOST_DEPTH = 32, MOST_TYPEDEFS = 1 << 20 };

enum step { POINTER, ARRAY, FUNCTION };

/* What a declarator says of its name, from the name on. */
struct declarator {
    const struct fth_c_token *name; /* NULL: none */
    enum step steps[MOST_STEPS];
    size_t at
        [MOST_STEPS]; /* the token behind the bracket or parenthesis; of POINTER: 1 when const follows */
    size_t count;
    bool is_odd; /* more than is understood */
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

/* ---- tokens ---- */

static const struct fth_c_token *current(const struct parser *parser)
{
    return &parser->tokens->list[parser->at];
}

static const struct fth_c_token *next(const struct parser *parser)
{
    return current(parser)->kind == FTH_C_END ? current(parser) : current(parser) + 1;
}

static bool is(const struct parser *parser, const char *text)
{
    return fth_c_is(current(parser), text);
}

static bool is_end(const struct parser *parser)
{
    return current(parser)->kind == FTH_C_END;
}

static bool take(struct parser *parser, const char *text)
{
    bool found = is(parser, text);
    if (found && !is_end(parser))
        parser->at++;
    return found;
}

/* Over a bracket and what belongs into it. */
static void skip_balanced(struct parser *parser)
{
    size_t depth = 0;
    do {
        if (is(parser, "(") || is(parser, "[") || is(parser, "{"))
            depth++;
        else if (is(parser, ")") || is(parser, "]") || is(parser, "}"))
            depth--;
        if (is_end(parser))
            return;
        parser->at++;
    } while (depth);
}

static bool is_one_of(const struct fth_c_token *token, const char *const *words)
{
    for (; *words; words++)
        if (fth_c_is(token, *words))
            return true;
    return false;
}

/* Words that change nothing for us, with what may stand behind them in parentheses. */
static bool skip_extension(struct parser *parser)
{
    static const char *const alone[] = {
        "__extension__", "extern",   "inline",        "__inline",   "__inline__", "_Noreturn",
        "register",      "auto",     "_Thread_local", "__thread",   "restrict",   "__restrict",
        "__restrict__",  "volatile", "__volatile__",  "__volatile", NULL};
    static const char *const with_more[] = {"__attribute__", "__attribute", "asm",        "__asm",
                                            "__asm__",       "_Alignas",    "__declspec", NULL};
    if (is_one_of(current(parser), alone)) {
        parser->at++;
        return true;
    }
    if (!is_one_of(current(parser), with_more))
        return false;
    parser->at++;
    if (is(parser, "("))
        skip_balanced(parser);
    return true;
}

static bool is_const_word(const struct fth_c_token *token)
{
    return fth_c_is(token, "const") || fth_c_is(token, "__const") || fth_c_is(token, "__const__");
}

static const char *keep(struct parser *parser, const char *start, size_t length)
{
    char *copy = fth_arena_take(parser->arena, length + 1);
    memcpy(copy, start, length);
    copy[length] = 0;
    return copy;
}

static const char *join(struct parser *parser, const char *one, const char *between,
                        const char *other)
{
    size_t a = strlen(one), b = strlen(between), c = strlen(other);
    char *made = fth_arena_take(parser->arena, a + b + c + 1);
    memcpy(made, one, a);
    memcpy(made + a, between, b);
    memcpy(made + a + b, other, c + 1);
    return made;
}

static const char *with_word(struct parser *parser, const char *text,
                             const struct fth_c_token *word)
{
    return join(parser, text, *text ? " " : "", keep(parser, word->start, word->length));
}

/* ---- typedefs ---- */

static uint32_t hash_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

static size_t place_of(const struct parser *parser, const char *name, size_t length)
{
    size_t at = hash_of(name, length) & (parser->place_count - 1);
    for (; parser->places[at]; at = (at + 1) & (parser->place_count - 1)) {
        const struct typedef_name *known = &parser->typedefs[parser->places[at] - 1];
        if (known->length == length && memcmp(known->name, name, length) == 0)
            break;
    }
    return at;
}

static const struct typedef_name *find_typedef(const struct parser *parser,
                                               const struct fth_c_token *word)
{
    size_t at = parser->place_count ? place_of(parser, word->start, word->length) : 0;
    return parser->place_count && parser->places[at] ? &parser->typedefs[parser->places[at] - 1]
                                                     : NULL;
}

static void grow_places(struct parser *parser)
{
    free(parser->places);
    parser->place_count = parser->place_count ? parser->place_count * 2 : 1024;
    parser->places = fth_new(parser->place_count, sizeof *parser->places);
    for (size_t i = 0; i < parser->typedef_count; i++)
        parser->places[place_of(parser, parser->typedefs[i].name, parser->typedefs[i].length)] =
            (uint32_t)i + 1;
}

static void add_typedef(struct parser *parser, const struct fth_c_token *name,
                        struct fth_c_type type)
{
    if (find_typedef(parser, name) || parser->typedef_count == MOST_TYPEDEFS)
        return;
    FTH_GROW(parser->typedefs, parser->typedef_count);
    parser->typedefs[parser->typedef_count++] =
        (struct typedef_name){name->start, name->length, type};
    if (parser->typedef_count * 2 > parser->place_count)
        grow_places(parser);
    else
        parser->places[place_of(parser, name->start, name->length)] =
            (uint32_t)parser->typedef_count;
}

/* ---- specifiers ---- */

static void read_tagged(struct parser *parser, struct specifiers *specifiers)
{
    const struct fth_c_token *kind = current(parser);
    bool is_enum = fth_c_is(kind, "enum");
    parser->at++;
    while (skip_extension(parser))
        ;
    specifiers->type.base = is_enum ? FTH_C_INTEGER : FTH_C_RECORD;
    specifiers->text = with_word(parser, specifiers->text, kind);
    specifiers->type.word = keep(parser, kind->start, kind->length);
    if (current(parser)->kind == FTH_C_WORD) {
        specifiers->text = with_word(parser, specifiers->text, current(parser));
        specifiers->type.word = with_word(parser, specifiers->type.word, current(parser));
        parser->at++;
    }
    if (is(parser, "{"))
        skip_balanced(parser);
}

/* Takes one of the words of a type that the language has. */
static bool read_basic(struct parser *parser, struct specifiers *specifiers)
{
    static const char *const integers[] = {"short",      "int",   "long", "signed",   "unsigned",
                                           "__signed__", "_Bool", "bool", "__int128", NULL};
    static const char *const floats[] = {"float",     "double",    "_Complex",   "__complex__",
                                         "_Float16",  "_Float32",  "_Float64",   "_Float128",
                                         "_Float32x", "_Float64x", "__float128", NULL};
    const struct fth_c_token *word = current(parser);
    enum fth_c_base base = fth_c_is(word, "void")                ? FTH_C_VOID
                           : fth_c_is(word, "char")              ? FTH_C_CHARACTER
                           : fth_c_is(word, "__builtin_va_list") ? FTH_C_UNKNOWN
                           : is_one_of(word, integers)           ? FTH_C_INTEGER
                           : is_one_of(word, floats)             ? FTH_C_FLOAT
                                                                 : FTH_C_FUNCTION;
    if (base == FTH_C_FUNCTION)
        return false;
    bool stronger = base == FTH_C_FLOAT || base == FTH_C_CHARACTER || !specifiers->has_word;
    if (stronger)
        specifiers->type.base = base;
    specifiers->text = with_word(parser, specifiers->text, word);
    specifiers->type.word = specifiers->type.word ? with_word(parser, specifiers->type.word, word)
                                                  : keep(parser, word->start, word->length);
    specifiers->has_word = true;
    parser->at++;
    return true;
}

/* A name that is a type, and no name of what is declared. */
static bool read_typedef_name(struct parser *parser, struct specifiers *specifiers)
{
    const struct fth_c_token *word = current(parser);
    const struct typedef_name *known = find_typedef(parser, word);
    if (specifiers->has_word || word->kind != FTH_C_WORD)
        return false;
    if (!known && next(parser)->kind != FTH_C_WORD && !fth_c_is(next(parser), "*"))
        return false;
    bool was_const = specifiers->type.is_const;
    if (known)
        specifiers->type = known->type;
    else
        specifiers->type.base = FTH_C_UNKNOWN;
    specifiers->type.own_stars = 0;
    specifiers->type.is_const = was_const || (known && known->type.is_const);
    specifiers->type.is_typedef = true;
    specifiers->type.word = keep(parser, word->start, word->length);
    specifiers->text = with_word(parser, specifiers->text, word);
    specifiers->has_word = true;
    parser->at++;
    return true;
}

static void read_specifiers(struct parser *parser, struct specifiers *specifiers)
{
    *specifiers = (struct specifiers){.text = "", .type = {.base = FTH_C_INTEGER}};
    while (!is_end(parser)) {
        if (skip_extension(parser) || read_basic(parser, specifiers))
            continue;
        if (take(parser, "typedef")) {
            specifiers->is_typedef = true;
        } else if (take(parser, "static")) {
            specifiers->is_static = true;
        } else if (is_const_word(current(parser))) {
            specifiers->type.is_const = true;
            specifiers->text =
                join(parser, specifiers->text, *specifiers->text ? " " : "", "const");
            parser->at++;
        } else if (is(parser, "struct") || is(parser, "union") || is(parser, "enum")) {
            read_tagged(parser, specifiers);
            specifiers->has_word = true;
        } else if (is(parser, "__typeof__") || is(parser, "typeof") || is(parser, "_Atomic")) {
            specifiers->type.base = FTH_C_UNKNOWN;
            specifiers->has_word = true;
            parser->at++;
            if (is(parser, "("))
                skip_balanced(parser);
        } else if (!read_typedef_name(parser, specifiers)) {
            return;
        }
    }
}

/* ---- declarators ---- */

static void add_step(struct declarator *declarator, enum step step, size_t at)
{
    if (declarator->count == MOST_STEPS) {
        declarator->is_odd = true;
        return;
    }
    declarator->steps[declarator->count] = step;
    declarator->at[declarator->count++] = at;
}

/* Does a parenthesis here hold a declarator, and not parameters? */
static bool groups(const struct parser *parser)
{
    const struct fth_c_token *behind = next(parser);
    return fth_c_is(behind, "*") || fth_c_is(behind, "(") || fth_c_is(behind, "__attribute__") ||
           (behind->kind == FTH_C_WORD && !find_typedef(parser, behind) &&
            (fth_c_is(behind + 1, ")") || fth_c_is(behind + 1, "(")) && !fth_c_is(behind, "void") &&
            !fth_c_is(behind, "int") && !fth_c_is(behind, "char"));
}

static void read_declarator(struct parser *parser, struct declarator *declarator)
{
    size_t stars[MOST_STEPS], star_count = 0;
    if (++parser->depth > MOST_DEPTH)
        declarator->is_odd = true;
    for (;;) {
        if (is(parser, "*") && star_count < MOST_STEPS) {
            stars[star_count++] = 0;
            parser->at++;
        } else if (is_const_word(current(parser)) && !is_end(parser)) {
            if (star_count)
                stars[star_count - 1] = 1;
            parser->at++;
        } else if (!skip_extension(parser)) {
            break;
        }
    }
    if (is(parser, "(") && groups(parser) && !declarator->is_odd) {
        parser->at++;
        read_declarator(parser, declarator);
        while (skip_extension(parser))
            ;
        declarator->is_odd = declarator->is_odd || !take(parser, ")");
    } else if (current(parser)->kind == FTH_C_WORD) {
        declarator->name = current(parser);
        parser->at++;
    }
    for (;;) {
        if (is(parser, "[") || is(parser, "(")) {
            add_step(declarator, is(parser, "[") ? ARRAY : FUNCTION, parser->at + 1);
            skip_balanced(parser);
        } else if (!skip_extension(parser)) {
            break;
        }
    }
    while (star_count)
        add_step(declarator, POINTER, stars[--star_count]);
    parser->depth--;
}

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
        text = join(parser, text, declarator->at[i] ? "*const " : "*", "");
    return text;
}

/* The tokens up to `to`, without extensions. */
static const char *clean(struct parser *parser, size_t from, size_t to)
{
    struct parser copy = *parser;
    const char *text = "";
    bool after_word = false;
    for (copy.at = from; copy.at < to;) {
        if (skip_extension(&copy))
            continue;
        const struct fth_c_token *token = current(&copy);
        bool word = token->kind != FTH_C_OTHER;
        const char *piece = keep(parser, token->start, token->length);
        text = join(parser, text, after_word && (word || *piece == '*') ? " " : "", piece);
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
    skip_balanced(&copy);
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
        return join(parser, join(parser, base, " ", stars), "", name);
    }
    if (declarator->steps[0] == ARRAY && only(declarator, 1, POINTER))
        return join(
            parser,
            join(parser, join(parser, base, " ", pointers(parser, declarator, 1)), "", name), "[]",
            "");
    size_t function =
        declarator->steps[0] == FUNCTION                                                   ? 0
        : count > 1 && declarator->steps[0] == POINTER && declarator->steps[1] == FUNCTION ? 1
                                                                                           : count;
    if (function == count || !only(declarator, function + 1, POINTER))
        return NULL;
    const char *inside =
        clean(parser, declarator->at[function] - 1, end_of(parser, declarator->at[function]));
    const char *head = join(
        parser, join(parser, base, " ", pointers(parser, declarator, function + 1)), "(*", name);
    return join(parser, head, ")", inside);
}

/* ---- functions ---- */

/* Parameters without a name are called after their place. */
static void read_parameters(struct parser *parser, size_t at, struct fth_c_function *function)
{
    size_t back = parser->at;
    parser->at = at;
    if (is(parser, "void") && fth_c_is(next(parser), ")"))
        parser->at++;
    while (!is(parser, ")") && !is_end(parser)) {
        if (is(parser, "...")) {
            function->problem = "it takes any number of arguments";
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
        read_specifiers(parser, &specifiers);
        read_declarator(parser, &declarator);
        struct fth_c_parameter *parameter = &function->parameters[function->parameter_count++];
        snprintf(own, sizeof own, "p%zu", function->parameter_count);
        parameter->name = declarator.name
                              ? keep(parser, declarator.name->start, declarator.name->length)
                              : keep(parser, own, strlen(own));
        parameter->text = declarator.is_odd || !specifiers.has_word
                              ? NULL
                              : declaration_text(parser, &specifiers, &declarator, parameter->name);
        parameter->type = type_behind(&specifiers.type, &declarator, 0);
        if (!parameter->text)
            function->problem = "a row cannot say the type of one of its parameters";
        if (!take(parser, ",") && !is(parser, ")")) {
            function->problem = "its parameters are not understood";
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
    function->name = keep(parser, declarator->name->start, declarator->name->length);
    function->result = join(parser, specifiers->text, *stars ? " " : "", stars);
    function->result_type = type_behind(&specifiers->type, declarator, 1);
    if (!only(declarator, 1, POINTER))
        function->problem = "it returns a pointer to a function";
    else if (!specifiers->has_word)
        function->problem = "what it returns is not understood";
    read_parameters(parser, declarator->at[0], function);
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
        add_typedef(parser, declarator->name, type);
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
            skip_balanced(parser);
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
    read_specifiers(parser, &specifiers);
    while (!is_end(parser) && !is(parser, ";")) {
        struct declarator declarator = {0};
        size_t before = parser->at;
        read_declarator(parser, &declarator);
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
