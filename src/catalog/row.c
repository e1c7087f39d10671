/* Rows: a kind, flags, and a function as its manual page declares it, with roles. */
#include "catalog/parser.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ROWS = 65535 };

static char default_library[] = "libc";
static char no_words[] = "";

const struct fth_field fth_no_field = {
    .type = no_words,
    .name = no_words,
    .role_words = no_words,
    .role = FTH_ROLE_NONE,
    .class_index = -1,
    .flags_index = -1,
    .length_field = -1,
    .length = -1,
    .at_field = -1,
    .in_field = -1,
    .name_field = -1,
};

static const char *const kinds[] = {
    "open",       "close", "dup",      "read",     "write",  "seek",  "sync",   "truncate",
    "map",        "lock",  "control",  "poll",     "stat",   "name",  "delete", "permission",
    "list",       "view",  "pipe",     "process",  "thread", "mutex", "init",   "finalize",
    "send",       "recv",  "exchange", "probe",    "start",  "wait",  "test",   "cancel",
    "collective", "comm",  "group",    "topology", "type",   "rma",   "info",   "attribute",
    "error",      "tool",  "env",      "kernel",   "copy",   "other", NULL,
};

static int parse_kind(struct fth_parser *parser, struct fth_row *row)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD)
        return fth_parser_expected(
            parser, token, "the kind of a row, or library, include, layer, class, flags or each");
    if (!is_one_of(token, kinds)) {
        char list[512] = "";
        for (size_t i = 0; kinds[i]; i++)
            sprintf(list + strlen(list), "%s%s", i ? ", " : "", kinds[i]);
        return FAIL_AT(parser, token, "unknown kind '%.*s'; the kinds are: %s", SHOWN(token), list);
    }
    parser->at++;
    return fth_parser_copy(parser, token, &row->kind);
}

static const struct {
    const char *word, *second;
    unsigned flag;
} call_flags[] = {
    {"collective", "shared", FTH_CALL_COLLECTIVE_IF_SHARED},
    {"collective", NULL, FTH_CALL_COLLECTIVE},
    {"nonblocking", NULL, FTH_CALL_NONBLOCKING},
    {"begin", NULL, FTH_CALL_BEGIN},
    {"end", NULL, FTH_CALL_END},
    {"noreturn", NULL, FTH_CALL_NORETURN},
    {"off", NULL, FTH_CALL_OFF},
    {"by", "hand", FTH_CALL_BY_HAND},
    {"on", "stdin", FTH_CALL_ON_STDIN},
    {"on", "stdout", FTH_CALL_ON_STDOUT},
    {"hooked", NULL, FTH_CALL_HOOKED},
    {"watched", NULL, FTH_CALL_HOOKED | FTH_CALL_WATCHED},
    {"around", NULL, FTH_CALL_AROUND},
    {"copies", NULL, FTH_CALL_COPIES},
    {"common", NULL, FTH_CALL_COMMON},
    {"advances", NULL, FTH_CALL_ADVANCES},
    {"links", NULL, FTH_CALL_LINKS},
    {"uncounted", NULL, FTH_CALL_UNCOUNTED},
    {"system", NULL, FTH_CALL_SYSTEM},
};

static const struct {
    const char *word;
    unsigned opens;
} ways_to_open[] = {
    {"read", FTH_OPENS_TO_READ},        {"write", FTH_OPENS_TO_WRITE},
    {"create", FTH_OPENS_NEW},          {"truncate", FTH_OPENS_EMPTY},
    {"exclusive", FTH_OPENS_EXCLUSIVE}, {"temporary", FTH_OPENS_TEMPORARY},
};

/* What stands behind `as`. */
static int parse_ways_to_open(struct fth_parser *parser, struct fth_row *row)
{
    do {
        size_t i = 0, count = sizeof ways_to_open / sizeof *ways_to_open;
        while (i < count && !take_word(parser, ways_to_open[i].word))
            i++;
        if (i == count)
            return fth_parser_expected(
                parser, current(parser),
                "read, write, create, truncate, exclusive or temporary after 'as'");
        row->opens |= ways_to_open[i].opens;
    } while (take_mark(parser, ','));
    return 1;
}

/* Takes one flag if there is one: 1 then, 0 without, -1 on failure. */
static int parse_call_flag(struct fth_parser *parser, struct fth_row *row)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD || is_mark(&token[1], '('))
        return 0;
    if (take_word(parser, "via")) {
        token = fth_parser_take_any_word(parser, "the name of a function after 'via'");
        return token && fth_parser_copy(parser, token, &row->via) == 0 ? 1 : -1;
    }
    if (take_word(parser, "as"))
        return parse_ways_to_open(parser, row);
    if (is_word(token, "means"))
        return fth_parse_means(parser, row);
    if (take_word(parser, "builds")) {
        token = fth_parser_take_any_word(parser, "what is built, after 'builds'");
        return token && fth_parser_copy(parser, token, &row->builds) == 0 ? 1 : -1;
    }
    if (take_word(parser, "orders")) {
        token = fth_parser_take_any_word(parser, "how it orders, after 'orders'");
        return token && fth_parser_copy(parser, token, &row->orders) == 0 ? 1 : -1;
    }
    for (size_t i = 0; i < sizeof call_flags / sizeof *call_flags; i++) {
        if (!is_word(token, call_flags[i].word) ||
            (call_flags[i].second && !is_word(&token[1], call_flags[i].second)))
            continue;
        row->flags |= call_flags[i].flag;
        parser->at += call_flags[i].second ? 2 : 1;
        return 1;
    }
    if (is_word(token, "by"))
        return fth_parser_expected(parser, &token[1], "'hand' after 'by'");
    if (is_word(token, "on"))
        return fth_parser_expected(parser, &token[1], "'stdin' or 'stdout' after 'on'");
    return 0;
}

/* `TYPE NAME`, up to the parenthesis. */
static int parse_function_name(struct fth_parser *parser, struct fth_row *row)
{
    size_t from = parser->at, to = from;
    while (parser->tokens[to].kind != FTH_TOKEN_END && !is_mark(&parser->tokens[to], '('))
        to++;
    if (parser->tokens[to].kind == FTH_TOKEN_END)
        return fth_parser_expected(parser, &parser->tokens[to],
                                   "'(' after the name of the function");
    if (to == from || parser->tokens[to - 1].kind != FTH_TOKEN_WORD)
        return fth_parser_expected(parser, &parser->tokens[to], "the name of the function");
    const struct fth_token *name = &parser->tokens[to - 1];
    if (fth_check_type(parser, from, to - 1, name) ||
        fth_copy_type(parser, from, to - 1, NULL, "", &row->result.type) ||
        fth_parser_copy(parser, name, &row->name))
        return -1;
    int first = fth_names_find(&parser->store->rows, name->start, name->length);
    if (first >= 0) {
        const struct fth_row *place = &parser->catalog->rows[first];
        return FAIL_AT(parser, name, "a second row for '%.*s'; the first one is at %s:%d",
                       SHOWN(name), place->file, place->line);
    }
    parser->at = to + 1;
    return 0;
}

/* Where the declaration that starts here ends: at its role, at the next parameter, or at the end
 * of them all. */
static size_t declaration_end(const struct fth_parser *parser)
{
    size_t depth = 0, i = parser->at;
    for (; parser->tokens[i].kind != FTH_TOKEN_END; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (depth == 0 && (is_mark(token, ',') || is_mark(token, ':') || is_mark(token, ')')))
            break;
        if (is_mark(token, '('))
            depth++;
        else if (is_mark(token, ')'))
            depth--;
    }
    return i;
}

static int check_last(const struct fth_parser *parser, const struct fth_row_draft *draft)
{
    const struct fth_row *row = &draft->row;
    if (draft->dots)
        return FAIL_AT(parser, current(parser), "expected no parameter after '...'");
    if (row->field_count > 0 && draft->fields[row->field_count - 1].optional)
        return FAIL_AT(parser, current(parser), "expected no parameter after the optional '%s'",
                       draft->fields[row->field_count - 1].name);
    if (row->field_count == FTH_MOST_PARAMETERS && current(parser)->kind != FTH_TOKEN_DOTS)
        return FAIL_AT(parser, current(parser), "more than %d parameters", FTH_MOST_PARAMETERS);
    return 0;
}

static int parse_parameter(struct fth_parser *parser, struct fth_row_draft *draft)
{
    struct fth_row *row = &draft->row;
    if (check_last(parser, draft))
        return -1;
    if (current(parser)->kind == FTH_TOKEN_DOTS) {
        draft->dots = current(parser);
        row->flags |= FTH_CALL_VARIADIC;
        parser->at++;
        return 0;
    }

    size_t index = row->field_count;
    struct fth_field *field = &draft->fields[index];
    *field = fth_no_field;
    draft->words[index] = (struct fth_role_words){0};
    const struct fth_token *start = current(parser);
    size_t from = parser->at, to = declaration_end(parser);
    parser->at = to;
    if (to > from && is_mark(&parser->tokens[to - 1], '?')) {
        field->optional = true;
        row->flags |= FTH_CALL_VARIADIC;
        to--;
    }
    if (fth_parse_declaration(parser, from, to, field))
        return -1;
    for (size_t i = 0; i < index; i++)
        if (strcmp(draft->fields[i].name, field->name) == 0)
            return FAIL_AT(parser, start, "a second parameter '%.64s'", field->name);
    row->field_count++;
    return take_mark(parser, ':') ? fth_parse_parameter_role(parser, draft, index) : 0;
}

/* The index of the parameter that a role speaks of, or -1 after an error. */
static int find_parameter(const struct fth_parser *parser, const struct fth_row_draft *draft,
                          const struct fth_token *name)
{
    for (size_t i = 0; i < draft->row.field_count; i++)
        if (is_word(name, draft->fields[i].name))
            return (int)i;
    return FAIL_AT(parser, name, "'%.64s' has no parameter '%.*s'", draft->row.name, SHOWN(name));
}

/* The index of the parameter `name`, -1 for NULL; false: there is none, which has been reported. */
static bool resolve(const struct fth_parser *parser, const struct fth_row_draft *draft,
                    const struct fth_token *name, int *index)
{
    *index = name ? find_parameter(parser, draft, name) : -1;
    return !name || *index >= 0;
}

/* Only of a list of which it is known how long it is. */
static int check_list_asked(const struct fth_parser *parser, const struct fth_row_draft *draft,
                            const struct fth_ask *ask, const struct fth_role_words *words)
{
    const struct fth_field *list =
        ask->count == 1 && ask->arguments[0] >= 0 ? &draft->fields[ask->arguments[0]] : NULL;
    if (list && list->role == FTH_ROLE_IN && (list->length_field >= 0 || list->length > 0) &&
        !list->of_lists)
        return 0;
    return FAIL_AT(parser, words->asked[0], "'%s' needs one parameter with the role 'in[n]'",
                   ask->function);
}

static int resolve_ask(const struct fth_parser *parser, const struct fth_row_draft *draft,
                       struct fth_ask *ask, const struct fth_role_words *words)
{
    for (int i = 0; ask && i < ask->count; i++) {
        ask->arguments[i] = FTH_ASK_ANSWER;
        if (!is_mark(words->asked[i], '*') &&
            !resolve(parser, draft, words->asked[i], &ask->arguments[i]))
            return -1;
    }
    return ask && fth_ask_is_of_list(ask) ? check_list_asked(parser, draft, ask, words) : 0;
}

/* `path at FD`, `string at ROOT`, `new CLASS in HANDLE`. */
static int check_place(const struct fth_parser *parser, const struct fth_row_draft *draft,
                       const struct fth_field *field, const struct fth_role_words *words)
{
    const struct fth_token *place = words->base ? words->base : words->in;
    int index = words->base ? field->at_field : field->in_field;
    bool at_root = field->role == FTH_ROLE_STRING;
    if (!place || draft->fields[index].role == (at_root ? FTH_ROLE_ROOT : FTH_ROLE_USE))
        return 0;
    return FAIL_AT(parser, place, "'%.*s' must have the role '%s'", SHOWN(place),
                   at_root ? "root" : "use CLASS");
}

/* Turns the names of parameters in a role into indices, now that all of them are known. */
static int resolve_words(const struct fth_parser *parser, const struct fth_row_draft *draft,
                         struct fth_field *field, const struct fth_role_words *words)
{
    if (!resolve(parser, draft, words->length, &field->length_field) ||
        !resolve(parser, draft, words->base, &field->at_field) ||
        !resolve(parser, draft, words->in, &field->in_field) ||
        !resolve(parser, draft, words->named, &field->name_field) ||
        resolve_ask(parser, draft, field->ask, words) || check_place(parser, draft, field, words))
        return -1;
    if (words->named && draft->fields[field->name_field].role != FTH_ROLE_STRING)
        return FAIL_AT(parser, words->named, "'%.*s' must have the role 'string'",
                       SHOWN(words->named));
    return 0;
}

static int resolve_parameters(const struct fth_parser *parser, struct fth_row_draft *draft)
{
    for (size_t i = 0; i < draft->row.field_count; i++)
        if (resolve_words(parser, draft, &draft->fields[i], &draft->words[i]))
            return -1;
    return 0;
}

/* The parameters, from behind the opening parenthesis to behind the closing one. */
static int parse_parameters(struct fth_parser *parser, struct fth_row_draft *draft)
{
    struct fth_row *row = &draft->row;
    if (is_word(current(parser), "void") && is_mark(current(parser) + 1, ')'))
        parser->at++;
    if (!take_mark(parser, ')')) {
        do {
            if (parse_parameter(parser, draft))
                return -1;
        } while (take_mark(parser, ','));
        if (!take_mark(parser, ')'))
            return fth_parser_expected(parser, current(parser), "',' or ')' after the parameter");
    }
    if (draft->dots && !row->via && !(row->flags & FTH_CALL_BY_HAND))
        return FAIL_AT(parser, draft->dots, "'...' needs 'via NAME' or 'by hand'");
    if (row->via && !draft->dots)
        return FAIL_AT(parser, current(parser), "'via %.64s' needs '...' as the last parameter",
                       row->via);
    return resolve_parameters(parser, draft);
}

/* Adds what the draft holds to the catalogue. */
static int add_row(const struct fth_parser *parser, struct fth_row_draft *draft)
{
    struct fth_catalog *catalog = parser->catalog;
    struct fth_row *row = &draft->row;
    size_t bytes = row->field_count * sizeof *row->fields;
    row->fields = fth_store_take(parser->store, bytes);
    struct fth_row *rows = fth_grown(catalog->rows, catalog->row_count, sizeof *rows);
    if (rows)
        catalog->rows = rows;
    if (!rows || !row->fields ||
        !fth_names_add(&parser->store->rows, row->name, catalog->row_count))
        return fth_parser_out_of_memory(parser);
    memcpy(row->fields, draft->fields, bytes);
    catalog->rows[catalog->row_count++] = *row;
    return 0;
}

int fth_parse_row(struct fth_parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    const struct fth_token *first = current(parser);
    struct fth_row_draft draft; /* the fields are set one by one as they come */
    draft.row = (struct fth_row){
        .id = (int64_t)catalog->row_count,
        .library = catalog->library ? catalog->library : default_library,
        .layer = catalog->layer,
        .result = fth_no_field,
        .file = parser->file,
        .line = first->line,
    };
    draft.result_words = (struct fth_role_words){0};
    draft.dots = NULL;
    struct fth_row *row = &draft.row;

    if (first->kind == FTH_TOKEN_NUMBER) {
        if (!fth_token_number(first, &row->id) || row->id < 0)
            return fth_parser_expected(parser, first, "the number of a row");
        parser->at++;
    }
    size_t from = parser->at;
    if (parse_kind(parser, row))
        return -1;
    if (!row->layer) {
        if (parser->goes_on)
            catalog->layer = default_library;
        return FAIL_AT(parser, first, "a line 'layer NAME' must come before the first row");
    }
    if (catalog->row_count == MAX_ROWS)
        return FAIL_AT(parser, first, "more than %d rows", MAX_ROWS);
    int flag;
    while ((flag = parse_call_flag(parser, row)) > 0) {
        /* one after the other */
    }
    if (flag < 0 || parse_function_name(parser, row) || parse_parameters(parser, &draft))
        return -1;
    if (take_mark(parser, ':') &&
        (fth_parse_result_role(parser, &draft) ||
         resolve_words(parser, &draft, &row->result, &draft.result_words)))
        return -1;
    for (size_t i = 0, command = 0; i < row->field_count; i++) {
        command += draft.fields[i].role == FTH_ROLE_FLAGS;
        if (draft.fields[i].role == FTH_ROLE_ARGUMENT && !command)
            return FAIL_AT(parser, first,
                           "the role 'argument' of '%s' needs a parameter with the role 'flags' in "
                           "front: its command",
                           draft.fields[i].name);
    }
    if (fth_parser_expect_end(parser) ||
        fth_parser_copy_squeezed(parser, from, parser->at, &row->text))
        return -1;
    return add_row(parser, &draft);
}
