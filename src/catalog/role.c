/* Roles: what parameters and results mean. */
#include "catalog/parser.h"
#include "catalog/values.h"

#include <stdio.h>
#include <string.h>

enum { MAX_FIXED_LENGTH = 65535 }; /* of an array */

enum role_form {
    PLAIN,       /* the word alone */
    HANDLE,      /* use CLASS, use CLASS[n] */
    PLACED,      /* path, path at FD; string, string at ROOT */
    OFFSET,      /* offset, offset view */
    FLAGS,       /* flags NAME */
    ARRAY,       /* in[n] */
    ONE_OR_MORE, /* out, out[n] */
};

struct role_word {
    const char *word;
    enum fth_role role;
    enum role_form form;
    bool pointer; /* of pointers only */
};

static const struct role_word parameter_roles[] = {
    {"use", FTH_ROLE_USE, HANDLE, false},
    {"close", FTH_ROLE_CLOSE, HANDLE, false},
    {"new", FTH_ROLE_NEW, HANDLE, true},
    {"path", FTH_ROLE_PATH, PLACED, true},
    {"string", FTH_ROLE_STRING, PLACED, true},
    {"strings", FTH_ROLE_STRINGS, PLAIN, true},
    {"data", FTH_ROLE_DATA, PLAIN, false},
    {"bytes", FTH_ROLE_BYTES, PLAIN, false},
    {"size", FTH_ROLE_SIZE, PLAIN, false},
    {"items", FTH_ROLE_ITEMS, PLAIN, false},
    {"count", FTH_ROLE_COUNT, PLAIN, false},
    {"offset", FTH_ROLE_OFFSET, OFFSET, false},
    {"distance", FTH_ROLE_DISTANCE, PLAIN, false},
    {"whence", FTH_ROLE_WHENCE, PLAIN, false},
    {"flags", FTH_ROLE_FLAGS, FLAGS, false},
    {"mode", FTH_ROLE_MODE, PLAIN, false},
    {"value", FTH_ROLE_VALUE, PLAIN, false},
    {"peer", FTH_ROLE_PEER, PLAIN, false},
    {"root", FTH_ROLE_ROOT, PLAIN, false},
    {"tag", FTH_ROLE_TAG, PLAIN, false},
    {"in", FTH_ROLE_IN, ARRAY, true},
    {"out", FTH_ROLE_OUT, ONE_OR_MORE, true},
    {"iov", FTH_ROLE_IOV, ARRAY, true},
    {"status", FTH_ROLE_STATUS, ONE_OR_MORE, true},
    {"aio", FTH_ROLE_AIO, ONE_OR_MORE, true},
    {"argument", FTH_ROLE_ARGUMENT, PLAIN, true},
    {"skip", FTH_ROLE_NONE, PLAIN, false},
    {NULL, FTH_ROLE_NONE, PLAIN, false},
};

static const struct role_word result_roles[] = {
    {"moved", FTH_ROLE_MOVED, PLAIN, false},
    {"items", FTH_ROLE_RESULT_ITEMS, PLAIN, false},
    {"byte", FTH_ROLE_BYTE, PLAIN, false},
    {"text", FTH_ROLE_TEXT, PLAIN, true},
    {"line", FTH_ROLE_LINE, PLAIN, false},
    {"position", FTH_ROLE_POSITION, PLAIN, false},
    {"status", FTH_ROLE_RESULT_STATUS, PLAIN, false},
    {"code", FTH_ROLE_CODE, PLAIN, false},
    {"new", FTH_ROLE_NEW, HANDLE, false},
    {"pointer", FTH_ROLE_POINTER, PLAIN, true},
    {"value", FTH_ROLE_VALUE, PLAIN, false},
    {"skip", FTH_ROLE_NONE, PLAIN, false},
    {NULL, FTH_ROLE_NONE, PLAIN, false},
};

static const struct role_word *find_role(const struct fth_parser *parser, const char *what,
                                         const struct role_word *roles)
{
    const struct fth_token *token = current(parser);
    const struct role_word *role = roles;
    while (role->word && !is_word(token, role->word))
        role++;
    if (role->word)
        return role;
    char list[512] = "";
    for (role = roles; role->word; role++)
        sprintf(list + strlen(list), "%s%s", role == roles ? "" : ", ", role->word);
    if (token->kind == FTH_TOKEN_WORD)
        FAIL_AT(parser, token, "unknown role '%.*s'; %s is one of: %s", SHOWN(token), what, list);
    else
        fth_parser_expected(parser, token, what);
    return NULL;
}

static int parse_class_name(struct fth_parser *parser, struct fth_field *field)
{
    const struct fth_token *token = fth_parser_take_any_word(parser, "a class of handles");
    if (!token)
        return -1;
    field->class_index = fth_names_find(&parser->store->classes, token->start, token->length);
    if (field->class_index < 0 && parser->goes_on)
        fth_parser_take_for_class(parser, token);
    if (field->class_index < 0)
        return FAIL_AT(parser, token,
                       "unknown class '%.*s'; a line 'class %.*s ...' must come first",
                       SHOWN(token), SHOWN(token));
    return 0;
}

static int parse_flags_name(struct fth_parser *parser, struct fth_field *field)
{
    const struct fth_token *token = fth_parser_take_any_word(parser, "a name of flags");
    if (!token)
        return -1;
    field->flags_index = fth_names_find(&parser->store->flags, token->start, token->length);
    if (field->flags_index < 0)
        return FAIL_AT(parser, token,
                       "unknown flags '%.*s'; a line 'flags %.*s ...' must come first",
                       SHOWN(token), SHOWN(token));
    return 0;
}

/* `FUNCTION(PARAMETER, ...)`; a `*` stands for where the answer is stored. */
static int parse_ask(struct fth_parser *parser, struct fth_field *field,
                     struct fth_role_words *words)
{
    const struct fth_token *function = fth_parser_take_any_word(parser, "a function to ask");
    struct fth_ask *ask = field->ask = fth_store_take(parser->store, sizeof *ask);
    if (!function || !ask || fth_parser_copy(parser, function, &ask->function))
        return function ? fth_parser_out_of_memory(parser) : -1;
    ask->count = 0;
    parser->at++; /* the parenthesis */
    do {
        const struct fth_token *token = current(parser);
        if (token->kind != FTH_TOKEN_WORD && !is_mark(token, '*'))
            return fth_parser_expected(parser, token, "a parameter, or '*' for the answer");
        if (ask->count == FTH_MOST_ASKED)
            return FAIL_AT(parser, token, "more than %d parameters of '%.64s'", FTH_MOST_ASKED,
                           ask->function);
        words->asked[ask->count++] = token;
        parser->at++;
    } while (take_mark(parser, ','));
    return take_mark(parser, ')')
               ? 0
               : fth_parser_expected(parser, current(parser), "',' or ')' after the parameter");
}

/* Does a question stand here? */
static bool is_ask(const struct fth_parser *parser)
{
    return current(parser)->kind == FTH_TOKEN_WORD && is_mark(current(parser) + 1, '(');
}

/* `[n]` behind a role. */
static int parse_length(struct fth_parser *parser, struct fth_field *field,
                        struct fth_role_words *words)
{
    if (!take_mark(parser, '['))
        return fth_parser_expected(parser, current(parser), "'[' and the length of the array");
    const struct fth_token *token = current(parser);
    if (is_ask(parser)) {
        field->length = 0;
        return parse_ask(parser, field, words) ? -1
               : take_mark(parser, ']')        ? 0
                                        : fth_parser_expected(parser, current(parser), "']'");
    }
    if (token->kind == FTH_TOKEN_NUMBER) {
        if (!fth_token_number(token, &field->length) || field->length < 1 ||
            field->length > MAX_FIXED_LENGTH)
            return FAIL_AT(parser, token, "expected a length from 1 to %d, not '%.*s'",
                           MAX_FIXED_LENGTH, SHOWN(token));
    } else if (token->kind == FTH_TOKEN_WORD) {
        words->length = token;
    } else {
        return fth_parser_expected(parser, token,
                                   "a parameter or a number for the length of the array");
    }
    parser->at++;
    return take_mark(parser, ']') ? 0 : fth_parser_expected(parser, current(parser), "']'");
}

/* `[FUNCTION(PARAMETER, ...)]` behind the length of an array of pointers. */
static int parse_length_of_lists(struct fth_parser *parser, struct fth_field *field,
                                 struct fth_role_words *words)
{
    parser->at++; /* the bracket */
    field->of_lists = true;
    if (!words->length || !is_ask(parser))
        return fth_parser_expected(parser, current(parser),
                                   "a function that tells the length of each array");
    return parse_ask(parser, field, words) ? -1
           : take_mark(parser, ']')        ? 0
                                           : fth_parser_expected(parser, current(parser), "']'");
}

/* `in HANDLE [named NAME]` behind `new CLASS`. */
static int parse_place(struct fth_parser *parser, struct fth_role_words *words)
{
    if (!take_word(parser, "in"))
        return 0;
    words->in = fth_parser_take_any_word(parser, "the parameter that holds the handle");
    if (!words->in)
        return -1;
    if (!take_word(parser, "named"))
        return 0;
    words->named = fth_parser_take_any_word(parser, "the parameter that holds the name");
    return words->named ? 0 : -1;
}

int fth_parse_parameter_role(struct fth_parser *parser, struct fth_row_draft *draft, size_t index)
{
    struct fth_field *field = &draft->fields[index];
    struct fth_role_words *words = &draft->words[index];
    size_t from = parser->at;
    const struct fth_token *word = current(parser);
    const struct role_word *role = find_role(parser, "the role of a parameter", parameter_roles);
    if (!role)
        return -1;
    parser->at++;
    field->role = role->role;
    if (role->form == HANDLE && parse_class_name(parser, field))
        return -1;
    if (role->form == FLAGS && parse_flags_name(parser, field))
        return -1;
    if (role->form == PLACED && take_word(parser, "at") &&
        !(words->base = fth_parser_take_any_word(
              parser, role->role == FTH_ROLE_PATH ? "the parameter that holds the descriptor"
                                                  : "the parameter that holds the root")))
        return -1;
    if (role->form == OFFSET && take_word(parser, "view"))
        field->role = FTH_ROLE_OFFSET_VIEW;
    bool more =
        is_mark(current(parser), '[') && (role->form == HANDLE || role->form == ONE_OR_MORE);
    if ((role->form == ARRAY || more) && parse_length(parser, field, words))
        return -1;
    if (role->role == FTH_ROLE_IN && is_mark(current(parser), '[') &&
        parse_length_of_lists(parser, field, words))
        return -1;
    if (role->role == FTH_ROLE_AIO && more)
        field->role = FTH_ROLE_AIO_LIST;
    if (role->role == FTH_ROLE_NEW && parse_place(parser, words))
        return -1;
    bool many = words->length || field->length >= 0;
    if ((role->pointer || many) && !fth_field_is_pointer(field))
        return FAIL_AT(parser, word, "the role '%s'%s needs a pointer, and '%s' is not one",
                       role->word, many && !role->pointer ? " of an array" : "", field->name);
    return fth_parser_copy_squeezed(parser, from, parser->at, &field->role_words);
}

int fth_parse_result_role(struct fth_parser *parser, struct fth_row_draft *draft)
{
    struct fth_field *result = &draft->row.result;
    size_t from = parser->at;
    const struct fth_token *word = current(parser);
    const struct role_word *role = find_role(parser, "the role of the result", result_roles);
    if (!role)
        return -1;
    parser->at++;
    result->role = role->role;
    if (role->form == HANDLE &&
        (parse_class_name(parser, result) || parse_place(parser, &draft->result_words)))
        return -1;
    if (role->role == FTH_ROLE_MOVED && !is_ask(parser))
        result->moved_all = take_word(parser, "all");
    if (role->role == FTH_ROLE_MOVED && is_ask(parser) &&
        parse_ask(parser, result, &draft->result_words))
        return -1;
    if (strcmp(result->type, "void") == 0 && role->role != FTH_ROLE_NONE)
        return FAIL_AT(parser, word, "the role '%s' needs a result, and the type is void",
                       role->word);
    if (role->pointer && !fth_field_is_pointer(result))
        return FAIL_AT(parser, word, "the role '%s' needs a pointer, and the result is not one",
                       role->word);
    return fth_parser_copy_squeezed(parser, from, parser->at, &result->role_words);
}
