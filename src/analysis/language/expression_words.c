/* The words of expressions: constants, names, and what is wrong where. */
#include "analysis/language/expression_parser.h"

#include "base/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

/* Columns are characters. */
static size_t column_of(const struct fth_expression_parser *parser, size_t at)
{
    size_t column = 1;
    for (size_t i = 0; i < at; i++)
        column += ((unsigned char)parser->text[i] & 0xc0) != 0x80;
    return column;
}

void *fth_expression_parse_failed(struct fth_expression_parser *parser, size_t at,
                                  const char *format, ...)
{
    char why[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (parser->text[at])
        fth_fail(parser->error, "at column %zu, '%.40s': %s", column_of(parser, at),
                 parser->text + at, why);
    else
        fth_fail(parser->error, "at its end: %s", why);
    return NULL;
}

const char *fth_expression_type_name(enum fth_expression_type type)
{
    static const char *const names[] = {
        [FTH_TYPE_NUMBER] = "a number", [FTH_TYPE_BYTES] = "a number of bytes",
        [FTH_TYPE_TIME] = "a time",     [FTH_TYPE_TEXT] = "a text",
        [FTH_TYPE_PATH] = "a path",     [FTH_TYPE_TEXTS] = "a text",
        [FTH_TYPE_ANY] = "a value",     [FTH_TYPE_CONDITION] = "true or false"};
    return names[type];
}

/* Words that people try first. */
static const struct {
    const char *word, *field;
} other_words[] =
    {
        {"size", "bytes"},
        {"length", "bytes"},
        {"len", "bytes"},
        {"moved", "bytes"},
        {"path", "file"},
        {"filename", "file"},
        {"file_name", "file"},
        {"function", "func"},
        {"name", "func"},
        {"process", "proc"},
        {"fs", "filesystem"},
        {"file_system", "filesystem"},
        {"elapsed", "duration"},
        {"took", "duration"},
        {"latency", "duration"},
        {"began", "start"},
        {"ended", "end"},
        {"bandwidth", "rate"},
        {"position", "offset"},
        {"pos", "offset"},
        {"result", "ret"},
        {"line", "source"},
        {"node", "host"},
        {"executable", "program"},
        {"communicator", "group_name"},
},
  ambiguous_words[] = {
      {"op", "'func' (the function: pwrite) or 'kind' (what it does: write)"},
      {"operation", "'func' (the function: pwrite) or 'kind' (what it does: write)"},
      {"call", "'func' (the function: pwrite) or 'number' (which one of its thread)"},
      {"type", "'kind' (what the function does: write) or 'class' (the type of its handle)"},
      {"time", "'duration' (how long it took), 'start' or 'end' (when)"},
      {"pid", "'proc' (the number of the process in `fathom info`)"},
      {"tid", "'thread' (its number within the process)"},
      {"read", "'reads' (by itself: the call reads data) or kind == read"},
      {"write", "'writes' (by itself: the call writes data) or kind == write"},
      {"fd", "'arg.fd' (a parameter, by its name), or 'file'"},
      {"flags", "'arg.flags' (a parameter, by its name)"},
      {"mode", "'arg.mode' (a parameter, by its name)"},
      {"count", "'bytes' (how many it moved) or 'arg.count' (a parameter, by its name)"},
      {"comm", "'group_name' or 'group_size'"},
};

const char *fth_expression_field_meant(const char *word)
{
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (strcmp(other_words[i].word, word) == 0)
            return other_words[i].field;
    return word;
}

void *fth_expression_parse_failed_on_name(struct fth_expression_parser *parser, size_t at,
                                          const char *name)
{
    size_t least = SIZE_MAX, used = 0;
    const char *meant = NULL;
    char all[768] = "";
    for (size_t i = 0; i < sizeof ambiguous_words / sizeof *ambiguous_words; i++)
        if (strcmp(ambiguous_words[i].word, name) == 0)
            return fth_expression_parse_failed(parser, at, "calls have no '%s'; there is %s", name,
                                               ambiguous_words[i].field);
    for (size_t i = 0; fth_expression_field(i); i++) {
        if (fth_is_nearer(name, fth_expression_field(i), &least))
            meant = fth_expression_field(i);
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                                     fth_expression_field(i));
    }
    return fth_expression_parse_failed(
        parser, at, "calls have no '%s'%s%s%s They have %s, and arg.NAME", name,
        meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : ".", all);
}

/* ---- parts ---- */

struct fth_part_of_expression *fth_expression_parse_part(struct fth_expression_parser *parser,
                                                         enum fth_operator is,
                                                         enum fth_expression_type type, size_t at)
{
    if (parser->expression->count++ == FTH_EXPRESSION_MOST)
        return fth_expression_parse_failed(parser, at, "it is too long: more than %d parts",
                                           FTH_EXPRESSION_MOST);
    struct fth_part_of_expression *made = fth_arena_take(&parser->expression->arena, sizeof *made);
    *made =
        (struct fth_part_of_expression){.is = is, .type = type, .at = at, .scope = FTH_OF_PROCESS};
    return made;
}

/* ---- words ---- */

void fth_expression_parse_space(struct fth_expression_parser *parser)
{
    while (isspace((unsigned char)parser->text[parser->at]))
        parser->at++;
}

/* Letters, digits and single dots between them: "arg.count", but not all of "1K..4K". */
static bool is_of_word(const char *text)
{
    return isalnum((unsigned char)*text) || *text == '_' ||
           (*text == '.' && (isalpha((unsigned char)text[1]) || text[1] == '_'));
}

size_t fth_expression_parse_word(const struct fth_expression_parser *parser)
{
    const char *text = parser->text + parser->at;
    size_t length = 0;
    if (isalpha((unsigned char)*text) || *text == '_')
        while (is_of_word(text + length))
            length++;
    return length;
}

/* Takes this word or sign, if it is what comes next. */
bool fth_expression_parse_take(struct fth_expression_parser *parser, const char *what)
{
    fth_expression_parse_space(parser);
    size_t length = strlen(what);
    if (strncasecmp(parser->text + parser->at, what, length) != 0 ||
        (isalpha((unsigned char)*what) && fth_expression_parse_word(parser) != length))
        return false;
    parser->at += length;
    return true;
}

char *fth_expression_parse_keep(struct fth_expression_parser *parser, const char *text,
                                size_t length)
{
    char *kept = fth_arena_take(&parser->expression->arena, length + 1);
    memcpy(kept, text, length);
    kept[length] = 0;
    return kept;
}

/* ---- constants ---- */

static const struct fth_unit_of_text units[] = {
    {"ns", FTH_TYPE_TIME, 1},      {"us", FTH_TYPE_TIME, 1e3},
    {"ms", FTH_TYPE_TIME, 1e6},    {"s", FTH_TYPE_TIME, 1e9},
    {"min", FTH_TYPE_TIME, 60e9},  {"B", FTH_TYPE_BYTES, 1},
    {"K", FTH_TYPE_BYTES, 0x1p10}, {"KiB", FTH_TYPE_BYTES, 0x1p10},
    {"M", FTH_TYPE_BYTES, 0x1p20}, {"MiB", FTH_TYPE_BYTES, 0x1p20},
    {"G", FTH_TYPE_BYTES, 0x1p30}, {"GiB", FTH_TYPE_BYTES, 0x1p30},
    {"T", FTH_TYPE_BYTES, 0x1p40}, {"TiB", FTH_TYPE_BYTES, 0x1p40},
};

bool fth_expression_parse_in_unit(struct fth_part_of_expression *constant,
                                  const struct fth_unit_of_text *unit)
{
    double value = constant->real * unit->scale;
    int64_t exact;
    if (!(value > -9.2e18 && value < 9.2e18))
        return false;
    constant->type = unit->type;
    constant->number = !constant->fraction && !__builtin_mul_overflow(constant->number,
                                                                      (int64_t)unit->scale, &exact)
                           ? exact
                           : (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
    constant->fraction = false;
    return true;
}

/* 4096, 4K, 0.5ms, -1. */
struct fth_part_of_expression *fth_expression_parse_number(struct fth_expression_parser *parser)
{
    fth_expression_parse_space(parser);
    size_t at = parser->at, digits = 0;
    const char *text = parser->text;
    char copy[48];
    bool minus = text[at] == '-';
    size_t end = at + minus;
    while (isdigit((unsigned char)text[end]) || (text[end] == '.' && text[end + 1] != '.'))
        digits += text[end++] != '.';
    if (!digits || end - at >= sizeof copy)
        return fth_expression_parse_failed(parser, at, "a number is expected here");
    memcpy(copy, text + at, end - at);
    copy[end - at] = 0;
    struct fth_part_of_expression *made =
        fth_expression_parse_part(parser, FTH_IS_CONSTANT, FTH_TYPE_NUMBER, at);
    char *rest;
    if (!made)
        return NULL;
    made->fraction = strchr(copy, '.') != NULL;
    made->real = strtod(copy, &rest);
    bool good = !*rest && made->real > -9.2e18 && made->real < 9.2e18;
    errno = 0;
    made->number = made->fraction ? 0 : strtoll(copy, &rest, 10);
    if (made->fraction ? !good : errno || *rest)
        return fth_expression_parse_failed(parser, at, "this is not a number");
    parser->at = end;
    size_t length = fth_expression_parse_word(parser);
    if (!length)
        return made;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && !strncasecmp(units[i].name, text + end, length)) {
            parser->at += length;
            return fth_expression_parse_in_unit(made, &units[i])
                       ? made
                       : fth_expression_parse_failed(parser, at, "this number is too large");
        }
    return fth_expression_parse_failed(
        parser, end, "this is not a unit; the units are ns, us, ms, s, min, B, K, M, G and T");
}

/* A text in quotes, or up to the next space, bracket or comma. */
struct fth_part_of_expression *fth_expression_parse_text(struct fth_expression_parser *parser)
{
    fth_expression_parse_space(parser);
    const char *text = parser->text + parser->at;
    size_t at = parser->at, length = 0;
    char quote = *text == '"' || *text == '\'' ? *text : 0;
    if (quote) {
        const char *end = strchr(++text, quote);
        if (!end)
            return fth_expression_parse_failed(parser, at, "this quote is not closed");
        length = (size_t)(end - text);
        parser->at += length + 2;
    } else {
        while (text[length] && !isspace((unsigned char)text[length]) &&
               !strchr("(),\"'", text[length]))
            length++;
        if (!length)
            return fth_expression_parse_failed(parser, at, "a string is expected here");
        parser->at += length;
    }
    struct fth_part_of_expression *made =
        fth_expression_parse_part(parser, FTH_IS_CONSTANT, FTH_TYPE_TEXT, at);
    if (made)
        made->text = fth_expression_parse_keep(parser, text, length);
    return made;
}
