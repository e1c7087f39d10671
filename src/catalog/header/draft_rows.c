/* Rows of a draft: what functions do, and what their parameters mean, is guessed from names and
 * types. The guesses stand behind each row as a comment; what a row cannot say, and what Fathom
 * records already, is listed with the reason. */
#include "catalog/header/draft.h"

#include "base/memory.h"
#include "catalog/values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 16, LONGEST_WORD = 32 };

/* ---- words in names ---- */

struct words {
    size_t count;
    char list[MOST_WORDS][LONGEST_WORD];
};

/* "H5Dwrite_chunk", "nBytes": h5 dwrite chunk, n bytes. */
static struct words words_of(const char *name)
{
    struct words words = {0};
    size_t length = 0;
    for (const char *at = name; *at; at++) {
        bool letter = isalpha((unsigned char)*at) != 0;
        bool begins = isupper((unsigned char)*at) && at > name && !isupper((unsigned char)at[-1]);
        if ((!letter || begins) && length) {
            words.count++;
            length = 0;
        }
        if (!letter || words.count == MOST_WORDS)
            continue;
        if (length < LONGEST_WORD - 1)
            words.list[words.count][length++] = (char)tolower((unsigned char)*at);
        words.list[words.count][length] = 0;
    }
    if (length && words.count < MOST_WORDS)
        words.count++;
    return words;
}

static bool has_word(const char *name, const char *const *list)
{
    struct words words = words_of(name);
    for (size_t i = 0; i < words.count; i++)
        for (const char *const *word = list; *word; word++) {
            size_t a = strlen(words.list[i]), b = strlen(*word);
            /* gzread: the last word may have a prefix */
            if (strcmp(words.list[i], *word) == 0 ||
                (i + 1 == words.count && a > b && a <= b + 4 && b >= 4 &&
                 strcmp(words.list[i] + a - b, *word) == 0))
                return true;
        }
    return false;
}

#define HAS_WORD(name, ...) has_word(name, (const char *const[]){__VA_ARGS__, NULL})

/* ---- kinds of functions ---- */

static bool opens(const char *name)
{
    return HAS_WORD(name, "open", "fopen", "create", "new", "init", "connect", "make", "begin",
                    "alloc", "dopen");
}

static bool closes(const char *name)
{
    return HAS_WORD(name, "close", "free", "destroy", "delete", "release", "finalize", "dispose",
                    "end", "finish", "term", "disconnect");
}

static bool reads(const char *name)
{
    return HAS_WORD(name, "read", "get", "load", "fetch", "pread", "recv", "retrieve");
}

static bool writes(const char *name)
{
    return HAS_WORD(name, "write", "put", "store", "save", "append", "insert", "pwrite", "send");
}

/* ---- types ---- */

static bool is_text(const struct fth_c_type *type)
{
    return type->base == FTH_C_CHARACTER && type->own_stars == 1 && type->stars == 1 &&
           !type->is_array && strcmp(type->word, "char") == 0;
}

/* Bytes of the program: what may be moved. */
static bool is_buffer(const struct fth_c_type *type)
{
    return type->stars == 1 && (type->base == FTH_C_VOID || type->base == FTH_C_CHARACTER ||
                                type->base == FTH_C_INTEGER || type->base == FTH_C_FLOAT);
}

static bool is_integer(const struct fth_c_type *type)
{
    return (type->base == FTH_C_INTEGER || type->base == FTH_C_CHARACTER) && !type->stars &&
           !type->is_array;
}

/* How many stars the declaration has more than the type behind the typedef is a handle with: 0 it
 * is one, 1 it points to one. -1: none. */
static int points_to_handle(const struct fth_c_type *type)
{
    int behind = type->stars - type->own_stars;
    bool record =
        type->base == FTH_C_RECORD || (type->base == FTH_C_VOID && type->is_typedef && behind == 1);
    if (type->is_array || !record || !type->word)
        return -1;
    return behind == 1 ? type->own_stars : type->own_stars - 1;
}

static bool is_integer_handle(const struct fth_c_type *type)
{
    static const char *const endings[] = {"id",    "id_t", "handle", "handle_t",
                                          "hid_t", "fd_t", "_h",     NULL};
    if (type->base != FTH_C_INTEGER || !type->is_typedef || type->own_stars > 1 ||
        type->stars != type->own_stars)
        return false;
    size_t length = strlen(type->word);
    for (const char *const *end = endings; *end; end++)
        if (length >= strlen(*end) && strcmp(type->word + length - strlen(*end), *end) == 0)
            return !HAS_WORD(type->word, "pid", "uid", "gid");
    return false;
}

/* The class of a handle like this; `out`: it is stored where the parameter points to. */
static struct fth_draft_class *class_of(struct fth_calls_draft *draft,
                                        const struct fth_c_type *type, bool *out)
{
    int points = is_integer_handle(type) ? type->own_stars : points_to_handle(type);
    *out = points == 1;
    if (points < 0 || points > 1)
        return NULL;
    int stars = type->own_stars - points;
    for (size_t i = 0; i < draft->class_count; i++)
        if (strcmp(draft->classes[i].word, type->word) == 0 && draft->classes[i].stars == stars)
            return &draft->classes[i];
    if (draft->class_count == FTH_MOST_DRAFT_CLASSES)
        return NULL;
    draft->classes[draft->class_count] =
        (struct fth_draft_class){.word = type->word, .stars = stars};
    return &draft->classes[draft->class_count++];
}

bool fth_draft_is_class(const struct fth_draft_class *class)
{
    return class && class->opened && (class->closed || class->used > 1);
}

static bool is_path(const struct fth_c_parameter *parameter)
{
    return is_text(&parameter->type) && parameter->type.is_const &&
           HAS_WORD(parameter->name, "path", "file", "filename", "fname", "pathname", "dir",
                    "directory");
}

/* Called after its place, as the header gives it no name. */
static bool is_unnamed(const struct fth_c_parameter *parameter)
{
    return parameter->name[0] == 'p' && isdigit((unsigned char)parameter->name[1]);
}

/* The name of the file that is opened: the first parameter, where the header does not say what it
 * is. */
static bool is_opened_path(const struct fth_c_function *function, size_t i)
{
    const struct fth_c_parameter *parameter = &function->parameters[i];
    return is_path(parameter) || (i == 0 && opens(function->name) && is_text(&parameter->type) &&
                                  parameter->type.is_const && is_unnamed(parameter));
}

void fth_draft_count_handles(struct fth_calls_draft *draft)
{
    for (size_t i = 0; i < draft->count; i++) {
        const struct fth_c_function *function = &draft->functions[i];
        bool out, path = false, is_closing = closes(function->name);
        struct fth_draft_class *made = class_of(draft, &function->result_type, &out);
        for (size_t k = 0; k < function->parameter_count; k++)
            path = path || is_opened_path(function, k);
        if (made && !out && opens(function->name)) {
            made->opened++;
            made->has_path |= path;
        }
        for (size_t k = 0; k < function->parameter_count; k++) {
            struct fth_draft_class *class = class_of(draft, &function->parameters[k].type, &out);
            if (class && out && opens(function->name)) {
                class->opened++;
                class->has_path |= path;
            } else if (class && !out) {
                class->used++;
                class->closed += is_closing && k == 0;
            }
        }
    }
}

/* ---- rows ---- */

static void guess(struct fth_calls_draft *draft, const char *what)
{
    size_t length = strlen(draft->guesses);
    if (length + strlen(what) + 3 < sizeof draft->guesses)
        snprintf(draft->guesses + length, sizeof draft->guesses - length, "%s%s",
                 length ? ", " : "", what);
}

static bool is_size(const struct fth_c_parameter *parameter)
{
    return is_integer(&parameter->type) &&
           HAS_WORD(parameter->name, "size", "len", "length", "bytes", "nbytes", "nbyte", "byte",
                    "n", "count", "amt", "sz", "buflen", "keylen", "namelen", "vallen");
}

struct shape {
    const char *kind;
    int bytes;     /* parameter, or -1 */
    int items;     /* parameter behind a size, or -1 */
    bool elements; /* how many are moved is given, but not how many bytes that is */
    bool is_making;
};

/* Behind `const double *values` a number counts elements, unless it says that these are bytes. */
static bool counts_bytes(const struct fth_c_type *buffer, const struct fth_c_parameter *parameter)
{
    bool of_bytes = buffer->base == FTH_C_VOID || buffer->base == FTH_C_CHARACTER;
    return of_bytes || HAS_WORD(parameter->name, "bytes", "nbytes", "nbyte", "byte");
}

/* Where the number of bytes, or of elements, is that a call moves: behind the first buffer. False:
 * it is not given. */
static bool find_amount(const struct fth_c_function *function, bool is_reading, struct shape *shape)
{
    for (size_t i = 0; i + 1 < function->parameter_count; i++) {
        const struct fth_c_type *type = &function->parameters[i].type;
        if (is_buffer(type) && (is_reading ? !type->is_const : type->is_const) &&
            is_size(&function->parameters[i + 1]))
            shape->bytes = (int)i + 1;
        if (shape->bytes >= 0) {
            shape->elements = !counts_bytes(type, &function->parameters[i + 1]);
            return true;
        }
    }
    return false;
}

static struct shape shape_of(struct fth_calls_draft *draft, const struct fth_c_function *function)
{
    bool out, first = false;
    struct shape shape = {"other", -1, -1, false, false};
    struct fth_draft_class *made = class_of(draft, &function->result_type, &out);
    shape.is_making = opens(function->name) && fth_draft_is_class(made) && !out;
    for (size_t i = 0; i < function->parameter_count; i++) {
        struct fth_draft_class *class = class_of(draft, &function->parameters[i].type, &out);
        shape.is_making |= opens(function->name) && fth_draft_is_class(class) && out;
        first |= i == 0 && fth_draft_is_class(class) && !out;
    }
    if (shape.is_making) {
        shape.kind = "open";
    } else if (closes(function->name) && first) {
        shape.kind = "close";
    } else if (writes(function->name) && find_amount(function, false, &shape)) {
        shape.kind = "write";
    } else if (reads(function->name) && find_amount(function, true, &shape)) {
        shape.kind = "read";
    } else if (HAS_WORD(function->name, "seek") && first) {
        shape.kind = "seek";
    } else if (HAS_WORD(function->name, "flush", "sync", "fsync", "commit") && first) {
        shape.kind = "sync";
    }
    int behind = shape.bytes + 1;
    if (shape.bytes >= 0 && behind < (int)function->parameter_count &&
        is_integer(&function->parameters[behind].type) &&
        HAS_WORD(function->parameters[behind].name, "nitems", "nmemb", "items", "num", "count",
                 "n")) {
        shape.items = behind;
        shape.bytes = -1;
    }
    if (shape.elements)
        shape.bytes = shape.items = -1;
    return shape;
}

static const char *role_of_handle(struct fth_calls_draft *draft, const struct shape *shape,
                                  const struct fth_draft_class *class, bool out, size_t index)
{
    char text[96];
    const char *role = out ? shape->is_making ? "new" : NULL
                       : strcmp(shape->kind, "close") == 0 && index == 0 ? "close"
                                                                         : "use";
    if (!role)
        return NULL;
    snprintf(text, sizeof text, "%s %s", role, class->name);
    guess(draft, text);
    char *kept = fth_arena_take(&draft->arena, strlen(text) + 1);
    return strcpy(kept, text);
}

/* A typedef that hides what it is: without a role it would be kept as an integer. */
static bool hides_its_type(const struct fth_c_parameter *parameter)
{
    return !parameter->type.is_array && !strchr(parameter->text, '*') &&
           !is_integer(&parameter->type) && !strchr(parameter->text, '(');
}

static const char *role_of(struct fth_calls_draft *draft, const struct fth_c_function *function,
                           const struct shape *shape, size_t i)
{
    const struct fth_c_parameter *parameter = &function->parameters[i];
    bool out, data = shape->bytes >= 0;
    struct fth_draft_class *class = class_of(draft, &parameter->type, &out);
    const char *role =
        fth_draft_is_class(class) ? role_of_handle(draft, shape, class, out, i) : NULL;
    if (role)
        return role;
    if (is_opened_path(function, i))
        role = strcmp(shape->kind, "open") == 0 ? "path" : "string";
    else if ((int)i == shape->items - 1)
        role = "size";
    else if ((int)i == shape->items)
        role = "items";
    else if (is_text(&parameter->type) && parameter->type.is_const)
        role = i + 1 < function->parameter_count && is_size(&function->parameters[i + 1])
                   ? NULL
                   : "string";
    else if ((int)i == shape->bytes)
        role = "bytes";
    else if (data && is_integer(&parameter->type) &&
             HAS_WORD(parameter->name, "offset", "off", "ofst", "pos", "position"))
        role = "offset";
    else if (strcmp(shape->kind, "seek") == 0 && is_integer(&parameter->type))
        role = i > 0 && is_integer(&function->parameters[i - 1].type) ? "whence" : "distance";
    else if (parameter->type.base == FTH_C_INTEGER && parameter->type.stars == 1 &&
             parameter->type.own_stars == 1 && !parameter->type.is_array &&
             !parameter->type.is_const && !(data && (int)i + 1 == shape->bytes))
        role = "out";
    else if (hides_its_type(parameter))
        return "skip";
    if (role)
        guess(draft, role);
    return role;
}

static const char *role_of_result(struct fth_calls_draft *draft,
                                  const struct fth_c_function *function, const struct shape *shape)
{
    const struct fth_c_type *type = &function->result_type;
    bool out, is_pointer = strchr(function->result, '*') != NULL;
    struct fth_draft_class *class = class_of(draft, type, &out);
    const char *role;
    char text[96];
    if (strcmp(function->result, "void") == 0)
        return NULL;
    if (shape->is_making && fth_draft_is_class(class) && !out) {
        snprintf(text, sizeof text, "new %s", class->name);
        guess(draft, text);
        return strcpy(fth_arena_take(&draft->arena, strlen(text) + 1), text);
    }
    if (!is_integer(type))
        return is_pointer ? "pointer" : "skip";
    bool counts = HAS_WORD(function->name, "read", "write") ||
                  strstr(function->result, "ssize_t") || strstr(function->result, "size_t") ||
                  strstr(function->result, "long");
    role = shape->items >= 0   ? "items"
           : shape->bytes >= 0 ? counts ? "moved" : "moved all"
           : strcmp(shape->kind, "seek") == 0 && strcmp(function->result, "int") != 0 ? "position"
           : strcmp(shape->kind, "other") != 0                                        ? "code"
                                                                                      : "value";
    guess(draft, role);
    return role;
}

static void put_row(struct fth_calls_draft *draft, const struct fth_c_function *function,
                    struct fth_sink *row)
{
    struct shape shape = shape_of(draft, function);
    draft->guesses[0] = 0;
    guess(draft, shape.kind);
    if (shape.elements)
        guess(draft, "a number of elements, whose size a row cannot express");
    fth_sink_text(row, shape.kind);
    fth_sink_char(row, ' ');
    fth_sink_text(row, function->result);
    if (row->bytes[row->used - 1] != '*')
        fth_sink_char(row, ' ');
    fth_sink_text(row, function->name);
    fth_sink_char(row, '(');
    for (size_t i = 0; i < function->parameter_count; i++) {
        const char *role = role_of(draft, function, &shape, i);
        fth_sink_text(row, i ? ", " : "");
        fth_sink_text(row, function->parameters[i].text);
        fth_sink_text(row, role ? ": " : "");
        fth_sink_text(row, role ? role : "");
    }
    const char *role = role_of_result(draft, function, &shape);
    fth_sink_text(row, role ? "): " : ")");
    fth_sink_text(row, role ? role : "");
}

static void leave_out(struct fth_calls_draft *draft, const char *name, const char *why)
{
    fth_sink_text(&draft->left_out, "#   ");
    fth_sink_text(&draft->left_out, name);
    fth_sink_text(&draft->left_out, ": ");
    fth_sink_text(&draft->left_out, why);
    fth_sink_char(&draft->left_out, '\n');
    draft->counts.left_out++;
}

/* Rows are tried: what the language does not take is not left for the user to find. */
void fth_draft_add_row(struct fth_calls_draft *draft, const struct fth_c_function *function)
{
    struct fth_sink row;
    struct fth_error *error = NULL;
    const struct fth_row *known = fth_catalog_find(&draft->catalog, function->name);
    if (known || function->problem) {
        leave_out(draft, function->name, known ? "Fathom records it already" : function->problem);
        return;
    }
    fth_sink_open_memory(&row);
    put_row(draft, function, &row);
    if (fth_catalog_parse(&draft->catalog, "row", row.bytes, row.used, &error)) {
        leave_out(draft, function->name, fth_error_text(error));
        fth_error_free(error);
    } else {
        fth_sink_bytes(&draft->rows, row.bytes, row.used);
        fth_sink_text(&draft->rows, "  # guessed: ");
        fth_sink_text(&draft->rows, draft->guesses);
        fth_sink_char(&draft->rows, '\n');
        draft->counts.rows++;
    }
    fth_sink_close_memory(&row);
}
