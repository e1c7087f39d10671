/* Parses the text of `.calls` files (docs/catalog.md) into a catalogue. The text may come out of a
 * trace, so it may be anything. A statement is cut into tokens first; then its parts are found by
 * looking for the tokens that divide them. All strings and fields of a catalogue lie in its store
 * and die with it. */
#include "catalog/catalog.h"
#include "catalog/lexer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROWS = 65535,
    MAX_PARAMETERS = 31,
    MAX_CLASSES = 254,
    MAX_FLAGS = 65535,
    MAX_FIXED_LENGTH = 65535, /* of an array */
    MAX_TOKENS = 65536,       /* of a statement */
    MAX_FILE_BYTES = 64 << 20,
    BLOCK_BYTES = 32 << 10,
};

/* ---- The store: memory that lives as long as the catalogue, and what is found by name ---- */

struct block {
    struct block *next;
    max_align_t bytes[];
};

/* An open-addressed table from names to indices, at most half full. */
struct names {
    struct name_slot {
        const char *name; /* NULL: empty */
        uint32_t hash, index;
    } * slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

struct fth_catalog_store {
    struct block *blocks;
    char *free_from;
    size_t free_bytes;
    struct names classes, flags, rows;
};

/* `bytes` bytes for an object of any type; NULL: out of memory. */
static void *store_take(struct fth_catalog_store *store, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > store->free_bytes) {
        size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        struct block *block = malloc(sizeof *block + size);
        if (!block)
            return NULL;
        block->next = store->blocks;
        store->blocks = block;
        if (size == bytes) /* a large one: the rest of the current block stays in use */
            return block->bytes;
        store->free_from = (char *)block->bytes;
        store->free_bytes = size;
    }
    void *taken = store->free_from;
    store->free_from += bytes;
    store->free_bytes -= bytes;
    return taken;
}

static char *store_text(struct fth_catalog_store *store, const char *text, size_t length)
{
    char *copy = store_take(store, length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

static uint32_t hash_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

/* The slot of this name, or the empty one where it belongs. The table must not be empty. */
static struct name_slot *names_slot(const struct names *names, const char *name, size_t length)
{
    uint32_t hash = hash_of(name, length);
    for (size_t i = hash & (names->size - 1);; i = (i + 1) & (names->size - 1)) {
        struct name_slot *slot = &names->slots[i];
        if (!slot->name || (slot->hash == hash && strncmp(slot->name, name, length) == 0 &&
                            slot->name[length] == '\0'))
            return slot;
    }
}

/* The index under this name, or -1. */
static int names_find(const struct names *names, const char *name, size_t length)
{
    if (names->size == 0)
        return -1;
    const struct name_slot *slot = names_slot(names, name, length);
    return slot->name ? (int)slot->index : -1;
}

/* Adds a name that is not there yet and stays where it is. False: out of memory. */
static bool names_add(struct names *names, const char *name, size_t index)
{
    if (names->used * 2 >= names->size) {
        struct names larger = {.size = names->size ? names->size * 2 : 64, .used = names->used};
        larger.slots = calloc(larger.size, sizeof *larger.slots);
        if (!larger.slots)
            return false;
        for (size_t i = 0; i < names->size; i++) {
            const struct name_slot *old = &names->slots[i];
            if (old->name)
                *names_slot(&larger, old->name, strlen(old->name)) = *old;
        }
        free(names->slots);
        *names = larger;
    }
    size_t length = strlen(name);
    *names_slot(names, name, length) =
        (struct name_slot){.name = name, .hash = hash_of(name, length), .index = (uint32_t)index};
    names->used++;
    return true;
}

/* Makes room for one more item in an array that grows by doubling; NULL: out of memory. */
static void *grown(void *items, size_t count, size_t item_bytes)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return items;
    return reallocarray(items, count ? count * 2 : 1, item_bytes);
}

/* ---- The parser: its tokens and its complaints ---- */

struct parser {
    struct fth_catalog *catalog;
    struct fth_catalog_store *store;
    const char *file;
    struct fth_token *tokens; /* of the statement; the last one is its end */
    size_t token_room;
    size_t at; /* the current token */
    struct fth_error **error;
};

/* Fails at a token with a message of its own. */
#define FAIL_AT(parser, token, format, ...)                                                        \
    fth_fail((parser)->error, "%s:%d:%u: " format, (parser)->file, (token)->line,                  \
             (token)->column __VA_OPT__(, ) __VA_ARGS__)

/* A token in a printf: `%.*s`, cut where it would swamp the message. */
#define SHOWN(token) (int)((token)->length < 64 ? (token)->length : 64), (token)->start

static int out_of_memory(const struct parser *parser)
{
    if (parser->error && *parser->error) /* told already */
        return -1;
    return fth_fail(parser->error, "%s: out of memory", parser->file);
}

static int fail_expected(const struct parser *parser, const struct fth_token *token,
                         const char *expected)
{
    if (token->kind == FTH_TOKEN_END)
        return FAIL_AT(parser, token, "expected %s, not the end of the line", expected);
    unsigned char byte = (unsigned char)*token->start;
    if (token->kind == FTH_TOKEN_MARK && (byte < 0x21 || byte > 0x7e))
        return FAIL_AT(parser, token, "expected %s, not the byte 0x%02x", expected, byte);
    return FAIL_AT(parser, token, "expected %s, not '%.*s'", expected, SHOWN(token));
}

static const struct fth_token *current(const struct parser *parser)
{
    return &parser->tokens[parser->at];
}

static bool is_mark(const struct fth_token *token, char mark)
{
    return token->kind == FTH_TOKEN_MARK && *token->start == mark;
}

static bool is_word(const struct fth_token *token, const char *word)
{
    return token->kind == FTH_TOKEN_WORD && *token->start == *word &&
           strncmp(token->start, word, token->length) == 0 && word[token->length] == '\0';
}

/* Steps over the current token if it is this mark. */
static bool take_mark(struct parser *parser, char mark)
{
    if (!is_mark(current(parser), mark))
        return false;
    parser->at++;
    return true;
}

static bool take_word(struct parser *parser, const char *word)
{
    if (!is_word(current(parser), word))
        return false;
    parser->at++;
    return true;
}

/* Steps over any word; `expected` tells in the error what should be there. NULL: failed. */
static const struct fth_token *take_any_word(struct parser *parser, const char *expected)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD) {
        fail_expected(parser, token, expected);
        return NULL;
    }
    parser->at++;
    return token;
}

static int expect_end(const struct parser *parser)
{
    if (current(parser)->kind == FTH_TOKEN_END)
        return 0;
    return fail_expected(parser, current(parser), "the end of the line");
}

static int copy_token(const struct parser *parser, const struct fth_token *token, char **copy)
{
    *copy = store_text(parser->store, token->start, token->length);
    return *copy ? 0 : out_of_memory(parser);
}

/* Copies the text from one token up to another, on one line: comments fall away, white space
 * shrinks to one blank. */
static int copy_squeezed(const struct parser *parser, size_t from, size_t to, char **copy)
{
    const struct fth_token *tokens = parser->tokens;
    size_t bytes = 1;
    for (size_t i = from; i < to; i++)
        bytes += tokens[i].length + 1;
    char *out = *copy = store_take(parser->store, bytes);
    if (!out)
        return out_of_memory(parser);
    for (size_t i = from; i < to; i++) {
        if (i > from && tokens[i].start != tokens[i - 1].start + tokens[i - 1].length)
            *out++ = ' ';
        memcpy(out, tokens[i].start, tokens[i].length);
        out += tokens[i].length;
    }
    *out = '\0';
    return 0;
}

/* ---- Declarations in C ---- */

/* clang-format off */
static const char *const type_words[] = {
    "_Bool", "bool", "char", "const", "double", "enum", "float", "int", "long", "restrict", "short",
    "signed", "struct", "union", "unsigned", "void", "volatile", NULL,
};

/* Types that are no integers though they look like it: kept only where a role says how. */
static const char *const opaque_words[] = {
    "FILE", "_Complex", "__compar_d_fn_t", "__compar_fn_t", "__ftw_func_t", "__gnuc_va_list",
    "__nftw_func_t", "__sighandler_t", "comparison_fn_t", "cookie_io_functions_t", "div_t",
    "double", "fd_set", "float", "fpos64_t", "fpos_t", "ldiv_t", "locale_t", "mbstate_t", "sem_t",
    "sighandler_t", "sigset_t", "struct", "union", "va_list", "void", NULL,
};

/* clang-format on */

/* The types of MPI that are integers; all its other types are handles and functions. */
static const char *const mpi_integers[] = {"MPI_Aint", "MPI_Count", "MPI_Fint", "MPI_Offset", NULL};

static bool is_one_of(const struct fth_token *token, const char *const *words)
{
    for (; *words; words++)
        if (is_word(token, *words))
            return true;
    return false;
}

/* What is kept of a parameter of this type without a role. */
static enum fth_role role_of_type(const struct fth_token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fth_token *token = &tokens[i];
        if (token->kind != FTH_TOKEN_WORD || is_one_of(token, opaque_words))
            return FTH_ROLE_NONE;
        if (token->length > 4 && memcmp(token->start, "MPI_", 4) == 0 &&
            !is_one_of(token, mpi_integers))
            return FTH_ROLE_NONE;
    }
    return FTH_ROLE_VALUE;
}

/* Whether a blank belongs between two tokens of a type: "char *const *", "int (*)(int, void *)". */
static bool is_apart(const struct fth_token *left, const struct fth_token *right)
{
    if (is_mark(left, '*') || is_mark(left, '(') || is_mark(left, '['))
        return false;
    if (is_mark(right, '(') && is_mark(left, ')'))
        return false;
    return !is_mark(right, ')') && !is_mark(right, ',') && !is_mark(right, '[') &&
           !is_mark(right, ']');
}

/* Spells the type that the tokens from..to declare, without the token `name` (NULL: with all). */
static int copy_type(const struct parser *parser, size_t from, size_t to,
                     const struct fth_token *name, const char *tail, char **type)
{
    size_t bytes = strlen(tail) + 1;
    for (size_t i = from; i < to; i++)
        bytes += parser->tokens[i].length + 1;
    char *out = *type = store_take(parser->store, bytes);
    if (!out)
        return out_of_memory(parser);
    const struct fth_token *left = NULL;
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (token == name)
            continue;
        if (left && is_apart(left, token))
            *out++ = ' ';
        memcpy(out, token->start, token->length);
        out += token->length;
        left = token;
    }
    strcpy(out, tail);
    return 0;
}

/* Checks that the tokens from..to are words and stars that can be the type of `name`. */
static int check_type(const struct parser *parser, size_t from, size_t to,
                      const struct fth_token *name)
{
    bool named = false; /* a word that is more than const or struct */
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (token->kind == FTH_TOKEN_WORD)
            named |= !is_word(token, "const") && !is_word(token, "volatile") &&
                     !is_word(token, "struct") && !is_word(token, "union") &&
                     !is_word(token, "enum");
        else if (!is_mark(token, '*') || !named)
            return fail_expected(parser, token, "the words of a C type");
    }
    if (!named)
        return FAIL_AT(parser, name, "expected a type before '%.*s'", SHOWN(name));
    return 0;
}

/* The name inside `TYPE (*NAME)...`, or NULL if the declaration is not of that form. */
static const struct fth_token *name_in_parentheses(const struct parser *parser, size_t from,
                                                   size_t to)
{
    for (size_t i = from + 1; i + 3 < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        if (!is_mark(token, '('))
            continue;
        bool found =
            is_mark(&token[1], '*') && token[2].kind == FTH_TOKEN_WORD && is_mark(&token[3], ')');
        return found ? &token[2] : NULL;
    }
    return NULL;
}

/* `TYPE (*NAME)(...)`: the type keeps the shape of its declarator, "int (*)(void *)". */
static int parse_pointer_declaration(const struct parser *parser, size_t from, size_t to,
                                     const struct fth_token *name, struct fth_field *field)
{
    for (size_t i = from; i < to; i++) {
        const struct fth_token *token = &parser->tokens[i];
        bool fits =
            token->kind == FTH_TOKEN_WORD || token->kind == FTH_TOKEN_DOTS ||
            token->kind == FTH_TOKEN_NUMBER ||
            (token->kind == FTH_TOKEN_MARK && strchr("*(),[]", *token->start) && *token->start);
        if (!fits)
            return fail_expected(parser, token, "the words of a C type");
    }
    if (copy_token(parser, name, &field->name) ||
        copy_type(parser, from, to, name, "", &field->type))
        return -1;
    field->role = FTH_ROLE_NONE;
    return 0;
}

/* Splits off the [] and [2] behind the name: *to becomes where they start, *count their number. */
static int parse_dimensions(const struct parser *parser, size_t from, size_t *to, size_t *count)
{
    *count = 0;
    while (*to > from + 1 && is_mark(&parser->tokens[*to - 1], ']')) {
        size_t open = *to - 2;
        int64_t length;
        const struct fth_token *inside = &parser->tokens[open];
        if (!is_mark(inside, '[')) {
            if (inside->kind != FTH_TOKEN_NUMBER || !fth_token_number(inside, &length) ||
                open == from || !is_mark(inside - 1, '['))
                return fail_expected(parser, inside, "a number or nothing between '[' and ']'");
            open--;
        }
        *to = open;
        ++*count;
    }
    return 0;
}

/* The declaration of a parameter: tokens from..to. */
static int parse_declaration(const struct parser *parser, size_t from, size_t to,
                             struct fth_field *field)
{
    const struct fth_token *name = name_in_parentheses(parser, from, to);
    if (name)
        return parse_pointer_declaration(parser, from, to, name, field);

    size_t all = to, dimensions;
    if (parse_dimensions(parser, from, &to, &dimensions))
        return -1;
    if (to == from)
        return fail_expected(parser, &parser->tokens[from], "a parameter");
    name = &parser->tokens[to - 1];
    if (is_mark(name, '*') || is_one_of(name, type_words))
        name = &parser->tokens[to]; /* where it is missing */
    if (name->kind != FTH_TOKEN_WORD)
        return fail_expected(parser, name, "the name of the parameter");
    if (check_type(parser, from, to - 1, name) || copy_token(parser, name, &field->name))
        return -1;
    field->array = dimensions == 1;
    field->role = dimensions ? FTH_ROLE_NONE : role_of_type(&parser->tokens[from], to - 1 - from);
    if (dimensions < 2)
        return copy_type(parser, from, to - 1, NULL, "", &field->type);

    /* `int ranges[][3]` is a pointer to an array: "int (*)[3]". */
    size_t second = to + 1;
    while (!is_mark(&parser->tokens[second], '['))
        second++;
    char *head, *tail;
    if (copy_squeezed(parser, second, all, &tail) ||
        !(head = store_take(parser->store, strlen(tail) + 5)))
        return out_of_memory(parser);
    sprintf(head, " (*)%s", tail);
    return copy_type(parser, from, to - 1, NULL, head, &field->type);
}

/* ---- Roles ---- */

enum role_form {
    PLAIN,       /* the word alone */
    HANDLE,      /* use CLASS, use CLASS[n] */
    PATH,        /* path, path at FD */
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
    {"path", FTH_ROLE_PATH, PATH, true},
    {"string", FTH_ROLE_STRING, PLAIN, true},
    {"strings", FTH_ROLE_STRINGS, PLAIN, true},
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
    {"aio", FTH_ROLE_AIO, PLAIN, true},
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

static char no_words[] = "", default_library[] = "libc";

static const struct fth_field no_field = {
    .type = no_words,
    .name = no_words,
    .role_words = no_words,
    .role = FTH_ROLE_NONE,
    .class_index = -1,
    .flags_index = -1,
    .length_field = -1,
    .length = -1,
    .at_field = -1,
};

/* A row as it is read, with the tokens that name its parameters before all of these are known. */
struct draft {
    struct fth_row row;
    struct fth_field fields[MAX_PARAMETERS];
    const struct fth_token *lengths[MAX_PARAMETERS]; /* use CLASS[n] */
    const struct fth_token *bases[MAX_PARAMETERS];   /* path at FD */
    const struct fth_token *dots;                    /* the parameter `...` */
};

static const struct role_word *find_role(const struct parser *parser, const char *what,
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
        fail_expected(parser, token, what);
    return NULL;
}

static int parse_class_name(struct parser *parser, struct fth_field *field)
{
    const struct fth_token *token = take_any_word(parser, "a class of handles");
    if (!token)
        return -1;
    field->class_index = names_find(&parser->store->classes, token->start, token->length);
    if (field->class_index < 0)
        return FAIL_AT(parser, token,
                       "unknown class '%.*s'; a line 'class %.*s ...' must come first",
                       SHOWN(token), SHOWN(token));
    return 0;
}

static int parse_flags_name(struct parser *parser, struct fth_field *field)
{
    const struct fth_token *token = take_any_word(parser, "a name of flags");
    if (!token)
        return -1;
    field->flags_index = names_find(&parser->store->flags, token->start, token->length);
    if (field->flags_index < 0)
        return FAIL_AT(parser, token,
                       "unknown flags '%.*s'; a line 'flags %.*s ...' must come first",
                       SHOWN(token), SHOWN(token));
    return 0;
}

/* `[n]` behind a role. */
static int parse_length(struct parser *parser, struct fth_field *field,
                        const struct fth_token **length)
{
    if (!take_mark(parser, '['))
        return fail_expected(parser, current(parser), "'[' and the length of the array");
    const struct fth_token *token = current(parser);
    if (token->kind == FTH_TOKEN_NUMBER) {
        if (!fth_token_number(token, &field->length) || field->length < 1 ||
            field->length > MAX_FIXED_LENGTH)
            return FAIL_AT(parser, token, "expected a length from 1 to %d, not '%.*s'",
                           MAX_FIXED_LENGTH, SHOWN(token));
    } else if (token->kind == FTH_TOKEN_WORD) {
        *length = token;
    } else {
        return fail_expected(parser, token, "a parameter or a number for the length of the array");
    }
    parser->at++;
    return take_mark(parser, ']') ? 0 : fail_expected(parser, current(parser), "']'");
}

static bool is_pointer(const struct fth_field *field)
{
    return field->array || strpbrk(field->type, "*(") != NULL;
}

/* The role of parameter `index` of the draft. */
static int parse_parameter_role(struct parser *parser, struct draft *draft, size_t index)
{
    struct fth_field *field = &draft->fields[index];
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
    if (role->form == PATH && take_word(parser, "at") &&
        !(draft->bases[index] = take_any_word(parser, "the parameter that holds the descriptor")))
        return -1;
    if (role->form == OFFSET && take_word(parser, "view"))
        field->role = FTH_ROLE_OFFSET_VIEW;
    bool more =
        is_mark(current(parser), '[') && (role->form == HANDLE || role->form == ONE_OR_MORE);
    if ((role->form == ARRAY || more) && parse_length(parser, field, &draft->lengths[index]))
        return -1;
    bool many = draft->lengths[index] || field->length >= 0;
    if ((role->pointer || many) && !is_pointer(field))
        return FAIL_AT(parser, word, "the role '%s'%s needs a pointer, and '%s' is none",
                       role->word, many && !role->pointer ? " of an array" : "", field->name);
    return copy_squeezed(parser, from, parser->at, &field->role_words);
}

static int parse_result_role(struct parser *parser, struct fth_field *result)
{
    size_t from = parser->at;
    const struct fth_token *word = current(parser);
    const struct role_word *role = find_role(parser, "the role of the result", result_roles);
    if (!role)
        return -1;
    parser->at++;
    result->role = role->role;
    if (role->form == HANDLE && parse_class_name(parser, result))
        return -1;
    if (strcmp(result->type, "void") == 0 && role->role != FTH_ROLE_NONE)
        return FAIL_AT(parser, word, "the role '%s' needs a result, and the type is void",
                       role->word);
    if (role->pointer && !is_pointer(result))
        return FAIL_AT(parser, word, "the role '%s' needs a pointer, and the result is none",
                       role->word);
    return copy_squeezed(parser, from, parser->at, &result->role_words);
}

/* ---- Rows ---- */

static const char *const kinds[] = {
    "open", "close",    "dup",      "read",   "write", "seek", "sync",       "truncate",
    "map",  "lock",     "control",  "poll",   "stat",  "name", "permission", "list",
    "view", "pipe",     "process",  "thread", "mutex", "init", "finalize",   "send",
    "recv", "exchange", "probe",    "start",  "wait",  "test", "cancel",     "collective",
    "comm", "group",    "topology", "type",   "rma",   "info", "attribute",  "error",
    "tool", "env",      "other",    NULL,
};

static int parse_kind(struct parser *parser, struct fth_row *row)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD)
        return fail_expected(parser, token, "the kind of a row, or library, layer, class or flags");
    if (!is_one_of(token, kinds)) {
        char list[512] = "";
        for (size_t i = 0; kinds[i]; i++)
            sprintf(list + strlen(list), "%s%s", i ? ", " : "", kinds[i]);
        return FAIL_AT(parser, token, "unknown kind '%.*s'; the kinds are: %s", SHOWN(token), list);
    }
    parser->at++;
    return copy_token(parser, token, &row->kind);
}

static const struct {
    const char *word, *second;
    unsigned flag;
} call_flags[] = {
    {"collective", NULL, FTH_CALL_COLLECTIVE}, {"nonblocking", NULL, FTH_CALL_NONBLOCKING},
    {"begin", NULL, FTH_CALL_BEGIN},           {"end", NULL, FTH_CALL_END},
    {"noreturn", NULL, FTH_CALL_NORETURN},     {"off", NULL, FTH_CALL_OFF},
    {"by", "hand", FTH_CALL_BY_HAND},          {"on", "stdin", FTH_CALL_ON_STDIN},
    {"on", "stdout", FTH_CALL_ON_STDOUT},      {"hooked", NULL, FTH_CALL_HOOKED},
};

/* Takes one flag if there is one: 1 then, 0 without, -1 on failure. */
static int parse_call_flag(struct parser *parser, struct fth_row *row)
{
    const struct fth_token *token = current(parser);
    if (token->kind != FTH_TOKEN_WORD || is_mark(&token[1], '('))
        return 0;
    if (take_word(parser, "via")) {
        token = take_any_word(parser, "the name of a function behind 'via'");
        return token && copy_token(parser, token, &row->via) == 0 ? 1 : -1;
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
        return fail_expected(parser, &token[1], "'hand' behind 'by'");
    if (is_word(token, "on"))
        return fail_expected(parser, &token[1], "'stdin' or 'stdout' behind 'on'");
    return 0;
}

/* `TYPE NAME`, up to the parenthesis. */
static int parse_function_name(struct parser *parser, struct fth_row *row)
{
    size_t from = parser->at, to = from;
    while (parser->tokens[to].kind != FTH_TOKEN_END && !is_mark(&parser->tokens[to], '('))
        to++;
    if (parser->tokens[to].kind == FTH_TOKEN_END)
        return fail_expected(parser, &parser->tokens[to], "'(' behind the name of the function");
    if (to == from || parser->tokens[to - 1].kind != FTH_TOKEN_WORD)
        return fail_expected(parser, &parser->tokens[to], "the name of the function");
    const struct fth_token *name = &parser->tokens[to - 1];
    if (check_type(parser, from, to - 1, name) ||
        copy_type(parser, from, to - 1, NULL, "", &row->result.type) ||
        copy_token(parser, name, &row->name))
        return -1;
    int first = names_find(&parser->store->rows, name->start, name->length);
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
static size_t declaration_end(const struct parser *parser)
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

static int check_last(const struct parser *parser, const struct draft *draft)
{
    const struct fth_row *row = &draft->row;
    if (draft->dots)
        return FAIL_AT(parser, current(parser), "expected no parameter behind '...'");
    if (row->field_count > 0 && draft->fields[row->field_count - 1].optional)
        return FAIL_AT(parser, current(parser), "expected no parameter behind the optional '%s'",
                       draft->fields[row->field_count - 1].name);
    if (row->field_count == MAX_PARAMETERS && current(parser)->kind != FTH_TOKEN_DOTS)
        return FAIL_AT(parser, current(parser), "more than %d parameters", MAX_PARAMETERS);
    return 0;
}

static int parse_parameter(struct parser *parser, struct draft *draft)
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
    *field = no_field;
    const struct fth_token *start = current(parser);
    size_t from = parser->at, to = declaration_end(parser);
    parser->at = to;
    if (to > from && is_mark(&parser->tokens[to - 1], '?')) {
        field->optional = true;
        row->flags |= FTH_CALL_VARIADIC;
        to--;
    }
    if (parse_declaration(parser, from, to, field))
        return -1;
    for (size_t i = 0; i < index; i++)
        if (strcmp(draft->fields[i].name, field->name) == 0)
            return FAIL_AT(parser, start, "a second parameter '%.64s'", field->name);
    row->field_count++;
    return take_mark(parser, ':') ? parse_parameter_role(parser, draft, index) : 0;
}

/* The index of the parameter that a role speaks of, or -1 after an error. */
static int find_parameter(const struct parser *parser, const struct draft *draft,
                          const struct fth_token *name)
{
    for (size_t i = 0; i < draft->row.field_count; i++)
        if (is_word(name, draft->fields[i].name))
            return (int)i;
    return FAIL_AT(parser, name, "'%.64s' has no parameter '%.*s'", draft->row.name, SHOWN(name));
}

/* Turns the names of parameters in roles into indices, now that all of them are known. */
static int resolve_parameters(const struct parser *parser, struct draft *draft)
{
    for (size_t i = 0; i < draft->row.field_count; i++) {
        struct fth_field *field = &draft->fields[i];
        const struct fth_token *length = draft->lengths[i], *base = draft->bases[i];
        if (length && (field->length_field = find_parameter(parser, draft, length)) < 0)
            return -1;
        if (base && (field->at_field = find_parameter(parser, draft, base)) < 0)
            return -1;
        if (base && draft->fields[field->at_field].role != FTH_ROLE_USE)
            return FAIL_AT(parser, base, "'%.*s' must have the role 'use CLASS'", SHOWN(base));
    }
    return 0;
}

/* The parameters, from behind the opening parenthesis to behind the closing one. */
static int parse_parameters(struct parser *parser, struct draft *draft)
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
            return fail_expected(parser, current(parser), "',' or ')' behind the parameter");
    }
    if (draft->dots && !row->via && !(row->flags & FTH_CALL_BY_HAND))
        return FAIL_AT(parser, draft->dots, "'...' needs 'via NAME' or 'by hand'");
    if (row->via && !draft->dots)
        return FAIL_AT(parser, current(parser), "'via %.64s' needs '...' as the last parameter",
                       row->via);
    return resolve_parameters(parser, draft);
}

/* Adds what the draft holds to the catalogue. */
static int add_row(const struct parser *parser, struct draft *draft)
{
    struct fth_catalog *catalog = parser->catalog;
    struct fth_row *row = &draft->row;
    size_t bytes = row->field_count * sizeof *row->fields;
    row->fields = store_take(parser->store, bytes);
    struct fth_row *rows = grown(catalog->rows, catalog->row_count, sizeof *rows);
    if (rows)
        catalog->rows = rows;
    if (!rows || !row->fields || !names_add(&parser->store->rows, row->name, catalog->row_count))
        return out_of_memory(parser);
    memcpy(row->fields, draft->fields, bytes);
    catalog->rows[catalog->row_count++] = *row;
    return 0;
}

static int parse_row(struct parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    const struct fth_token *first = current(parser);
    struct draft draft; /* the fields are set one by one as they come */
    draft.row = (struct fth_row){
        .id = (int64_t)catalog->row_count,
        .library = catalog->library ? catalog->library : default_library,
        .layer = catalog->layer,
        .result = no_field,
        .file = parser->file,
        .line = first->line,
    };
    memset(draft.lengths, 0, sizeof draft.lengths);
    memset(draft.bases, 0, sizeof draft.bases);
    draft.dots = NULL;
    struct fth_row *row = &draft.row;

    if (first->kind == FTH_TOKEN_NUMBER) {
        if (!fth_token_number(first, &row->id) || row->id < 0)
            return fail_expected(parser, first, "the number of a row");
        parser->at++;
    }
    size_t from = parser->at;
    if (parse_kind(parser, row))
        return -1;
    if (!row->layer)
        return FAIL_AT(parser, first, "a line 'layer NAME' must come before the first row");
    if (catalog->row_count == MAX_ROWS)
        return FAIL_AT(parser, first, "more than %d rows", MAX_ROWS);
    int flag;
    while ((flag = parse_call_flag(parser, row)) > 0) {
        /* one after the other */
    }
    if (flag < 0 || parse_function_name(parser, row) || parse_parameters(parser, &draft))
        return -1;
    if (take_mark(parser, ':') && parse_result_role(parser, &row->result))
        return -1;
    if (expect_end(parser) || copy_squeezed(parser, from, parser->at, &row->text))
        return -1;
    return add_row(parser, &draft);
}

/* ---- The other statements ---- */

/* `library NAME`, `layer NAME`: applies to the rows that follow. */
static int parse_setting(struct parser *parser, const char *expected, char **setting)
{
    const struct fth_token *name = take_any_word(parser, expected);
    if (!name || expect_end(parser))
        return -1;
    return copy_token(parser, name, setting);
}

/* `class NAME FORM [buffered]`; may be repeated with the same form, as each family of functions declares what
 * it needs. */
static int parse_class(struct parser *parser)
{
    static const char *const forms[] = {"file", "object", "anonymous", NULL};
    struct fth_catalog *catalog = parser->catalog;
    const struct fth_token *name = take_any_word(parser, "the name of a class");
    if (!name)
        return -1;
    const struct fth_token *word = current(parser);
    if (!is_one_of(word, forms))
        return fail_expected(parser, word, "file, object or anonymous");
    struct fth_class class = {.form = is_word(word, "file")     ? FTH_CLASS_FILE
                                      : is_word(word, "object") ? FTH_CLASS_OBJECT
                                                                : FTH_CLASS_ANONYMOUS};
    parser->at++;
    class.buffered = take_word(parser, "buffered");
    if (expect_end(parser))
        return -1;
    int known = names_find(&parser->store->classes, name->start, name->length);
    if (known >= 0 && catalog->classes[known].form != class.form)
        return FAIL_AT(parser, word, "the class '%.*s' was declared as %s before", SHOWN(name),
                       forms[catalog->classes[known].form]);
    if (known >= 0) {
        catalog->classes[known].buffered |= class.buffered;
        return 0;
    }
    if (catalog->class_count == MAX_CLASSES)
        return FAIL_AT(parser, name, "more than %d classes", MAX_CLASSES);

    struct fth_class *classes = grown(catalog->classes, catalog->class_count, sizeof *classes);
    if (classes)
        catalog->classes = classes;
    if (!classes || copy_token(parser, name, &class.name) ||
        !names_add(&parser->store->classes, class.name, catalog->class_count))
        return out_of_memory(parser);
    catalog->classes[catalog->class_count++] = class;
    return 0;
}

/* `VALUE=SYMBOL ...` up to the end of the statement. */
static int parse_flag_entries(struct parser *parser, struct fth_flags *flags)
{
    size_t room = 1; /* as many as there are '=' */
    for (size_t i = parser->at; parser->tokens[i].kind != FTH_TOKEN_END; i++)
        room += is_mark(&parser->tokens[i], '=');
    flags->entries = store_take(parser->store, room * sizeof *flags->entries);
    if (!flags->entries)
        return out_of_memory(parser);
    do {
        struct fth_flag *entry = &flags->entries[flags->count];
        const struct fth_token *token = current(parser);
        if (token->kind != FTH_TOKEN_NUMBER || !fth_token_number(token, &entry->value))
            return fail_expected(parser, token, "VALUE=SYMBOL");
        parser->at++;
        if (!take_mark(parser, '='))
            return fail_expected(parser, current(parser), "'='");
        token = take_any_word(parser, "the symbol of the value");
        if (!token || copy_token(parser, token, &entry->name))
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
static int parse_flags(struct parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    struct fth_flags flags = {.count = 0};
    const struct fth_token *name = take_any_word(parser, "the name of the flags");
    if (!name || parse_flag_entries(parser, &flags))
        return -1;
    int known = names_find(&parser->store->flags, name->start, name->length);
    if (known >= 0 && !same_flags(&flags, &catalog->flags[known]))
        return FAIL_AT(parser, name, "the flags '%.*s' were declared otherwise before",
                       SHOWN(name));
    if (known >= 0)
        return 0;
    if (catalog->flags_count == MAX_FLAGS)
        return FAIL_AT(parser, name, "more than %d flags", MAX_FLAGS);

    struct fth_flags *all = grown(catalog->flags, catalog->flags_count, sizeof *all);
    if (all)
        catalog->flags = all;
    if (!all || copy_token(parser, name, &flags.name) ||
        !names_add(&parser->store->flags, flags.name, catalog->flags_count))
        return out_of_memory(parser);
    catalog->flags[catalog->flags_count++] = flags;
    return 0;
}

static int parse_statement(struct parser *parser)
{
    struct fth_catalog *catalog = parser->catalog;
    if (take_word(parser, "library"))
        return parse_setting(parser, "the name of a library", &catalog->library);
    if (take_word(parser, "layer"))
        return parse_setting(parser, "the name of a layer", &catalog->layer);
    if (take_word(parser, "class"))
        return parse_class(parser);
    if (take_word(parser, "flags"))
        return parse_flags(parser);
    return parse_row(parser);
}

/* ---- The way in ---- */

/* Reads the tokens of the statement at the lexer, the end included. */
static int read_statement(struct parser *parser, struct fth_lexer *lexer)
{
    bool continues = !fth_lexer_at_line_start(lexer);
    size_t count = 0;
    struct fth_token token;
    do {
        token = fth_lexer_next(lexer);
        if (count == 0 && continues)
            return FAIL_AT(parser, &token,
                           "an indented line continues a row, and none is before it");
        if (count == MAX_TOKENS)
            return FAIL_AT(parser, &token, "more than %d words in one row", MAX_TOKENS);
        if (count == parser->token_room) {
            size_t room = count ? count * 2 : 256;
            struct fth_token *tokens = reallocarray(parser->tokens, room, sizeof *tokens);
            if (!tokens)
                return out_of_memory(parser);
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
    char **files = grown(catalog->files, count, sizeof *files);
    if (!files)
        return NULL;
    catalog->files = files;
    files[count] = store_text(catalog->store, file, strlen(file));
    if (files[count])
        catalog->file_count++;
    return files[count];
}

int fth_catalog_parse(struct fth_catalog *catalog, const char *file, const char *text,
                      size_t length, struct fth_error **error)
{
    if (length > INT32_MAX)
        return fth_fail(error, "%s: a catalogue of %zu bytes is too long", file, length);
    if (!catalog->store && !(catalog->store = calloc(1, sizeof *catalog->store)))
        return fth_fail(error, "%s: out of memory", file);
    const char *kept = keep_file_name(catalog, file);
    if (!kept)
        return fth_fail(error, "%s: out of memory", file);

    struct parser parser = {
        .catalog = catalog, .store = catalog->store, .file = kept, .error = error};
    struct fth_lexer lexer = fth_lexer_of(length ? text : "", length);
    int result = 0;
    while (result == 0 && fth_lexer_next_statement(&lexer)) {
        result = read_statement(&parser, &lexer);
        if (result == 0)
            result = parse_statement(&parser);
    }
    free(parser.tokens);
    return result;
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
    FILE *stream = fopen(path, "re");
    if (!stream)
        return fth_fail_errno(error, "cannot open %s", path);
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
    int index = catalog->store ? names_find(&catalog->store->rows, name, strlen(name)) : -1;
    return index >= 0 ? &catalog->rows[index] : NULL;
}

void fth_catalog_free(struct fth_catalog *catalog)
{
    struct fth_catalog_store *store = catalog->store;
    if (store) {
        while (store->blocks) {
            struct block *next = store->blocks->next;
            free(store->blocks);
            store->blocks = next;
        }
        free(store->classes.slots);
        free(store->flags.slots);
        free(store->rows.slots);
        free(store);
    }
    free(catalog->classes);
    free(catalog->flags);
    free(catalog->rows);
    free(catalog->files);
    *catalog = (struct fth_catalog){0};
}
