/* HDF5: see the header. Its calls get identifiers, names and numbers, which traces have. What they
 * do not have are values behind pointers, functions of the program, and fractions. */
#include "repeat/what/ways_of_hdf5.h"

#include "base/text.h"
#include "model/reading/trace_functions.h"

#include <string.h>

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words;
}

static bool is_kind(const struct fth_row *row, const char *kind)
{
    return !strcmp(row->kind, kind);
}

static bool moves_bytes(const struct fth_row *row)
{
    return is_kind(row, "read") || is_kind(row, "write");
}

/* ---- parameters without a role ---- */

static bool is_pointer(const struct fth_field *field)
{
    return field->array || strchr(field->type, '*');
}

static bool is_function(const char *type)
{
    static const char *const parts[] = {"_func_t",  "_cb_t",   "iterate",     "operator",
                                        "function", "_conv_t", "_traverse_t", "(*"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(type, parts[i]))
            return true;
    return false;
}

static bool has_datatype(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_USE && strstr(row->fields[i].name, "type"))
            return true;
    return false;
}

static bool has_name(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_STRING)
            return true;
    return false;
}

static bool has_size(const struct fth_row *row)
{
    for (size_t i = 0; i < row->field_count; i++)
        if (fth_repeat_is_room(&row->fields[i]))
            return true;
    return false;
}

static enum fth_repeat_unkept unkept_constant(const struct fth_row *row,
                                              const struct fth_field *field)
{
    if (strstr(field->type, "char") && !field->array && !strstr(field->type, "**"))
        return FTH_REPEAT_NULL; /* where in the program a call stands */
    if (!strstr(field->type, "void") || field->array)
        return FTH_REPEAT_MISSING;
    if (moves_bytes(row))
        return FTH_REPEAT_DATA;
    if (is_kind(row, "info") && has_datatype(row))
        return FTH_REPEAT_VALUE;
    return is_kind(row, "type") && has_datatype(row) && has_name(row) ? FTH_REPEAT_ORDINAL
                                                                      : FTH_REPEAT_MISSING;
}

static enum fth_repeat_unkept unkept_pointer(const struct fth_row *row,
                                             const struct fth_field *field)
{
    static const char *const in_memory[] = {"info", "type", "view", NULL};
    static const char *const of_any_length[] = {"void *", "char *", NULL};
    if (is_kind(row, "list"))
        return FTH_REPEAT_NULL;
    if (is_kind(row, "write") || strstr(field->type, "**") || is_one_of(row->kind, in_memory))
        return FTH_REPEAT_MISSING;
    if (moves_bytes(row))
        return field->array ? FTH_REPEAT_MISSING : FTH_REPEAT_DATA;
    bool needs_size = field->array || is_one_of(field->type, of_any_length);
    return needs_size && !has_size(row) ? FTH_REPEAT_MISSING : FTH_REPEAT_RESULT;
}

bool fth_repeat_is_room(const struct fth_field *field)
{
    return field->role == FTH_ROLE_VALUE && strstr(field->type, "size_t") && !is_pointer(field);
}

enum fth_repeat_unkept fth_repeat_unkept_of(const struct fth_row *row, size_t number)
{
    const struct fth_field *field = &row->fields[number];
    if (is_function(field->type))
        return is_kind(row, "list") ? FTH_REPEAT_CALLBACK : FTH_REPEAT_MISSING;
    if (!is_pointer(field))
        return !strcmp(field->type, "double") ? FTH_REPEAT_SHARE
               : !strcmp(field->type, "unsigned") /* a line of the program */
                   ? FTH_REPEAT_NULL
                   : FTH_REPEAT_MISSING;
    return fth_text_begins(field->type, "const ") ? unkept_constant(row, field)
                                                  : unkept_pointer(row, field);
}

/* ---- the function ---- */

/* Its arguments are in the trace, or something can stand for them. */
static bool is_given(const struct fth_row *row)
{
    size_t shares = 0;
    for (size_t i = 0; i < row->field_count; i++) {
        if (row->fields[i].role == FTH_ROLE_VALUE && is_function(row->fields[i].type))
            return false;
        if (row->fields[i].role != FTH_ROLE_NONE)
            continue;
        enum fth_repeat_unkept unkept = fth_repeat_unkept_of(row, i);
        shares += unkept == FTH_REPEAT_SHARE;
        if (unkept == FTH_REPEAT_MISSING)
            return false;
    }
    return shares < 2;
}

/* Without a handle or a name it is about nothing; what makes one is needed for it. */
static bool is_about_something(const struct fth_row *row)
{
    bool has = row->result.role == FTH_ROLE_NEW || is_kind(row, "finalize");
    for (size_t i = 0; i < row->field_count; i++)
        has |= row->fields[i].role == FTH_ROLE_USE || row->fields[i].role == FTH_ROLE_CLOSE ||
               row->fields[i].role == FTH_ROLE_PATH;
    return has;
}

struct fth_repeat_way fth_repeat_way_of_hdf5(const struct fth_trace *trace,
                                             const struct fth_function *function)
{
    static const char *const aside[] = {"env",  "error",  "tool",    "mutex",
                                        "poll", "thread", "process", NULL};
    const struct fth_layer *layer = fth_trace_layer(trace, function->layer);
    const struct fth_row *row = fth_trace_row(trace, function);
    /* a library above it, of the same layer: what that calls is repeated */
    if (layer && layer->library && strcmp(row->library, layer->library) != 0)
        return (struct fth_repeat_way){.how = FTH_REPEAT_THROUGH};
    if (is_one_of(row->kind, aside) || !is_about_something(row))
        return (struct fth_repeat_way){.how = FTH_REPEAT_NOTHING};
    if (!is_given(row))
        return (struct fth_repeat_way){.how = FTH_REPEAT_LEFT_OUT,
                                       .why = "what it takes or gives is not in the trace"};
    return (struct fth_repeat_way){.how = FTH_REPEAT_CALL};
}
