/* Parameters whose values the trace does not have: what C passes in their place, or why the call
 * cannot be made. */
#include "proxy/decoding.h"

#include "base/memory.h"
#include "base/text.h"
#include "trace/record/builtin.h"

#include <string.h>

/* Displacements stand right behind a list of counts. */
static bool is_displacements(const struct fth_row *row, size_t i)
{
    return !strcmp(row->kind, "collective") && i && row->fields[i].array &&
           row->fields[i].role == FTH_ROLE_NONE && row->fields[i - 1].role == FTH_ROLE_IN;
}

static bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static bool ends(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && !strcmp(text + length - of_end, end);
}

static bool is_function(const char *type)
{
    return contains(type, "(*") || ends(type, "function *") || ends(type, "_fn") ||
           ends(type, "_func_t") || contains(type, "_iterate") || contains(type, "_operator") ||
           ends(type, "_function") || ends(type, "_conv_t");
}

static bool moves_bytes(const struct fth_row *row)
{
    static const char *const kinds[] = {"read",     "write", "send",      "recv",
                                        "exchange", "start", "collective"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(row->kind, kinds[i]))
            return true;
    return false;
}

/* Does the trace say how many bytes are behind a pointer? Of MPI its datatypes do. */
static bool has_size(const struct fth_decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    if (moves_bytes(row) || fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER))
        return true;
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_BYTES)
            return true;
    return false;
}

/* The text of an attribute, of the length before it: any text does. */
static bool is_text_of_length(const struct fth_decoding *decoding, size_t i)
{
    const struct fth_row *row = decoding->row;
    return !strcmp(row->kind, "attribute") && i && !strcmp(row->fields[i].type, "const char *") &&
           !strcmp(row->fields[i - 1].name, "len") &&
           decoding->call->arguments[i - 1].type == FTH_VALUE_INTEGER;
}

/* Times of a file: NULL is now. */
static bool is_time(const struct fth_row *row, const struct fth_field *field)
{
    return !strcmp(row->kind, "permission") && contains(field->type, "struct");
}

/* Parts of a collective call lie one behind another. */
static void read_displacements(struct fth_decoding *decoding, size_t i)
{
    const struct fth_value *counts = &decoding->call->arguments[i - 1];
    size_t count = counts->type == FTH_VALUE_INTEGERS ? counts->count : 0;
    int64_t *places = fth_new(count + 1, sizeof *places), at = 0;
    for (size_t k = 0; k < count; k++) {
        places[k] = at;
        if (counts->integers[k] > 0 && __builtin_add_overflow(at, counts->integers[k], &at))
            fth_decoding_leave_out(decoding, "its parts take too much memory");
    }
    const struct fth_value value = {.type = counts->type, .count = count, .integers = places};
    fth_decoding_list(decoding, i, &value);
    free(places);
}

/* A line goes to memory of its own, which grows: its place, and behind it its room. */
static bool is_line(const struct fth_row *row, size_t i)
{
    bool is_room = i && ends(row->fields[i].type, "size_t *");
    return !strcmp(row->kind, "read") && fth_layer_is(row->layer, FTH_LAYER_STREAMS) &&
           ends(row->fields[is_room ? i - 1 : i].type, "char **");
}

/* The buffer of a stream stays in use: it is as large as the number behind it says. */
static bool is_kept_memory(const struct fth_row *row, const struct fth_field *field)
{
    return !strcmp(row->kind, "control") && fth_layer_is(row->layer, FTH_LAYER_STREAMS) &&
           !strcmp(field->type, "char *");
}

void fth_decoding_unkept(struct fth_decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    if (is_displacements(decoding->row, i)) {
        read_displacements(decoding, i);
        return;
    }
    bool pointer = field->array || contains(field->type, "*"),
         constant = fth_text_begins(field->type, "const ");
    if (is_text_of_length(decoding, i))
        argument->written = FTH_WRITTEN_BUFFER;
    else if (is_line(decoding->row, i))
        argument->written = FTH_WRITTEN_LINE;
    else if (is_kept_memory(decoding->row, field))
        argument->written = FTH_WRITTEN_ROOM;
    else if (is_time(decoding->row, field))
        argument->written = FTH_WRITTEN_NULL;
    else if (!strcmp(field->type, "const MPI_Status *")) /* what a call before has stored there */
        argument->written = FTH_WRITTEN_UNUSED;
    else if (constant && contains(field->type, "char **"))
        fth_decoding_leave_out(decoding, "the trace does not have its texts");
    else if (constant && contains(field->type, "void") && !has_size(decoding))
        fth_decoding_leave_out(decoding, "the trace does not have its value");
    else if (constant && contains(field->type, "*") && !moves_bytes(decoding->row) &&
             !contains(field->type, "void") && !contains(field->type, "struct"))
        fth_decoding_leave_out(decoding, "the trace does not have its value");
    else if (is_function(field->type))
        fth_decoding_leave_out(decoding, "it takes a function of the program");
    else if (field->array && constant && !contains(field->type, "struct"))
        fth_decoding_leave_out(decoding, "the trace does not have its list");
    else if (contains(field->type, "MPI_Status") || contains(field->type, "va_list"))
        fth_decoding_leave_out(decoding, "the trace does not have what it takes");
    else if (field->array && contains(field->type, "struct"))
        argument->written = FTH_WRITTEN_NULL;
    else if (pointer && (constant || (moves_bytes(decoding->row) && contains(field->type, "void"))))
        argument->written = FTH_WRITTEN_BUFFER;
    else if (pointer && contains(field->type, "char ***"))
        argument->written = FTH_WRITTEN_NULL;
    else if (pointer)
        argument->written = !strcmp(decoding->row->kind, "init") ? FTH_WRITTEN_NULL
                            : moves_bytes(decoding->row)         ? FTH_WRITTEN_BUFFER
                                                                 : FTH_WRITTEN_UNUSED;
    else if (ends(field->type, "size_t"))
        argument->written = FTH_WRITTEN_WIDE;
    else
        argument->written = FTH_WRITTEN_NULL;
}
