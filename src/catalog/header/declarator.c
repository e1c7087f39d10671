/* Specifiers and declarators of C, and the typedefs that are known. */
#include "base/hash.h"
#include "catalog/header/c_parser.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_DEPTH = 32, MOST_TYPEDEFS = 1 << 20 };

/* ---- tokens ---- */

/* Over a bracket and what belongs into it. */
void fth_c_skip_balanced(struct parser *parser)
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
bool fth_c_skip_extension(struct parser *parser)
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
        fth_c_skip_balanced(parser);
    return true;
}

static bool is_const_word(const struct fth_c_token *token)
{
    return fth_c_is(token, "const") || fth_c_is(token, "__const") || fth_c_is(token, "__const__");
}

const char *fth_c_keep(struct parser *parser, const char *start, size_t length)
{
    char *copy = fth_arena_take(parser->arena, length + 1);
    memcpy(copy, start, length);
    copy[length] = 0;
    return copy;
}

const char *fth_c_join(struct parser *parser, const char *one, const char *between,
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
    return fth_c_join(parser, text, *text ? " " : "",
                      fth_c_keep(parser, word->start, word->length));
}

/* ---- typedefs ---- */

static uint32_t hash_of(const char *text, size_t length)
{
    return (uint32_t)fth_hash_bytes(FTH_HASH_START, text, length);
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

void fth_c_add_typedef(struct parser *parser, const struct fth_c_token *name,
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
    while (fth_c_skip_extension(parser))
        ;
    specifiers->type.base = is_enum ? FTH_C_INTEGER : FTH_C_RECORD;
    specifiers->text = with_word(parser, specifiers->text, kind);
    specifiers->type.word = fth_c_keep(parser, kind->start, kind->length);
    if (current(parser)->kind == FTH_C_WORD) {
        specifiers->text = with_word(parser, specifiers->text, current(parser));
        specifiers->type.word = with_word(parser, specifiers->type.word, current(parser));
        parser->at++;
    }
    if (is(parser, "{"))
        fth_c_skip_balanced(parser);
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
                                                  : fth_c_keep(parser, word->start, word->length);
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
    specifiers->type.word = fth_c_keep(parser, word->start, word->length);
    specifiers->text = with_word(parser, specifiers->text, word);
    specifiers->has_word = true;
    parser->at++;
    return true;
}

void fth_c_read_specifiers(struct parser *parser, struct specifiers *specifiers)
{
    *specifiers = (struct specifiers){.text = "", .type = {.base = FTH_C_INTEGER}};
    while (!is_end(parser)) {
        if (fth_c_skip_extension(parser) || read_basic(parser, specifiers))
            continue;
        if (take(parser, "typedef")) {
            specifiers->is_typedef = true;
        } else if (take(parser, "static")) {
            specifiers->is_static = true;
        } else if (is_const_word(current(parser))) {
            specifiers->type.is_const = true;
            specifiers->text =
                fth_c_join(parser, specifiers->text, *specifiers->text ? " " : "", "const");
            parser->at++;
        } else if (is(parser, "struct") || is(parser, "union") || is(parser, "enum")) {
            read_tagged(parser, specifiers);
            specifiers->has_word = true;
        } else if (is(parser, "__typeof__") || is(parser, "typeof") || is(parser, "_Atomic")) {
            specifiers->type.base = FTH_C_UNKNOWN;
            specifiers->has_word = true;
            parser->at++;
            if (is(parser, "("))
                fth_c_skip_balanced(parser);
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

void fth_c_read_declarator(struct parser *parser, struct declarator *declarator)
{
    static const char *const renaming[] = {"asm", "__asm", "__asm__", NULL};
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
        } else if (!fth_c_skip_extension(parser)) {
            break;
        }
    }
    if (is(parser, "(") && groups(parser) && !declarator->is_odd) {
        parser->at++;
        fth_c_read_declarator(parser, declarator);
        while (fth_c_skip_extension(parser))
            ;
        declarator->is_odd = declarator->is_odd || !take(parser, ")");
    } else if (current(parser)->kind == FTH_C_WORD) {
        declarator->name = current(parser);
        parser->at++;
    }
    for (;;) {
        if (is(parser, "[") || is(parser, "(")) {
            add_step(declarator, is(parser, "[") ? ARRAY : FUNCTION, parser->at + 1);
            fth_c_skip_balanced(parser);
        } else if (is_one_of(current(parser), renaming)) {
            declarator->is_renamed = true;
            fth_c_skip_extension(parser);
        } else if (!fth_c_skip_extension(parser)) {
            break;
        }
    }
    while (star_count)
        add_step(declarator, POINTER, stars[--star_count]);
    parser->depth--;
}
