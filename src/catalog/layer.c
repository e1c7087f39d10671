/* What rows mean to verify and to advice: `layer` with the description of a library, `means` of
 * a row, and the default meaning of a row from its kind and roles. */
#include "catalog/consistency_meaning.h"
#include "catalog/parser.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LAYERS = 254, LONGEST_LIST = 256 };

static const char *const hint_words[FTH_HINTS + 1] = {
    [FTH_HINT_LARGER] = "larger",   [FTH_HINT_TOGETHER] = "together",
    [FTH_HINT_BUFFER] = "buffer",   [FTH_HINT_UNUSED] = "unused",
    [FTH_HINT_ALIGNED] = "aligned", [FTH_HINT_OBJECTS] = "objects",
    [FTH_HINT_KEPT] = "kept",       [FTH_HINT_ATTRIBUTES] = "attributes",
};

static const struct {
    const char *word;
    unsigned is;
} is_words[] = {
    {"system", FTH_LAYER_SYSTEM},       {"streams", FTH_LAYER_STREAMS},
    {"processes", FTH_LAYER_PROCESSES}, {"threads", FTH_LAYER_THREADS},
    {"counters", FTH_LAYER_COUNTERS},   {"messages", FTH_LAYER_MESSAGES},
    {"together", FTH_LAYER_TOGETHER},   {"netcdf", FTH_LAYER_NETCDF},
    {"devices", FTH_LAYER_DEVICES},     {"regions", FTH_LAYER_REGIONS},
    {"notes", FTH_LAYER_NOTES},         {"hdf5", FTH_LAYER_HDF5},
    {"probes", FTH_LAYER_PROBES},
};

/* ---- parts of a layer's text ---- */

/* Where a fact is said: nothing is said twice. */
static int check_first(const struct fth_parser *parser, bool is_first)
{
    return is_first ? 0 : FAIL_AT(parser, current(parser), "this layer has this line already");
}

/* One or several texts in quotes, as one. */
static int parse_text(struct fth_parser *parser, const char **text)
{
    size_t from = parser->at, length = 1;
    if (current(parser)->kind != FTH_TOKEN_TEXT)
        return fth_parser_expected(parser, current(parser), "a string in quotes");
    for (; current(parser)->kind == FTH_TOKEN_TEXT; parser->at++)
        length += current(parser)->length - 2;
    char *out = fth_store_take(parser->store, length);
    if (!out)
        return fth_parser_out_of_memory(parser);
    *text = out;
    for (size_t i = from; i < parser->at; i++) {
        memcpy(out, parser->tokens[i].start + 1, parser->tokens[i].length - 2);
        out += parser->tokens[i].length - 2;
    }
    *out = '\0';
    return 0;
}

static int parse_hint(struct fth_parser *parser, struct fth_layer *layer)
{
    enum fth_hint hint = 0;
    const struct fth_token *word = current(parser);
    enum fth_hint_language language = FTH_HINT_IN_C;
    while (hint < FTH_HINTS && !is_word(word, hint_words[hint]))
        hint++;
    if (hint == FTH_HINTS) {
        char list[LONGEST_LIST] = "";
        for (hint = 0; hint < FTH_HINTS; hint++)
            sprintf(list + strlen(list), "%s%s", hint ? ", " : "", hint_words[hint]);
        return FAIL_AT(parser, word, "unknown hint '%.*s'; the hints are: %s", SHOWN(word), list);
    }
    parser->at++;
    if (take_word(parser, "in")) {
        if (!take_word(parser, "python"))
            return fth_parser_expected(parser, current(parser), "'python' after 'in'");
        language = FTH_HINT_IN_PYTHON;
    }
    if (check_first(parser, !layer->hints[language][hint]))
        return -1;
    return parse_text(parser, &layer->hints[language][hint]);
}

static int parse_function(struct fth_parser *parser, const char **function)
{
    char *copy;
    if (check_first(parser, !*function))
        return -1;
    if (!take_word(parser, "with"))
        return fth_parser_expected(parser, current(parser), "'with' and a function");
    const struct fth_token *word = fth_parser_take_any_word(parser, "the name of a function");
    if (!word || fth_parser_copy(parser, word, &copy))
        return -1;
    *function = copy;
    return 0;
}

/* `F, F, ...` */
static int parse_functions(struct fth_parser *parser, const char **functions)
{
    char *copy;
    if (check_first(parser, !*functions))
        return -1;
    if (!take_word(parser, "with"))
        return fth_parser_expected(parser, current(parser), "'with' and functions");
    size_t from = parser->at;
    do
        if (!fth_parser_take_any_word(parser, "the name of a function"))
            return -1;
    while (take_mark(parser, ','));
    if (fth_parser_copy_squeezed(parser, from, parser->at, &copy))
        return -1;
    *functions = copy;
    return 0;
}

static int parse_is(struct fth_parser *parser, struct fth_layer *layer)
{
    size_t i = 0, count = sizeof is_words / sizeof *is_words;
    const struct fth_token *word = current(parser);
    if (parser->catalog->given_layers && !is_word(word, "probes"))
        return FAIL_AT(parser, word, "only layers of Fathom's own are something to it, but for "
                                     "'probes'");
    while (i < count && !take_word(parser, is_words[i].word))
        i++;
    if (i == count)
        return fth_parser_expected(parser, word, "what the layer is: system, streams, ...");
    layer->is |= is_words[i].is;
    return 0;
}

static int parse_fact(struct fth_parser *parser, struct fth_layer *layer)
{
    if (take_word(parser, "accesses")) {
        if (!take_word(parser, "files"))
            return fth_parser_expected(parser, current(parser), "'files' after 'accesses'");
        layer->accesses_files = true;
        return 0;
    }
    if (take_word(parser, "synchronizes")) {
        layer->synchronizes = true;
        return 0;
    }
    if (take_word(parser, "is"))
        return parse_is(parser, layer);
    if (take_word(parser, "open"))
        return parse_function(parser,
                              take_word(parser, "together") ? &layer->open_together : &layer->open);
    if (take_word(parser, "close"))
        return parse_function(parser, &layer->close);
    if (take_word(parser, "flush"))
        return parse_function(parser, &layer->flush);
    if (take_word(parser, "refills"))
        return parse_functions(parser, &layer->refills);
    if (take_word(parser, "about"))
        return check_first(parser, !layer->about) ? -1 : parse_text(parser, &layer->about);
    if (take_word(parser, "hint"))
        return parse_hint(parser, layer);
    return fth_parser_expected(
        parser, current(parser),
        "'accesses files', 'synchronizes', 'open with', 'open together with', 'close with', "
        "'flush with', 'refills with', 'about' or 'hint'");
}

/* ---- layers ---- */

bool fth_layer_refills(const struct fth_layer *layer, const char *function)
{
    size_t length = strlen(function);
    for (const char *at = layer->refills; at && *at; at += strspn(at, ", ")) {
        size_t word = strcspn(at, ", ");
        if (word == length && strncmp(at, function, length) == 0)
            return true;
        at += word;
    }
    return false;
}

static struct fth_layer *find_layer(const struct fth_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->layer_count; i++)
        if (strcmp(catalog->layers[i].name, name) == 0)
            return &catalog->layers[i];
    return NULL;
}

const struct fth_layer *fth_catalog_layer(const struct fth_catalog *catalog, const char *name)
{
    return find_layer(catalog, name);
}

/* Files name a layer again, and at most one says what it is. */
static int add_layer(const struct fth_parser *parser, const struct fth_token *name,
                     const struct fth_layer *layer)
{
    struct fth_catalog *catalog = parser->catalog;
    struct fth_layer *known = find_layer(catalog, layer->name);
    if (known && !layer->text)
        return 0;
    if (known && (size_t)(known - catalog->layers) < catalog->given_layers)
        return FAIL_AT(parser, name, "the layer '%.*s' is built in and cannot be described here",
                       SHOWN(name));
    if (known && known->text && strcmp(known->text, layer->text) != 0)
        return FAIL_AT(parser, name, "the layer '%.*s' was described differently before",
                       SHOWN(name));
    if (known) {
        *known = *layer;
        return 0;
    }
    if (catalog->layer_count == MOST_LAYERS)
        return FAIL_AT(parser, name, "more than %d layers", MOST_LAYERS);
    struct fth_layer *layers = fth_grown(catalog->layers, catalog->layer_count, sizeof *layers);
    if (!layers)
        return fth_parser_out_of_memory(parser);
    catalog->layers = layers;
    layers[catalog->layer_count++] = *layer;
    return 0;
}

int fth_parse_layer(struct fth_parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    const struct fth_token *name = fth_parser_take_any_word(parser, "the name of a layer");
    char *copy, *text;
    if (!name || fth_parser_copy(parser, name, &copy))
        return -1;
    struct fth_layer layer = {.name = copy,
                              .library = catalog->library ? catalog->library : "libc"};
    size_t from = parser->at;
    catalog->layer = copy;
    while (current(parser)->kind != FTH_TOKEN_END)
        if (parse_fact(parser, &layer))
            return -1;
    if (parser->at > from) {
        if (fth_parser_copy_squeezed(parser, from, parser->at, &text))
            return -1;
        layer.text = text;
    }
    return add_layer(parser, name, &layer);
}

/* ---- what a row means ---- */

static const struct {
    const char *word;
    unsigned means;
} means_words[] = {
    {"opens", FTH_MEANS_OPENS},
    {"closes", FTH_MEANS_CLOSES},
    {"syncs", FTH_MEANS_SYNCS},
    {"nothing", 0},
};

bool fth_means_of_word(const char *word, unsigned *means)
{
    for (size_t i = 0; i < sizeof means_words / sizeof *means_words; i++)
        if (means_words[i].means && strcmp(word, means_words[i].word) == 0) {
            *means = means_words[i].means;
            return true;
        }
    return false;
}

int fth_parse_means(struct fth_parser *parser, struct fth_row *row)
{
    parser->at++;
    row->says_means = true;
    do {
        size_t i = 0, count = sizeof means_words / sizeof *means_words;
        while (i < count && !take_word(parser, means_words[i].word))
            i++;
        if (i == count)
            return fth_parser_expected(parser, current(parser),
                                       "opens, closes, syncs or nothing after 'means'");
        row->means |= means_words[i].means;
    } while (take_mark(parser, ','));
    return 1;
}

static bool is_of_file(const struct fth_catalog *catalog, const struct fth_field *field,
                       enum fth_role role)
{
    return field->role == role && field->class_index >= 0 &&
           catalog->classes[field->class_index].form == FTH_CLASS_FILE;
}

static bool has_file(const struct fth_catalog *catalog, const struct fth_row *row,
                     enum fth_role role)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (is_of_file(catalog, &row->fields[i], role))
            return true;
    return is_of_file(catalog, &row->result, role);
}

/* The file is opened for it, and closed. */
static bool truncates_by_name(const struct fth_row *row)
{
    return strcmp(row->kind, "truncate") == 0 && fth_field_with_role(row, FTH_ROLE_PATH) >= 0;
}

/* It makes a handle of a file that has a name in a file system, or could have: not one of a socket,
 * of memory, or of a file that is open already. */
static bool opens(const struct fth_catalog *catalog, const struct fth_row *row)
{
    return truncates_by_name(row) ||
           (strcmp(row->kind, "open") == 0 && has_file(catalog, row, FTH_ROLE_NEW) &&
            (fth_field_with_role(row, FTH_ROLE_PATH) >= 0 ||
             fth_field_with_role(row, FTH_ROLE_MODE) >= 0 || row->opens & FTH_OPENS_TEMPORARY));
}

static bool closes(const struct fth_catalog *catalog, const struct fth_row *row)
{
    return truncates_by_name(row) || strcmp(row->kind, "close") == 0 ||
           has_file(catalog, row, FTH_ROLE_CLOSE);
}

/* All of a file, and over when the call is. What is about no file is the system's sync, of all of
 * them; a library that empties all its buffers may leave some. */
static bool syncs(const struct fth_catalog *catalog, const struct fth_row *row,
                  const struct fth_layer *layer)
{
    return strcmp(row->kind, "sync") == 0 && !(row->flags & FTH_CALL_NONBLOCKING) &&
           fth_field_with_role(row, FTH_ROLE_OFFSET) < 0 &&
           (layer->is & FTH_LAYER_SYSTEM || has_file(catalog, row, FTH_ROLE_USE));
}

unsigned fth_row_means(const struct fth_catalog *catalog, const struct fth_row *row,
                       const struct fth_layer *layer)
{
    if (row->says_means)
        return row->means;
    if (!layer || !layer->synchronizes)
        return 0;
    return (opens(catalog, row) ? FTH_MEANS_OPENS : 0) |
           (closes(catalog, row) ? FTH_MEANS_CLOSES : 0) |
           (syncs(catalog, row, layer) ? FTH_MEANS_SYNCS : 0);
}

bool fth_catalog_adds_meaning(const struct fth_catalog *catalog)
{
    for (size_t i = catalog->given_layers; i < catalog->layer_count; i++)
        if (catalog->layers[i].text)
            return true;
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++)
        if (catalog->rows[i].says_means)
            return true;
    return false;
}
