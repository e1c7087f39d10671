/* From the text of a probe location file to its entries. A field ends at a semicolon that is not in
 * parentheses, so that patterns and expressions may have them; the text behind -l, which may open a
 * parenthesis and leave it open, ends at the next one. An entry may be wrapped: it goes on at the
 * first character of the next line. */
#include "instrument/probe_file.h"

#include "base/fail_at.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 24, MOST_ENTRIES = 100000, LONGEST_ENTRY = 16384, FIRST_TAIL = 5 };

struct reading {
    struct fth_probe_list *list;
    struct fth_error **error;
    const char *at, *end;
    uint32_t line, column;
    struct fth_probe_entry *entry;
    char text[LONGEST_ENTRY]; /* of the entry, its lines joined, a zero behind each field */
    char *fields[MOST_FIELDS];
    size_t field_count;
};

int fth_probe_entry_fail(const struct fth_probe_list *list, const struct fth_probe_entry *entry,
                         struct fth_error **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fth_fail_at(error, list->path, entry->line, entry->column, format, arguments);
    va_end(arguments);
    return -1;
}
#define FAIL(reading, ...)                                                                         \
    fth_probe_entry_fail((reading)->list, (reading)->entry, (reading)->error, __VA_ARGS__)

static const char *keep(struct reading *reading, const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(fth_arena_take(&reading->list->arena, length), text, length);
}

static void step(struct reading *reading)
{
    reading->column++;
    if (*reading->at++ != '\n')
        return;
    reading->line++;
    reading->column = 1;
}

/* ---- from an entry to its fields ---- */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

/* Everything up to the bracket that closes the entry. */
static int join_lines(struct reading *reading)
{
    size_t length = 0;
    unsigned depth = 0;
    char quote = 0;
    for (step(reading); reading->at < reading->end; step(reading)) {
        char byte = *reading->at;
        if (byte == '\n') {
            while (reading->at + 1 < reading->end && strchr(" \t\r", reading->at[1]))
                step(reading);
            continue;
        }
        if (!byte)
            return FAIL(reading, "there is a zero byte in this entry; it must be text");
        if (quote) {
            quote = byte == quote && reading->at[-1] != '\\' ? 0 : quote;
        } else if (byte == '"') {
            quote = byte;
        } else if (byte == '[') {
            depth++;
        } else if (byte == ']' && !depth--) {
            step(reading);
            reading->text[length] = 0;
            return 0;
        }
        if (length + 1 == LONGEST_ENTRY)
            return FAIL(reading, "the entry is longer than %d bytes; is a ']' missing?",
                        LONGEST_ENTRY);
        reading->text[length++] = byte;
    }
    return FAIL(reading, "the entry that begins here has no end; close it with ']'");
}

/* The semicolon behind a field, or the end of the text. */
static char *end_of_field(char *at)
{
    bool literal = strncmp(at + strspn(at, " \t"), "-l", 2) == 0;
    int depth = 0;
    char quote = 0;
    for (; *at; at++) {
        if (quote)
            quote = *at == quote && at[-1] != '\\' ? 0 : quote;
        else if (*at == '"' && !literal)
            quote = *at;
        else if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth--;
        else if (*at == ';' && (literal || depth <= 0))
            break;
    }
    return at;
}

static int split(struct reading *reading)
{
    char *at = reading->text;
    reading->field_count = 0;
    for (bool more = true; more;) {
        char *end = end_of_field(at);
        more = *end == ';';
        *end = 0;
        if (reading->field_count == MOST_FIELDS)
            return FAIL(reading, "the entry has more than %d fields", MOST_FIELDS);
        reading->fields[reading->field_count++] = trim(at);
        at = end + 1;
    }
    if (reading->field_count < FIRST_TAIL)
        return FAIL(reading,
                    "the entry has %zu of at least %d fields: [level; layer; class; probe; anchor; "
                    "file or placement]",
                    reading->field_count, FIRST_TAIL);
    return 0;
}

/* ---- fields ---- */

static int fail_word(struct reading *reading, const char *what, const char *word,
                     const char *const *known, size_t count)
{
    const char *nearest = NULL;
    char all[256] = "";
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", known[i]);
        if (fth_is_nearer(word, known[i], &least))
            nearest = known[i];
    }
    return nearest ? FAIL(reading, "there is no %s '%s'; did you mean '%s'?", what, word, nearest)
                   : FAIL(reading, "there is no %s '%s'; there are %s", what, word, all);
}

static int find_word(const char *word, const char *const *known, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, known[i]) == 0)
            return (int)i;
    return -1;
}

static const char *const classes[FTH_PROBE_CLASSES] = {"common", "write", "read", "latency"};
static const char *const placements[FTH_PLACEMENTS] = {"before", "after", "around", "inside"};

static bool is_identifier(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!(isalpha((unsigned char)text[i]) || text[i] == '_' ||
              (i && isdigit((unsigned char)text[i]))))
            return false;
    return length > 0;
}

static int read_head(struct reading *reading)
{
    struct fth_probe_entry *entry = reading->entry;
    char *end;
    long level = strtol(reading->fields[0], &end, 10);
    if (end == reading->fields[0] || *end || level < -99 || level > 99)
        return FAIL(reading,
                    "the level '%s' is not a number from -99 to 99: -1 is the application, 0 the "
                    "library below it, and so on",
                    reading->fields[0]);
    if (!is_identifier(reading->fields[1], strlen(reading->fields[1])))
        return FAIL(reading, "the layer '%s' is not a word of letters, digits and _",
                    reading->fields[1]);
    int class = find_word(reading->fields[2], classes, FTH_PROBE_CLASSES);
    if (class < 0)
        return fail_word(reading, "class of probes", reading->fields[2], classes,
                         FTH_PROBE_CLASSES);
    if (!*reading->fields[3])
        return FAIL(reading, "the entry names no probe; Lib/Fathom/scope is one");
    entry->level = (int)level;
    entry->layer = keep(reading, reading->fields[1]);
    entry->of_class = (enum fth_probe_class) class;
    entry->code = keep(reading, reading->fields[3]);
    return 0;
}

/* "send in put": the last " in FUNCTION" says where. */
static void take_function(struct reading *reading, char *text)
{
    char *in = NULL;
    for (char *at = text; (at = strstr(at, " in ")); at++)
        in = at;
    if (!in || !*trim(in + 4))
        return;
    reading->entry->in = keep(reading, trim(in + 4));
    *in = 0;
}

static int read_anchor(struct reading *reading)
{
    static const char letters[] = "nlfcp";
    struct fth_probe_entry *entry = reading->entry;
    char *text = reading->fields[4];
    const char *letter = text[0] == '-' && text[1] ? strchr(letters, text[1]) : NULL;
    if (!letter || !isspace((unsigned char)text[2]))
        return FAIL(reading,
                    "the anchor '%s' does not say where: -n LINE, -l TEXT, -f FUNCTION, -c CALL "
                    "[in FUNCTION] or -p PATTERN [in FUNCTION]",
                    text);
    entry->anchor = (enum fth_probe_anchor)(letter - letters);
    text = trim(text + 2);
    if (entry->anchor == FTH_ANCHOR_CALL || entry->anchor == FTH_ANCHOR_PATTERN)
        take_function(reading, text);
    text = trim(text);
    if (!*text)
        return FAIL(reading, "nothing stands behind the -%c of the anchor", *letter);
    if (entry->anchor == FTH_ANCHOR_LINE) {
        if (strlen(text) > 9 || strspn(text, "0123456789") != strlen(text))
            return FAIL(reading, "'%s' is not the number of a line", text);
        entry->number = (uint32_t)strtoul(text, NULL, 10);
    }
    entry->text = keep(reading, text);
    entry->all = entry->anchor == FTH_ANCHOR_TEXT;
    entry->placement = entry->anchor == FTH_ANCHOR_FUNCTION ? FTH_PLACE_INSIDE
                       : entry->anchor == FTH_ANCHOR_CALL || entry->anchor == FTH_ANCHOR_PATTERN
                           ? FTH_PLACE_AROUND
                           : FTH_PLACE_BEFORE;
    return 0;
}

static int read_value(struct reading *reading, char *name, char *expression)
{
    struct fth_probe_entry *entry = reading->entry;
    if (!*expression)
        return FAIL(reading, "nothing stands behind '%s='", name);
    if (!strcmp(name, "name")) {
        if (!is_identifier(expression, strlen(expression)))
            return FAIL(reading, "the name '%s' is not a word of letters, digits and _",
                        expression);
        entry->name = keep(reading, expression);
        return 0;
    }
    if (!strcmp(name, "line")) {
        entry->fingerprint = keep(reading, expression);
        return 0;
    }
    if (entry->value_count == FTH_PROBE_MOST_VALUES)
        return FAIL(reading, "a probe keeps at most %d values; '%s' is one more",
                    FTH_PROBE_MOST_VALUES, name);
    for (uint32_t i = 0; i < entry->value_count; i++)
        if (strcmp(entry->values[i].name, name) == 0)
            return FAIL(reading, "the probe has two values '%s'", name);
    entry->values[entry->value_count++] =
        (struct fth_probe_value){keep(reading, name), keep(reading, expression)};
    return 0;
}

static int read_tail(struct reading *reading, char *text)
{
    struct fth_probe_entry *entry = reading->entry;
    char *equals = strchr(text, '=');
    if (equals && is_identifier(text, strcspn(text, " =")) &&
        text[strcspn(text, " =") + strspn(text + strcspn(text, " ="), " ")] == '=') {
        *equals = 0;
        return read_value(reading, trim(text), trim(equals + 1));
    }
    int placement = find_word(text, placements, FTH_PLACEMENTS);
    if (placement >= 0) {
        entry->placement = (enum fth_probe_placement)placement;
        return 0;
    }
    if (!strcmp(text, "all")) {
        entry->all = true;
        return 0;
    }
    if (!strchr(text, '.') && !strchr(text, '/'))
        return fail_word(reading, "placement", text, placements, FTH_PLACEMENTS);
    if (entry->source)
        return FAIL(reading, "the entry names two files, '%s' and '%s'", entry->source, text);
    if (*text == '/' || strstr(text, ".."))
        return FAIL(reading,
                    "the file '%s' must be relative to the sources of the layer, without '..'",
                    text);
    entry->source = keep(reading, text);
    return 0;
}

static int check(struct reading *reading)
{
    const struct fth_probe_entry *entry = reading->entry;
    bool inside = entry->placement == FTH_PLACE_INSIDE;
    bool lines = entry->anchor == FTH_ANCHOR_LINE || entry->anchor == FTH_ANCHOR_TEXT;
    if (inside && entry->anchor != FTH_ANCHOR_FUNCTION && entry->anchor != FTH_ANCHOR_PATTERN)
        return FAIL(reading, "'inside' needs a function (-f) or the pattern of a loop (-p)");
    if (!inside && entry->anchor == FTH_ANCHOR_FUNCTION)
        return FAIL(reading, "a probe of a function (-f) is inside it, not '%s'",
                    placements[entry->placement]);
    if (entry->placement == FTH_PLACE_AROUND && lines)
        return FAIL(reading, "'around' needs a call (-c) or a pattern (-p)");
    if (entry->anchor == FTH_ANCHOR_LINE && !entry->source && entry->number)
        return FAIL(reading, "the entry does not say in which file line %u is", entry->number);
    if (entry->fingerprint && entry->anchor != FTH_ANCHOR_LINE)
        return FAIL(reading, "'line=' says what stands in the line of -n, which is not here");
    return 0;
}

static int read_entry(struct reading *reading)
{
    if (reading->list->count == MOST_ENTRIES)
        return fth_fail(reading->error, "%s: more than %d entries", reading->list->path,
                        MOST_ENTRIES);
    FTH_GROW(reading->list->entries, reading->list->count);
    reading->entry = &reading->list->entries[reading->list->count++];
    *reading->entry = (struct fth_probe_entry){.line = reading->line, .column = reading->column};
    if (join_lines(reading) || split(reading) || read_head(reading) || read_anchor(reading))
        return -1;
    for (size_t i = FIRST_TAIL; i < reading->field_count; i++)
        if (*reading->fields[i] && read_tail(reading, reading->fields[i]))
            return -1;
    return check(reading);
}

int fth_probe_file_parse(struct fth_probe_list *list, const char *path, const char *text,
                         size_t length, struct fth_error **error)
{
    struct reading *reading = fth_new(1, sizeof *reading);
    int result = 0;
    list->path = path;
    reading->list = list;
    reading->error = error;
    reading->at = text;
    reading->end = text + length;
    reading->line = reading->column = 1;
    while (!result && reading->at < reading->end) {
        if (*reading->at == '#') {
            while (reading->at < reading->end && *reading->at != '\n')
                step(reading);
        } else if (*reading->at == '[') {
            result = read_entry(reading);
        } else if (isspace((unsigned char)*reading->at)) {
            step(reading);
        } else {
            result = fth_fail(error,
                              "%s:%u:%u: an entry begins with '[', a comment with '#'; this is "
                              "neither",
                              path, reading->line, reading->column);
        }
    }
    if (!result && !list->count)
        result = fth_fail(error, "%s: the file has no entries", path);
    free(reading);
    return result;
}

void fth_probe_list_free(struct fth_probe_list *list)
{
    free(list->entries);
    fth_arena_free(&list->arena);
    *list = (struct fth_probe_list){0};
}
