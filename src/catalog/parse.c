/* Parses the text of `.calls` files (docs/catalog.md) into a catalogue. The text may come out of a
 * trace, so it may be anything. A statement is cut into tokens first (lexer.c); then its parts are
 * found by looking for the tokens that divide them (row.c, declaration.c, role.c). All strings and
 * fields of a catalogue lie in its store and die with it. */
#include "catalog/parser.h"

#include "base/text_file.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FLAGS = 65535,
    MAX_TOKENS = 65536, /* of a statement */
    MAX_FILE_BYTES = 64 << 20,
};

/* ---- Statements ---- */

/* Files may say it again, word for word. */
static int add_library(const struct fth_parser *parser, const struct fth_token *name,
                       const struct fth_library *library)
{
    struct fth_catalog *catalog = parser->catalog;
    for (size_t i = 0; i < catalog->library_count; i++) {
        const struct fth_library *known = &catalog->libraries[i];
        if (strcmp(known->name, library->name) != 0)
            continue;
        if (fth_text_same(known->stem, library->stem) &&
            fth_text_same(known->symbol, library->symbol) &&
            fth_text_same(known->needs, library->needs) &&
            fth_text_same(known->fortran[0], library->fortran[0]) &&
            fth_text_same(known->fortran[1], library->fortran[1]) &&
            known->itself == library->itself && known->asked_after == library->asked_after)
            return 0;
        return FAIL_AT(parser, name, "the library '%.*s' was declared differently before",
                       SHOWN(name));
    }
    struct fth_library *libraries =
        fth_grown(catalog->libraries, catalog->library_count, sizeof *libraries);
    if (!libraries)
        return fth_parser_out_of_memory(parser);
    catalog->libraries = libraries;
    libraries[catalog->library_count++] = *library;
    return 0;
}

/* What may stand behind `library NAME STEM SYMBOL`. */
static int parse_library_words(struct fth_parser *parser, struct fth_library *library)
{
    const struct fth_token *word;
    library->itself = take_word(parser, "itself");
    for (int i = 0; i < 2 && take_word(parser, i ? "or" : "fortran"); i++)
        if (!(word = fth_parser_take_any_word(parser, "the name of its Fortran part")) ||
            fth_parser_copy(parser, word, &library->fortran[i]))
            return -1;
    library->asked_after = take_word(parser, "asked");
    if (library->asked_after && !take_word(parser, "after"))
        return fth_parser_expected(parser, current(parser), "'after' following 'asked'");
    if (take_word(parser, "needs") &&
        (!(word = fth_parser_take_any_word(parser, "a function that the library must have")) ||
         fth_parser_copy(parser, word, &library->needs)))
        return -1;
    return fth_parser_expect_end(parser);
}

/* `library NAME [STEM SYMBOL [itself] [fortran WORD [or WORD]] [asked after] [needs SYMBOL]]`:
 * applies to the rows that follow. */
static int parse_library(struct fth_parser *parser)
{
    struct fth_library library = {0};
    const struct fth_token *name = fth_parser_take_any_word(parser, "the name of a library");
    if (!name || fth_parser_copy(parser, name, &library.name))
        return -1;
    parser->catalog->library = library.name;
    if (current(parser)->kind == FTH_TOKEN_END)
        return 0;
    const struct fth_token *word =
        fth_parser_take_any_word(parser, "the beginning of the library's file name");
    if (!word || fth_parser_copy(parser, word, &library.stem))
        return -1;
    word = fth_parser_take_any_word(parser, "a function that the library defines");
    if (!word || fth_parser_copy(parser, word, &library.symbol))
        return -1;
    return parse_library_words(parser, &library) ? -1 : add_library(parser, name, &library);
}

/* `VALUE=SYMBOL ...` up to the end of the statement. */
static int parse_flag_entries(struct fth_parser *parser, struct fth_flags *flags)
{
    size_t room = 1; /* as many as there are '=' */
    for (size_t i = parser->at; parser->tokens[i].kind != FTH_TOKEN_END; i++)
        room += is_mark(&parser->tokens[i], '=');
    flags->entries = fth_store_take(parser->store, room * sizeof *flags->entries);
    if (!flags->entries)
        return fth_parser_out_of_memory(parser);
    do {
        struct fth_flag *entry = &flags->entries[flags->count];
        const struct fth_token *token = current(parser);
        if (token->kind != FTH_TOKEN_NUMBER || !fth_token_number(token, &entry->value))
            return fth_parser_expected(parser, token, "VALUE=SYMBOL");
        parser->at++;
        if (!take_mark(parser, '='))
            return fth_parser_expected(parser, current(parser), "'='");
        token = fth_parser_take_any_word(parser, "the symbol of the value");
        if (!token || fth_parser_copy(parser, token, &entry->name))
            return -1;
        flags->count++;
    } while (current(parser)->kind != FTH_TOKEN_END);
    return 0;
}

static bool same_flags(const struct fth_flags *left, const struct fth_flags *right)
{
    if (left->count != right->count)
        return false;
    for (size_t i = 0; i < left->count; i++)
        if (left->entries[i].value != right->entries[i].value ||
            strcmp(left->entries[i].name, right->entries[i].name) != 0)
            return false;
    return true;
}

/* `flags NAME VALUE=SYMBOL ...`; may be repeated word for word. */
static int parse_flags(struct fth_parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    struct fth_flags flags = {.count = 0};
    const struct fth_token *name = fth_parser_take_any_word(parser, "the name of the flags");
    if (!name || parse_flag_entries(parser, &flags))
        return -1;
    int known = fth_names_find(&parser->store->flags, name->start, name->length);
    if (known >= 0 && !same_flags(&flags, &catalog->flags[known]))
        return FAIL_AT(parser, name, "the flags '%.*s' were declared differently before",
                       SHOWN(name));
    if (known >= 0)
        return 0;
    if (catalog->flags_count == MAX_FLAGS)
        return FAIL_AT(parser, name, "more than %d flags", MAX_FLAGS);

    struct fth_flags *all = fth_grown(catalog->flags, catalog->flags_count, sizeof *all);
    if (all)
        catalog->flags = all;
    if (!all || fth_parser_copy(parser, name, &flags.name) ||
        !fth_names_add(&parser->store->flags, flags.name, catalog->flags_count))
        return fth_parser_out_of_memory(parser);
    catalog->flags[catalog->flags_count++] = flags;
    return 0;
}

/* `include <FILE>` or `include "FILE"`. */
static int parse_include(struct fth_parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    size_t from = parser->at;
    const struct fth_token *first = current(parser);
    if (first->kind == FTH_TOKEN_TEXT && first->length > 2) {
        parser->at++;
    } else {
        if (!is_mark(first, '<'))
            return fth_parser_expected(parser, first, "<FILE> or \"FILE\"");
        do
            parser->at++;
        while (current(parser)->kind != FTH_TOKEN_END && !is_mark(current(parser), '>'));
        if (parser->at == from + 1 || !take_mark(parser, '>'))
            return fth_parser_expected(parser, current(parser), "the name of a header and its end");
    }
    if (fth_parser_expect_end(parser))
        return -1;
    char **includes = fth_grown(catalog->includes, catalog->include_count, sizeof *includes);
    if (!includes)
        return fth_parser_out_of_memory(parser);
    catalog->includes = includes;
    if (fth_parser_copy_squeezed(parser, from, parser->at, &includes[catalog->include_count]))
        return -1;
    catalog->include_count++;
    return 0;
}

static int parse_statement(struct fth_parser *parser)
{
    if (take_word(parser, "library"))
        return parse_library(parser);
    if (take_word(parser, "layer"))
        return fth_parse_layer(parser);
    if (take_word(parser, "class"))
        return fth_parse_class(parser);
    if (take_word(parser, "flags"))
        return parse_flags(parser);
    if (take_word(parser, "each"))
        return fth_parse_each(parser);
    if (take_word(parser, "include"))
        return parse_include(parser);
    return fth_parse_rows(parser);
}

/* ---- The way in ---- */

/* Reads the tokens of the statement at the lexer, the end included. */
static int read_statement(struct fth_parser *parser, struct fth_lexer *lexer)
{
    bool continues = !fth_lexer_at_line_start(lexer);
    size_t count = 0;
    struct fth_token token;
    do {
        token = fth_lexer_next(lexer);
        if (count == 0 && continues)
            return FAIL_AT(parser, &token,
                           "an indented line continues a row, but there is no row before it");
        if (count == MAX_TOKENS)
            return FAIL_AT(parser, &token, "more than %d words in one row", MAX_TOKENS);
        if (count == parser->token_room) {
            size_t room = count ? count * 2 : 256;
            struct fth_token *tokens = reallocarray(parser->tokens, room, sizeof *tokens);
            if (!tokens)
                return fth_parser_out_of_memory(parser);
            parser->tokens = tokens;
            parser->token_room = room;
        }
        parser->tokens[count++] = token;
    } while (token.kind != FTH_TOKEN_END);
    parser->at = 0;
    return 0;
}

/* Puts the name of the text where rows can point to it; NULL: out of memory. */
static const char *keep_file_name(struct fth_catalog *catalog, const char *file)
{
    size_t count = catalog->file_count;
    if (count > 0 && strcmp(catalog->files[count - 1], file) == 0)
        return catalog->files[count - 1];
    char **files = fth_grown(catalog->files, count, sizeof *files);
    if (!files)
        return NULL;
    catalog->files = files;
    files[count] = fth_store_text(catalog->store, file, strlen(file));
    if (files[count])
        catalog->file_count++;
    return files[count];
}

/* The next statement is where the lexer's text says it is, however little was read of this one. */
static void skip_statement(struct fth_lexer *lexer)
{
    while (fth_lexer_next(lexer).kind != FTH_TOKEN_END)
        ;
}

/* Goes through all statements; up to the first error, or with `complain` behind each one. */
static size_t parse_statements(struct fth_parser *parser, struct fth_lexer *lexer,
                               void (*complain)(void *, struct fth_error *), void *context)
{
    size_t errors = 0;
    parser->goes_on = complain != NULL;
    while (fth_lexer_next_statement(lexer)) {
        if (read_statement(parser, lexer) == 0 && parse_statement(parser) == 0)
            continue;
        errors++;
        if (!complain)
            break;
        complain(context, *parser->error);
        *parser->error = NULL;
        skip_statement(lexer);
    }
    free(parser->tokens);
    free(parser->each);
    return errors;
}

/* A parser for a text of this name; false, and *error. */
static bool begin(struct fth_parser *parser, struct fth_catalog *catalog, const char *file,
                  size_t length, struct fth_error **error)
{
    if (length > INT32_MAX) {
        fth_fail(error, "%s: a catalogue of %zu bytes is too long", file, length);
        return false;
    }
    if (!catalog->store)
        catalog->store = calloc(1, sizeof *catalog->store);
    const char *kept = catalog->store ? keep_file_name(catalog, file) : NULL;
    if (!kept)
        fth_fail(error, "%s: out of memory", file);
    *parser = (struct fth_parser){
        .catalog = catalog, .store = catalog->store, .file = kept, .error = error};
    return kept != NULL;
}

size_t fth_catalog_check(struct fth_catalog *catalog, const char *file, const char *text,
                         size_t length, void (*complain)(void *context, struct fth_error *error),
                         void *context)
{
    struct fth_parser parser;
    struct fth_error *error = NULL;
    struct fth_lexer lexer = fth_lexer_of(length ? text : "", length);
    if (begin(&parser, catalog, file, length, &error))
        return parse_statements(&parser, &lexer, complain, context);
    complain(context, error);
    return 1;
}

int fth_catalog_parse(struct fth_catalog *catalog, const char *file, const char *text,
                      size_t length, struct fth_error **error)
{
    struct fth_parser parser;
    struct fth_lexer lexer = fth_lexer_of(length ? text : "", length);
    if (!begin(&parser, catalog, file, length, error))
        return -1;
    return parse_statements(&parser, &lexer, NULL, NULL) ? -1 : 0;
}

/* Reads a whole stream into *text, to be freed in any case. */
static int read_all(FILE *stream, const char *path, char **text, size_t *length,
                    struct fth_error **error)
{
    size_t room = 0;
    *text = NULL;
    *length = 0;
    do {
        if (*length == room) {
            room = room ? room * 2 : 64 << 10;
            char *larger = room <= MAX_FILE_BYTES ? realloc(*text, room) : NULL;
            if (!larger)
                return fth_fail(error, "%s: too large for a catalogue", path);
            *text = larger;
        }
        *length += fread(*text + *length, 1, room - *length, stream);
    } while (*length == room);
    return ferror(stream) ? fth_fail_errno(error, "cannot read %s", path) : 0;
}

int fth_catalog_parse_file(struct fth_catalog *catalog, const char *path, struct fth_error **error)
{
    FILE *stream = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!stream)
        return -1;
    char *text;
    size_t length;
    int result = read_all(stream, path, &text, &length, error);
    fclose(stream);
    if (result == 0) {
        catalog->library = catalog->layer = NULL; /* each file says its own */
        result = fth_catalog_parse(catalog, path, text, length, error);
    }
    free(text);
    return result;
}

const struct fth_row *fth_catalog_find(const struct fth_catalog *catalog, const char *name)
{
    if (catalog->store) {
        int index = fth_names_find(&catalog->store->rows, name, strlen(name));
        return index >= 0 ? &catalog->rows[index] : NULL;
    }
    for (size_t i = 0; i < catalog->row_count; i++)
        if (strcmp(catalog->rows[i].name, name) == 0)
            return &catalog->rows[i];
    return NULL;
}

void fth_catalog_free(struct fth_catalog *catalog)
{
    free(catalog->layers);
    fth_store_free(catalog->store);
    free(catalog->classes);
    free(catalog->flags);
    free(catalog->rows);
    free(catalog->libraries);
    free(catalog->includes);
    free(catalog->files);
    *catalog = (struct fth_catalog){0};
}
