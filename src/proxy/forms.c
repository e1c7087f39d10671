/* From a call of the trace to its form and its numbers. What cannot be written without what the
 * trace does not have (a function of the program, a list that is not recorded) is left out. */
#include "proxy/forms.h"

#include "base/memory.h"
#include "base/text.h"
#include "catalog/values.h"
#include "model/reading/moved_places.h"
#include "model/reading/trace_functions.h"
#include "repeat/what/asked_lock.h"
#include "repeat/what/known_row.h"
#include "trace/record/builtin.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

struct decoding {
    const struct fth_form_context *context;
    const struct fth_call *call;
    const struct fth_row *row;
    struct fth_form_reading *reading;
};

static void leave_out(struct decoding *decoding, const char *why)
{
    if (!decoding->reading->why_not)
        decoding->reading->why_not = why;
}

static bool copies_descriptor(const struct decoding *decoding)
{
    return !strcmp(decoding->row->kind, "control") &&
           fth_command_copies(fth_command_of(decoding->context->trace, decoding->call));
}

static struct fth_argument *argument_of(struct decoding *decoding, size_t field)
{
    return &decoding->reading->form.arguments[field];
}

static void add_number(struct decoding *decoding, size_t field, int64_t number)
{
    struct fth_form_reading *reading = decoding->reading;
    struct fth_argument *argument = argument_of(decoding, field);
    if (reading->number_count == FTH_FORM_NUMBERS) {
        leave_out(decoding, "it has too many numbers");
        return;
    }
    if (!argument->count++)
        argument->first = reading->number_count;
    reading->fields[reading->number_count] = (uint8_t)field;
    reading->widths[reading->number_count] = 0;
    reading->names[reading->number_count] = NULL;
    reading->numbers[reading->number_count++] = number;
}

/* ---- handles ---- */

/* The variable of a handle. A standard one that is replaced is so in its own place, wherever the
 * proxy has what the run had there. */
static uint32_t variable_of(struct decoding *decoding, const struct fth_field *field,
                            int64_t number, const char *standard)
{
    return standard && fth_standard_is_target(decoding->row, field)
               ? FTH_NO_VARIABLE
               : fth_variable_of(decoding->context->variables, (uint32_t)field->class_index,
                                 number);
}

static void add_handle(struct decoding *decoding, size_t i, int64_t number, const char *name)
{
    const struct fth_field *field = &decoding->row->fields[i];
    struct fth_argument *argument = argument_of(decoding, i);
    bool copies = !strcmp(decoding->row->kind, "dup") || copies_descriptor(decoding);
    const char *standard =
        fth_standard_name(decoding->context->standard, decoding->row, field, number, copies);
    uint32_t variable = variable_of(decoding, field, number, standard);
    FTH_GROW(argument->variables, argument->handle_count);
    FTH_GROW(argument->names, argument->handle_count);
    if (variable == FTH_NO_VARIABLE && standard)
        name = standard;
    bool named = variable == FTH_NO_VARIABLE && name && (standard || fth_name_is_constant(name));
    if (variable == FTH_NO_VARIABLE && !named)
        leave_out(decoding, "no repeated call has made its handle");
    argument->variables[argument->handle_count] = variable;
    argument->names[argument->handle_count++] = named ? fth_text_copy(name) : NULL;
}

/* What the result takes the place of (dup2). Where nothing is there in the proxy, it goes
 * anywhere: the number of the run may be another handle's. */
static void read_target(struct decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    int64_t number = decoding->call->result.integer;
    const char *standard =
        fth_standard_name(decoding->context->standard, decoding->row, field, number, true);
    bool is_free = !standard && variable_of(decoding, field, number, NULL) == FTH_NO_VARIABLE;
    argument_of(decoding, i)->written = is_free ? FTH_WRITTEN_NULL : FTH_WRITTEN_HANDLES;
    if (!is_free)
        add_handle(decoding, i, number, NULL);
}

static void read_handles(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = argument_of(decoding, i);
    if (fth_standard_is_target(decoding->row, &decoding->row->fields[i]) &&
        !decoding->call->error_number && decoding->call->result.type == FTH_VALUE_HANDLE) {
        read_target(decoding, i);
        return;
    }
    argument->written = FTH_WRITTEN_HANDLES;
    argument->null = value->type == FTH_VALUE_NONE;
    if (value->type == FTH_VALUE_HANDLE)
        add_handle(decoding, i, value->integer, value->text);
    if (value->type == FTH_VALUE_HANDLES)
        for (size_t k = 0; k < value->count; k++)
            add_handle(decoding, i, value->integers[k], value->texts ? value->texts[k] : NULL);
}

/* Those that are closed, after all have been looked up. */
static void close_handles(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    uint32_t handle_class = (uint32_t)decoding->row->fields[i].class_index;
    struct fth_variables *variables = decoding->context->variables;
    if (value->type == FTH_VALUE_HANDLE)
        fth_variable_drop(variables, handle_class, value->integer);
    for (size_t k = 0; value->type == FTH_VALUE_HANDLES && k < value->count; k++)
        fth_variable_drop(variables, handle_class, value->integers[k]);
}

static void make_handle(struct decoding *decoding, struct fth_argument *argument,
                        uint32_t handle_class, int64_t number)
{
    FTH_GROW(argument->variables, argument->handle_count);
    FTH_GROW(argument->names, argument->handle_count);
    argument->names[argument->handle_count] = NULL;
    argument->variables[argument->handle_count++] =
        number < 0 ? FTH_NO_VARIABLE
                   : fth_variable_make(decoding->context->variables, handle_class, number);
}

static void make_handles(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    uint32_t handle_class = (uint32_t)decoding->row->fields[i].class_index;
    struct fth_argument *argument = argument_of(decoding, i);
    argument->written = FTH_WRITTEN_HANDLES;
    argument->null = value->type == FTH_VALUE_NONE;
    if (value->type == FTH_VALUE_HANDLE)
        make_handle(decoding, argument, handle_class, value->integer);
    for (size_t k = 0; value->type == FTH_VALUE_HANDLES && k < value->count; k++)
        make_handle(decoding, argument, handle_class, value->integers[k]);
    if (argument->handle_count && argument->variables[0] == FTH_NO_VARIABLE)
        argument->written = FTH_WRITTEN_UNUSED;
}

/* ---- names and lists ---- */

/* Does a relative name begin in the folder of the process, and not in one that is open (openat)? */
static bool begins_in_folder(const struct decoding *decoding, size_t i)
{
    const char *words = decoding->row->fields[i].role_words, *at = strstr(words, " at ");
    for (size_t k = 0; at && k < decoding->row->field_count; k++)
        if (!strcmp(decoding->row->fields[k].name, at + 4))
            return decoding->call->arguments[k].type != FTH_VALUE_HANDLE ||
                   decoding->call->arguments[k].integer == AT_FDCWD;
    return true;
}

static char *name_of_path(const struct decoding *decoding, size_t i, const char *path)
{
    const struct fth_name_folders *folders = &decoding->context->folders;
    return *path == '/' || begins_in_folder(decoding, i)
               ? fth_name_from_folder(path, folders)
               : fth_name_of_path(path, folders->directory);
}

static void read_name(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = argument_of(decoding, i);
    const struct fth_field *field = &decoding->row->fields[i];
    if (field->role == FTH_ROLE_PATH && fth_text_begins(field->type, "char") &&
        !strcmp(decoding->row->kind, "stat"))
        leave_out(decoding, "it only makes up a name");
    argument->written = FTH_WRITTEN_NAME;
    argument->null = value->type != FTH_VALUE_TEXT || !value->text;
    if (argument->null)
        return;
    int64_t numbers[8];
    char *own = field->role == FTH_ROLE_PATH ? name_of_path(decoding, i, value->text)
                                             : fth_text_copy(value->text);
    size_t count = fth_name_parse(own, &argument->text, numbers, argument->widths);
    free(own);
    for (size_t k = 0; k < count; k++) {
        add_number(decoding, i, numbers[k]);
        decoding->reading->widths[decoding->reading->number_count - 1] =
            (uint8_t)argument->widths[k];
    }
}

static void read_list(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = argument_of(decoding, i);
    argument->written = FTH_WRITTEN_LIST;
    argument->null = value->type != FTH_VALUE_INTEGERS;
    if (argument->null)
        return;
    if (value->count >= FTH_MOST_INTEGERS)
        leave_out(decoding, "its list is too long to be in the trace");
    if (value->count > FTH_FORM_LIST) {
        argument->written = FTH_WRITTEN_TABLE;
        argument->table = fth_new(value->count, sizeof *argument->table);
        memcpy(argument->table, value->integers, value->count * sizeof *value->integers);
        argument->count = (uint32_t)value->count;
        return;
    }
    bool is_moved = fth_is_moved_place(decoding->call, value);
    for (size_t k = 0; k < value->count; k++)
        add_number(decoding, i,
                   is_moved ? fth_place_before(decoding->call, value->integers[k])
                            : value->integers[k]);
}

static void read_command_argument(struct decoding *decoding, size_t i,
                                  const struct fth_value *value)
{
    struct fth_value asked = *value;
    int64_t lock[FTH_FORM_LIST];
    if (value->type == FTH_VALUE_INTEGERS && value->count > 1 && value->count <= FTH_FORM_LIST) {
        memcpy(lock, value->integers, value->count * sizeof *lock);
        lock[0] = fth_repeat_asked_lock(decoding->context->trace, decoding->call, lock[0]);
        asked.integers = lock;
    }
    read_list(decoding, i, &asked);
    argument_of(decoding, i)->written = FTH_WRITTEN_COMMAND;
}

/* ---- what has no role ---- */

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
static bool has_size(const struct decoding *decoding)
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
static bool is_text_of_length(const struct decoding *decoding, size_t i)
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
static void read_displacements(struct decoding *decoding, size_t i)
{
    const struct fth_value *counts = &decoding->call->arguments[i - 1];
    size_t count = counts->type == FTH_VALUE_INTEGERS ? counts->count : 0;
    int64_t *places = fth_new(count + 1, sizeof *places), at = 0;
    for (size_t k = 0; k < count; k++) {
        places[k] = at;
        if (counts->integers[k] > 0 && __builtin_add_overflow(at, counts->integers[k], &at))
            leave_out(decoding, "its parts take too much memory");
    }
    const struct fth_value value = {.type = counts->type, .count = count, .integers = places};
    read_list(decoding, i, &value);
    free(places);
}

/* A line goes to memory of its own, which grows: its place, and behind it its room. */
static bool is_line(const struct fth_row *row, size_t i)
{
    bool is_room = i && ends(row->fields[i].type, "size_t *");
    return !strcmp(row->kind, "read") && fth_layer_is(row->layer, FTH_LAYER_STREAMS) &&
           ends(row->fields[is_room ? i - 1 : i].type, "char **");
}

static void read_unkept(struct decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    struct fth_argument *argument = argument_of(decoding, i);
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
    else if (is_time(decoding->row, field))
        argument->written = FTH_WRITTEN_NULL;
    else if (!strcmp(field->type, "const MPI_Status *")) /* what a call before has stored there */
        argument->written = FTH_WRITTEN_UNUSED;
    else if (constant && contains(field->type, "char **"))
        leave_out(decoding, "the trace does not have its texts");
    else if (constant && contains(field->type, "void") && !has_size(decoding))
        leave_out(decoding, "the trace does not have its value");
    else if (constant && contains(field->type, "*") && !moves_bytes(decoding->row) &&
             !contains(field->type, "void") && !contains(field->type, "struct"))
        leave_out(decoding, "the trace does not have its value");
    else if (is_function(field->type))
        leave_out(decoding, "it takes a function of the program");
    else if (field->array && constant && !contains(field->type, "struct"))
        leave_out(decoding, "the trace does not have its list");
    else if (contains(field->type, "MPI_Status") || contains(field->type, "va_list"))
        leave_out(decoding, "the trace does not have what it takes");
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

/* Contents: text of our own that is as long, or a character of our own. */
static void read_data(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = argument_of(decoding, i);
    int64_t length = value->type == FTH_VALUE_INTEGER ? value->integer
                     : value->type == FTH_VALUE_TEXT  ? (int64_t)strlen(value->text)
                                                      : -1;
    if (!contains(decoding->row->fields[i].type, "*")) {
        argument->written = FTH_WRITTEN_FILLER;
        if (!fth_layer_is(decoding->row->layer, FTH_LAYER_STREAMS))
            leave_out(decoding, "the trace does not have its value");
        return;
    }
    argument->written = length < 0 ? FTH_WRITTEN_NULL : FTH_WRITTEN_CONTENT;
    if (length >= 0)
        add_number(decoding, i, length);
}

/* Are they contents? Traces of older versions have some of them, as texts and numbers. */
static bool is_data(const struct decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    if (field->role != FTH_ROLE_STRING && field->role != FTH_ROLE_VALUE)
        return field->role == FTH_ROLE_DATA;
    const struct fth_row *own = fth_repeat_known_row(decoding->row);
    return own && own->fields[i].role == FTH_ROLE_DATA;
}

/* `fprintf(stream, format, ...)`: as long a text of our own. */
static bool is_format(const struct decoding *decoding, size_t i)
{
    const struct fth_row *row = decoding->row;
    return row->via && i + 1 == row->field_count && contains(row->fields[i].type, "char");
}

/* ---- a field ---- */

static void read_number(struct decoding *decoding, size_t i, const struct fth_value *value)
{
    const struct fth_row *row = decoding->row;
    struct fth_argument *argument = argument_of(decoding, i);
    const struct fth_field *field = &row->fields[i];
    if (value->type != FTH_VALUE_INTEGER) {
        argument->written = FTH_WRITTEN_NULL;
        return;
    }
    argument->written = field->role == FTH_ROLE_FLAGS ? FTH_WRITTEN_FLAGS : FTH_WRITTEN_NUMBER;
    add_number(decoding, i, value->integer);
    if (value->text && fth_name_is_constant(value->text) && !decoding->reading->why_not)
        decoding->reading->names[decoding->reading->number_count - 1] = value->text;
}

static void read_field(struct decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    const struct fth_value *value = &decoding->call->arguments[i];
    struct fth_argument *argument = argument_of(decoding, i);
    if (is_data(decoding, i)) {
        read_data(decoding, i, value);
        return;
    }
    switch (field->role) {
    case FTH_ROLE_NONE:
        if (!is_format(decoding, i)) {
            read_unkept(decoding, i);
            return;
        }
        argument->written = FTH_WRITTEN_FORMAT;
        add_number(decoding, i, decoding->call->result.integer);
        return;
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        read_handles(decoding, i, value);
        return;
    case FTH_ROLE_NEW: /* when those that are closed are */
        return;
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        read_name(decoding, i, value);
        return;
    case FTH_ROLE_IN:
        if (contains(decoding->row->text, "[][") || field->of_lists)
            leave_out(decoding, "it has lists of lists");
        read_list(decoding, i, value);
        return;
    case FTH_ROLE_OUT:
        /* A call that failed has stored nothing, which does not say that there was no place. */
        argument->written = value->type == FTH_VALUE_NONE && !decoding->call->error_number
                                ? FTH_WRITTEN_NULL
                                : FTH_WRITTEN_UNUSED;
        return;
    case FTH_ROLE_STATUS:
        /* Source and tag are recorded only where the program wanted them. */
        argument->written =
            value->type == FTH_VALUE_INTEGERS ? FTH_WRITTEN_UNUSED : FTH_WRITTEN_IGNORED;
        return;
    case FTH_ROLE_IOV:
        argument->written = FTH_WRITTEN_PIECES;
        add_number(decoding, i, value->integer);
        return;
    case FTH_ROLE_ARGUMENT:
        read_command_argument(decoding, i, value);
        return;
    case FTH_ROLE_STRINGS:
    case FTH_ROLE_AIO:
    case FTH_ROLE_AIO_LIST:
        leave_out(decoding, "it takes structures that are not written yet");
        return;
    default:
        read_number(decoding, i, value);
    }
}

/* Libraries count who uses an identifier: what gives one that is open gives it once more
 * (H5Iget_file_id), and so does what makes none (H5Iinc_ref). A path is another file. */
static bool is_counted(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_HDF5) && fth_field_with_role(row, FTH_ROLE_PATH) < 0;
}

static void count_again(struct decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    int used = fth_field_with_role(row, FTH_ROLE_USE);
    if (strcmp(row->kind, "dup") != 0 || row->result.role == FTH_ROLE_NEW || used < 0)
        return;
    const struct fth_value *value = &decoding->call->arguments[used];
    uint32_t handle_class = (uint32_t)row->fields[used].class_index;
    if (value->type == FTH_VALUE_HANDLE &&
        fth_variable_of(decoding->context->variables, handle_class, value->integer) !=
            FTH_NO_VARIABLE)
        fth_variable_again(decoding->context->variables, handle_class, value->integer);
}

const struct fth_field *fth_form_result_field(const struct fth_row *row)
{
    int used = fth_field_with_role(row, FTH_ROLE_USE);
    return row->result.role == FTH_ROLE_NEW || used < 0 ? &row->result : &row->fields[used];
}

static uint32_t make_result(struct decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    struct fth_variables *variables = decoding->context->variables;
    uint32_t handle_class = (uint32_t)fth_form_result_field(row)->class_index;
    int64_t number = decoding->call->result.integer;
    return is_counted(row) ? fth_variable_again(variables, handle_class, number)
                           : fth_variable_make(variables, handle_class, number);
}

static void make_new_handles(struct decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    const struct fth_call *call = decoding->call;
    struct fth_form *form = &decoding->reading->form;
    for (size_t i = 0; i < row->field_count && !form->failed; i++)
        if (row->fields[i].role == FTH_ROLE_CLOSE)
            close_handles(decoding, i,
                          fth_standard_is_target(row, &row->fields[i]) ? &call->result
                                                                       : &call->arguments[i]);
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_NEW)
            make_handles(decoding, i, &call->arguments[i]);
    if (row->result.role == FTH_ROLE_NEW && call->result.type == FTH_VALUE_HANDLE &&
        call->result.integer >= 0 && !form->failed)
        form->result = make_result(decoding);
    if (copies_descriptor(decoding) && call->result.type == FTH_VALUE_INTEGER && !form->failed)
        form->result = make_result(decoding);
    if (is_counted(row) && !form->failed)
        count_again(decoding);
}

/* ---- keys ---- */

static void put_text(struct fth_bytes *key, const char *text)
{
    fth_bytes_text(key, text ? text : "", text ? strlen(text) : 0);
}

static void put_argument(struct fth_bytes *key, const struct fth_argument *argument)
{
    fth_bytes_varint(key, argument->written);
    fth_bytes_varint(key, argument->null);
    fth_bytes_varint(key, argument->count);
    put_text(key, argument->text);
    fth_bytes_varint(key, argument->handle_count);
    for (uint32_t i = 0; i < argument->handle_count; i++) {
        fth_bytes_varint(key, argument->variables[i]);
        put_text(key, argument->names[i]);
    }
    if (argument->table)
        fth_bytes_put(key, argument->table, argument->count * sizeof *argument->table);
}

static void make_key(struct decoding *decoding)
{
    struct fth_form_reading *reading = decoding->reading;
    fth_bytes_varint(&reading->key, (uint64_t)decoding->row->id);
    fth_bytes_varint(&reading->key, reading->form.failed + 2U * reading->form.fills);
    fth_bytes_varint(&reading->key, reading->form.step);
    fth_bytes_varint(&reading->key, reading->form.is_new_program);
    fth_bytes_varint(&reading->key, reading->form.result);
    for (size_t i = 0; i < decoding->row->field_count; i++)
        put_argument(&reading->key, &reading->form.arguments[i]);
}

static void free_argument(struct fth_argument *argument)
{
    for (uint32_t k = 0; k < argument->handle_count; k++)
        free(argument->names[k]);
    free(argument->names);
    free(argument->variables);
    free(argument->text);
    free(argument->table);
}

/* Only the fields that were in use are touched: this is done for each call. */
static void forget_form(struct fth_form_reading *reading)
{
    struct fth_form *form = &reading->form;
    size_t fields = form->row ? form->row->field_count : 0;
    for (size_t i = 0; i < fields; i++) {
        free_argument(&form->arguments[i]);
        form->arguments[i] = (struct fth_argument){0};
    }
    form->result = FTH_NO_VARIABLE;
    form->fills = false;
    form->step = FTH_RELATIVES_NOTHING;
    form->is_new_program = false;
    reading->key.length = 0;
    reading->number_count = 0;
    reading->why_not = NULL;
}

void fth_form_read(const struct fth_form_context *context, const struct fth_call *call,
                   struct fth_form_reading *reading)
{
    struct decoding decoding = {context, call, fth_trace_row(context->trace, call->function),
                                reading};
    forget_form(reading);
    reading->form.function = call->function;
    reading->form.row = decoding.row;
    reading->form.proc = call->proc;
    reading->form.failed = call->error_number != 0;
    for (size_t i = 0; i < decoding.row->field_count; i++)
        read_field(&decoding, i);
    if (!reading->why_not)
        make_new_handles(&decoding);
    reading->form.number_count = reading->number_count;
    make_key(&decoding);
}

/* A function of the run that writes to a stream, which it is given with something else: the same
 * one each time, as the form of a fill has its fields. */
static const struct fth_function *writer_of_streams(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        const struct fth_row *row = fth_trace_row(trace, function);
        if (fth_layer_is(row->layer, FTH_LAYER_STREAMS) && fth_kind_writes(row->kind) &&
            row->field_count > 1 && fth_field_with_role(row, FTH_ROLE_USE) >= 0)
            return function;
    }
    return NULL;
}

void fth_form_read_fill(const struct fth_form_context *context, const struct fth_call *call,
                        const struct fth_unseen_bytes *unseen, struct fth_form_reading *reading)
{
    forget_form(reading);
    const struct fth_function *function = writer_of_streams(context->trace);
    if (!function) {
        reading->why_not = "no call writes to a stream";
        return;
    }
    struct decoding decoding = {context, call, fth_trace_row(context->trace, function), reading};
    size_t stream = (size_t)fth_field_with_role(decoding.row, FTH_ROLE_USE), count = !stream;
    reading->form.function = function;
    reading->form.row = decoding.row;
    reading->form.proc = call->proc;
    reading->form.failed = false;
    reading->form.fills = true;
    argument_of(&decoding, count)->written = FTH_WRITTEN_NUMBER;
    add_number(&decoding, count, (int64_t)unseen->bytes);
    argument_of(&decoding, stream)->written = FTH_WRITTEN_HANDLES;
    add_handle(&decoding, stream, unseen->stream, NULL);
    reading->form.number_count = reading->number_count;
    make_key(&decoding);
}

/* The same function each time: steps that do the same are the same statement. */
static const struct fth_function *any_of_processes(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        if (fth_layer_is(fth_trace_function(trace, i)->layer, FTH_LAYER_PROCESSES))
            return fth_trace_function(trace, i);
    return fth_trace_function(trace, 0);
}

void fth_form_read_step(const struct fth_form_context *context, size_t proc,
                        const struct fth_form_step *step, struct fth_form_reading *reading)
{
    forget_form(reading);
    struct fth_form *form = &reading->form;
    form->function = any_of_processes(context->trace);
    form->row = fth_trace_row(context->trace, form->function);
    form->proc = proc;
    form->failed = false;
    form->step = step->what;
    form->is_new_program = step->is_new_program;
    for (; reading->number_count < FTH_STEP_NUMBERS; reading->number_count++) {
        reading->numbers[reading->number_count] = step->numbers[reading->number_count];
        reading->fields[reading->number_count] = 0;
        reading->widths[reading->number_count] = 0;
        reading->names[reading->number_count] = NULL;
    }
    form->number_count = reading->number_count;
    struct decoding decoding = {context, NULL, form->row, reading};
    make_key(&decoding);
}

struct fth_form fth_form_take(struct fth_form_reading *reading)
{
    struct fth_form form = reading->form;
    reading->form = (struct fth_form){0};
    return form;
}

void fth_form_free(struct fth_form *form)
{
    for (size_t i = 0; i < FTH_FORM_FIELDS; i++)
        free_argument(&form->arguments[i]);
    *form = (struct fth_form){0};
}

void fth_form_reading_free(struct fth_form_reading *reading)
{
    fth_form_free(&reading->form);
    fth_bytes_free(&reading->key);
}

bool fth_form_asks_rank(const struct fth_form *form)
{
    const struct fth_row *row = form->row;
    const struct fth_argument *of = &form->arguments[0];
    return !strcmp(row->kind, "comm") && row->field_count == 2 &&
           !strcmp(row->fields[1].name, "rank") && row->fields[1].role == FTH_ROLE_OUT &&
           of->handle_count == 1 && of->names[0] && !strcmp(of->names[0], "MPI_COMM_WORLD");
}
