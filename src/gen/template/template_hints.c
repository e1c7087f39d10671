/* The hints of a template, from its text: sets by their heads and tails, their hints and words.
 * A mistake ends it: the error has the place, the hint, and a repair. */
#include "gen/template/template_hints.h"

#include "base/fail_at.h"
#include "base/growing_text.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 1024, MOST_HINTS = 1 << 20 };

static const char *const kinds[] = {"options",    "types", "dimensions", "variables",
                                    "attributes", "write", "read",       "close"};
#define KIND_COUNT (sizeof kinds / sizeof *kinds)

const char *fth_hint_kind_name(enum fth_hint_kind kind)
{
    return kinds[kind];
}

int fth_hints_fail(const struct fth_hints *hints, struct fth_hint_place place,
                   struct fth_error **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fth_fail_at(error, hints->path, place.line, place.column, format, arguments);
    va_end(arguments);
    return -1;
}

/* Where the parser is. */
struct cursor {
    struct fth_hints *hints;
    size_t at;
    struct fth_hint_place place;
    struct fth_error **error;
};

static bool at_end(const struct cursor *cursor)
{
    return cursor->at >= cursor->hints->length;
}
static char here(const struct cursor *cursor)
{
    return at_end(cursor) ? '\0' : cursor->hints->text[cursor->at];
}
static void step(struct cursor *cursor)
{
    if (here(cursor) == '\n')
        cursor->place = (struct fth_hint_place){cursor->place.line + 1, 1};
    else
        cursor->place.column++;
    cursor->at++;
}
static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}
static bool starts_with(const struct cursor *cursor, const char *word)
{
    size_t length = strlen(word);
    return cursor->hints->length - cursor->at >= length &&
           memcmp(cursor->hints->text + cursor->at, word, length) == 0;
}

/* Blanks, and comments of the language of the template. */
static void skip_blanks(struct cursor *cursor)
{
    const char *comment = cursor->hints->fortran ? "!" : "//";
    while (!at_end(cursor)) {
        if (starts_with(cursor, comment))
            while (!at_end(cursor) && here(cursor) != '\n')
                step(cursor);
        else if (is_blank(here(cursor)))
            step(cursor);
        else
            return;
    }
}

static const char *keep(struct cursor *cursor, size_t begin, size_t end)
{
    const char *text = cursor->hints->text;
    while (begin < end && is_blank(text[begin]))
        begin++;
    while (end > begin && is_blank(text[end - 1]))
        end--;
    char *copy = fth_arena_take(&cursor->hints->arena, end - begin + 1);
    for (size_t i = begin; i < end; i++) /* a line break inside is a blank */
        copy[i - begin] = is_blank(text[i]) || !text[i] ? ' ' : text[i];
    copy[end - begin] = '\0';
    return copy;
}

/* Is the word before `at` one that is followed by a tuple, as in `buffer in <8, 8> at <1, 1>`? */
static bool takes_tuple(const struct cursor *cursor, size_t begin)
{
    size_t end = cursor->at;
    const char *text = cursor->hints->text;
    while (end > begin && is_blank(text[end - 1]))
        end--;
    return end - begin >= 3 && is_blank(text[end - 3]) &&
           (!memcmp(text + end - 2, "in", 2) || !memcmp(text + end - 2, "at", 2));
}

/* Behind a text in quotes. */
static int skip_quoted(struct cursor *cursor)
{
    struct fth_hint_place place = cursor->place;
    char quote = here(cursor);
    step(cursor);
    while (!at_end(cursor) && here(cursor) != quote && here(cursor) != '\n') {
        if (here(cursor) == '\\' && !cursor->hints->fortran)
            step(cursor);
        if (!at_end(cursor))
            step(cursor);
    }
    if (here(cursor) != quote)
        return fth_hints_fail(cursor->hints, place, cursor->error,
                              "the text that begins here has no closing %c on its line", quote);
    step(cursor);
    return 0;
}

/* To the end of a parameter: a comma, `;`, or the `>` that closes a tuple. */
static int skip_word(struct cursor *cursor, size_t begin, bool in_tuple)
{
    char open[64];
    unsigned depth = 0;
    struct fth_hint_place place = cursor->place;
    for (; !at_end(cursor); step(cursor)) {
        char byte = here(cursor);
        while (byte == '"' || byte == '\'') {
            if (skip_quoted(cursor))
                return -1;
            byte = here(cursor);
        }
        if (byte == ';' || (!depth && (byte == ',' || (in_tuple && byte == '>'))) || !byte)
            break;
        if (byte == '#' && cursor->place.column == 1)
            break;
        bool opens = byte == '(' || byte == '[' || byte == '{' ||
                     (byte == '<' && !depth && takes_tuple(cursor, begin));
        bool closes = byte == ')' || byte == ']' || byte == '}' ||
                      (byte == '>' && depth && open[depth - 1] == '<');
        if (opens && depth == sizeof open)
            return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                                  "brackets are nested more than %zu deep", sizeof open);
        if (opens)
            open[depth++] = byte;
        if (closes && !depth)
            return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                                  "'%c' closes a bracket that is not open", byte);
        if (closes)
            depth--;
    }
    if (depth)
        return fth_hints_fail(cursor->hints, place, cursor->error,
                              "'%c' is not closed in the parameter that begins here",
                              open[depth - 1]);
    return 0;
}

static int read_words(struct cursor *cursor, bool in_tuple, struct fth_hint_word **words,
                      uint32_t *count);

static int read_tuple(struct cursor *cursor, struct fth_hint_word *word, size_t begin)
{
    struct fth_hint_place place = cursor->place;
    step(cursor);
    if (read_words(cursor, true, &word->items, &word->item_count))
        return -1;
    if (here(cursor) != '>')
        return fth_hints_fail(cursor->hints, place, cursor->error,
                              "the tuple that begins here has no closing '>'");
    step(cursor);
    word->text = keep(cursor, begin, cursor->at);
    skip_blanks(cursor);
    return 0;
}

static int read_word(struct cursor *cursor, bool in_tuple, struct fth_hint_word *word)
{
    skip_blanks(cursor);
    size_t begin = cursor->at;
    word->place = cursor->place;
    if (here(cursor) == '<' && !in_tuple)
        return read_tuple(cursor, word, begin);
    if (skip_word(cursor, begin, in_tuple))
        return -1;
    word->text = keep(cursor, begin, cursor->at);
    if (!*word->text)
        return fth_hints_fail(cursor->hints, word->place, cursor->error,
                              "a parameter is expected here");
    return 0;
}

static int read_words(struct cursor *cursor, bool in_tuple, struct fth_hint_word **words,
                      uint32_t *count)
{
    struct fth_hint_word *list = NULL;
    uint32_t used = 0;
    int result = 0;
    do {
        if (used)
            step(cursor);
        FTH_GROW(list, used);
        list[used] = (struct fth_hint_word){0};
        if (used == MOST_WORDS)
            result = fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                                    "a hint has at most %d parameters", MOST_WORDS);
        else
            result = read_word(cursor, in_tuple, &list[used]);
        used++;
    } while (!result && here(cursor) == ',');
    *words = fth_arena_take(&cursor->hints->arena, used * sizeof **words);
    memcpy(*words, list, used * sizeof **words);
    *count = used;
    free(list);
    return result;
}

static int read_hint(struct cursor *cursor, struct fth_hint_line *hint)
{
    hint->place = cursor->place;
    size_t begin = cursor->at;
    while (isalnum((unsigned char)here(cursor)) || here(cursor) == '_')
        step(cursor);
    size_t end = cursor->at;
    skip_blanks(cursor);
    if (begin == end || here(cursor) != ':')
        return fth_hints_fail(cursor->hints, hint->place, cursor->error,
                              "a hint is expected here: `name: parameter, parameter;`");
    hint->name = keep(cursor, begin, end);
    step(cursor);
    if (read_words(cursor, false, &hint->words, &hint->word_count))
        return -1;
    if (here(cursor) != ';')
        return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                              "the hint '%s' of line %u does not end: put ';' behind it",
                              hint->name, hint->place.line);
    step(cursor);
    return 0;
}

/* The word behind a '#', where the cursor is. */
static size_t directive(const struct cursor *cursor, char name[static 64])
{
    const char *text = cursor->hints->text + cursor->at;
    size_t left = cursor->hints->length - cursor->at, length = 1;
    while (length < left && length < 63 &&
           (isalnum((unsigned char)text[length]) || text[length] == '_'))
        length++;
    memcpy(name, text, length);
    name[length] = '\0';
    return length;
}

static int read_tail(struct cursor *cursor, const struct fth_hint_set *set)
{
    char name[64], wanted[64];
    size_t length = directive(cursor, name);
    snprintf(wanted, sizeof wanted, "#end_%s", kinds[set->kind]);
    if (strcmp(name, wanted) != 0)
        return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                              "%s stands in the set '%s' of line %u: put %s before it", name,
                              kinds[set->kind], set->place.line, wanted);
    for (size_t i = 0; i < length; i++)
        step(cursor);
    return 0;
}

static int read_body(struct cursor *cursor, struct fth_hint_set *set)
{
    struct fth_hint_line *list = NULL;
    int result = 0;
    for (skip_blanks(cursor); !result && here(cursor) != '#'; skip_blanks(cursor)) {
        if (at_end(cursor)) {
            result = fth_hints_fail(cursor->hints, set->place, cursor->error,
                                    "the set '%s' that begins here does not end: put #end_%s "
                                    "behind it",
                                    kinds[set->kind], kinds[set->kind]);
            break;
        }
        FTH_GROW(list, set->hint_count);
        list[set->hint_count] = (struct fth_hint_line){0};
        result = read_hint(cursor, &list[set->hint_count++]);
    }
    size_t bytes = set->hint_count * sizeof *list;
    set->hints = fth_arena_take(&cursor->hints->arena, bytes + 1);
    if (bytes)
        memcpy(set->hints, list, bytes);
    free(list);
    return result ? -1 : read_tail(cursor, set);
}

static int read_rest_of_line(struct cursor *cursor, const char *behind)
{
    while (!at_end(cursor) && here(cursor) != '\n') {
        if (!is_blank(here(cursor)))
            return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                                  "nothing may follow %s on its line", behind);
        step(cursor);
    }
    if (!at_end(cursor))
        step(cursor);
    return 0;
}

/* A directive that looks like one of ours, but is none. */
static int complain(struct cursor *cursor, const char *name)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    bool begins = !strncmp(name, "#begin_", 7);
    for (size_t i = 0; i + 1 < KIND_COUNT; i++)
        if (begins && fth_is_nearer(name + 7, kinds[i], &least))
            nearest = kinds[i];
    if (!begins)
        return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                              "%s has no #begin_%s before it", name, name + 5);
    if (nearest)
        return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                              "there is no directive %s: did you mean #begin_%s?", name, nearest);
    return fth_hints_fail(cursor->hints, cursor->place, cursor->error,
                          "there is no directive %s: there are #begin_options, types, dimensions, "
                          "variables, attributes, write, read, and #close",
                          name);
}

/* 0: the line is none of a set. 1: it was. */
static int read_set(struct cursor *cursor, size_t line_begin, struct fth_hint_set *set)
{
    char name[64];
    size_t length = directive(cursor, name), kind = KIND_COUNT;
    if (!strcmp(name, "#close"))
        kind = FTH_HINTS_CLOSE;
    else if (strncmp(name, "#begin_", 7) != 0 && strncmp(name, "#end_", 5) != 0)
        return 0;
    for (size_t i = 0; i + 1 < KIND_COUNT && kind == KIND_COUNT; i++)
        if (!strcmp(name + 7, kinds[i]) && name[1] == 'b')
            kind = i;
    if (kind == KIND_COUNT)
        return complain(cursor, name);
    *set = (struct fth_hint_set){.kind = (enum fth_hint_kind)kind,
                                 .place = cursor->place,
                                 .begin = line_begin,
                                 .indent = NULL};
    char *indent = fth_arena_take(&cursor->hints->arena, cursor->at - line_begin + 1);
    memcpy(indent, cursor->hints->text + line_begin, cursor->at - line_begin);
    indent[cursor->at - line_begin] = '\0';
    set->indent = indent;
    for (size_t i = 0; i < length; i++)
        step(cursor);
    if (kind != FTH_HINTS_CLOSE && read_body(cursor, set))
        return -1;
    snprintf(name, sizeof name, kind == FTH_HINTS_CLOSE ? "#%s" : "#end_%s", kinds[kind]);
    if (read_rest_of_line(cursor, name))
        return -1;
    set->end = cursor->at;
    return 1;
}

/* Is the word of Fortran at the beginning of this line? */
static bool line_has(const char *line, const char *end, const char *word)
{
    size_t length = strlen(word);
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return (size_t)(end - line) >= length && !strncasecmp(line, word, length) &&
           (line + length == end || !(isalnum((unsigned char)line[length]) || line[length] == '_'));
}

static bool ends_with_then(const char *line, const char *end)
{
    while (end > line && is_blank(end[-1]))
        end--;
    return end - line > 4 && !strncasecmp(end - 4, "then", 4);
}

/* How a line changes the depth: blocks that may be loops or conditions. */
static void count_fortran(const char *line, const char *end, uint32_t *depth)
{
    static const char *const ends[] = {"end do",    "enddo",      "end if",   "endif",
                                       "end block", "end select", "endselect"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (line_has(line, end, ends[i])) {
            *depth -= *depth > 0;
            return;
        }
    if (line_has(line, end, "do") || line_has(line, end, "select") || line_has(line, end, "block"))
        ++*depth;
    else if (line_has(line, end, "if") && ends_with_then(line, end))
        ++*depth;
}

/* The same for C, where texts and comments have no braces. */
static void count_braces(const char *line, const char *end, uint32_t *depth, bool *comment)
{
    for (; line < end; line++) {
        bool more = line + 1 < end;
        if (*comment) {
            *comment = !(more && line[0] == '*' && line[1] == '/');
            line += !*comment;
        } else if (more && line[0] == '/' && line[1] == '/') {
            return;
        } else if (more && line[0] == '/' && line[1] == '*') {
            *comment = true;
            line++;
        } else if (*line == '"' || *line == '\'') {
            char quote = *line++;
            while (line < end && *line != quote)
                line += *line == '\\' ? 2 : 1;
        } else if (*line == '{') {
            ++*depth;
        } else if (*line == '}') {
            *depth -= *depth > 0;
        }
    }
}

static int keep_set(struct fth_hints *hints, const struct fth_hint_set *set, struct cursor *cursor)
{
    if (hints->set_count == MOST_HINTS)
        return fth_hints_fail(hints, set->place, cursor->error, "there are more than %d sets",
                              MOST_HINTS);
    FTH_GROW(hints->sets, hints->set_count);
    hints->sets[hints->set_count++] = *set;
    return 0;
}

int fth_hints_parse(struct fth_hints *hints, struct fth_error **error)
{
    struct cursor cursor = {hints, 0, {1, 1}, error};
    uint32_t depth = 0;
    bool comment = false;
    while (!at_end(&cursor)) {
        size_t begin = cursor.at;
        struct fth_hint_set set;
        while (here(&cursor) == ' ' || here(&cursor) == '\t')
            step(&cursor);
        int found = here(&cursor) == '#' ? read_set(&cursor, begin, &set) : 0;
        if (found < 0)
            return -1;
        if (found) {
            set.depth = depth;
            if (keep_set(hints, &set, &cursor))
                return -1;
            continue;
        }
        const char *end = memchr(hints->text + cursor.at, '\n', hints->length - cursor.at);
        size_t next = end ? (size_t)(end - hints->text) + 1 : hints->length;
        if (hints->fortran)
            count_fortran(hints->text + begin, hints->text + next, &depth);
        else
            count_braces(hints->text + begin, hints->text + next, &depth, &comment);
        cursor.at = next;
        cursor.place = (struct fth_hint_place){cursor.place.line + 1, 1};
    }
    return 0;
}

void fth_hints_free(struct fth_hints *hints)
{
    free(hints->sets);
    fth_arena_free(&hints->arena);
    hints->sets = NULL;
    hints->set_count = 0;
}
