/* Handles of a call, and the variables that have them. */
#include "proxy/decoding.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "proxy/handle_class.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool copies_descriptor(const struct fth_decoding *decoding)
{
    return !strcmp(decoding->row->kind, "control") &&
           fth_command_copies(fth_command_of(decoding->context->trace, decoding->call));
}

static bool is_of_class(const struct fth_field *field, const char *name)
{
    char class_name[32];
    return field->class_index >= 0 && !strcmp(fth_form_class(field, class_name), name);
}

/* The variable of a handle. A standard one that is replaced is so in its own place, wherever the
 * proxy has what the run had there. */
static uint32_t variable_of(struct fth_decoding *decoding, const struct fth_field *field,
                            int64_t number, const char *standard)
{
    return standard && fth_standard_is_target(decoding->row, field)
               ? FTH_NO_VARIABLE
               : fth_variable_of(decoding->context->variables, (uint32_t)field->class_index,
                                 number);
}

void fth_decoding_handle(struct fth_decoding *decoding, size_t i, int64_t number, const char *name)
{
    const struct fth_field *field = &decoding->row->fields[i];
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
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
        fth_decoding_leave_out(decoding, "no repeated call has made its handle");
    argument->variables[argument->handle_count] = variable;
    argument->names[argument->handle_count++] = named ? fth_text_copy(name) : NULL;
}

/* What the result takes the place of (dup2). Where nothing is there in the proxy, it goes
 * anywhere: the number of the run may be another handle's. */
static void read_target(struct fth_decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    int64_t number = decoding->call->result.integer;
    const char *standard =
        fth_standard_name(decoding->context->standard, decoding->row, field, number, true);
    bool is_free = !standard && variable_of(decoding, field, number, NULL) == FTH_NO_VARIABLE;
    fth_decoding_argument(decoding, i)->written = is_free ? FTH_WRITTEN_NULL : FTH_WRITTEN_HANDLES;
    if (!is_free)
        fth_decoding_handle(decoding, i, number, NULL);
}

void fth_decoding_handles(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    if (fth_standard_is_target(decoding->row, &decoding->row->fields[i]) &&
        !decoding->call->error_number && decoding->call->result.type == FTH_VALUE_HANDLE) {
        read_target(decoding, i);
        return;
    }
    argument->written = FTH_WRITTEN_HANDLES;
    argument->null = value->type == FTH_VALUE_NONE;
    if (value->type == FTH_VALUE_HANDLE)
        fth_decoding_handle(decoding, i, value->integer, value->text);
    if (value->type == FTH_VALUE_HANDLES)
        for (size_t k = 0; k < value->count; k++)
            fth_decoding_handle(decoding, i, value->integers[k],
                                value->texts ? value->texts[k] : NULL);
}

/* Those that are closed, after all have been looked up. */
static void close_handles(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    uint32_t handle_class = (uint32_t)decoding->row->fields[i].class_index;
    struct fth_variables *variables = decoding->context->variables;
    if (value->type == FTH_VALUE_HANDLE)
        fth_variable_drop(variables, handle_class, value->integer);
    for (size_t k = 0; value->type == FTH_VALUE_HANDLES && k < value->count; k++)
        fth_variable_drop(variables, handle_class, value->integers[k]);
}

static void make_handle(struct fth_decoding *decoding, struct fth_argument *argument,
                        uint32_t handle_class, int64_t number)
{
    FTH_GROW(argument->variables, argument->handle_count);
    FTH_GROW(argument->names, argument->handle_count);
    argument->names[argument->handle_count] = NULL;
    argument->variables[argument->handle_count++] =
        number < 0 ? FTH_NO_VARIABLE
                   : fth_variable_make(decoding->context->variables, handle_class, number);
}

static void make_handles(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    uint32_t handle_class = (uint32_t)decoding->row->fields[i].class_index;
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    argument->written = FTH_WRITTEN_HANDLES;
    argument->null = value->type == FTH_VALUE_NONE;
    if (value->type == FTH_VALUE_HANDLE)
        make_handle(decoding, argument, handle_class, value->integer);
    for (size_t k = 0; value->type == FTH_VALUE_HANDLES && k < value->count; k++)
        make_handle(decoding, argument, handle_class, value->integers[k]);
    if (argument->handle_count && argument->variables[0] == FTH_NO_VARIABLE)
        argument->written = FTH_WRITTEN_UNUSED;
}

/* Libraries count who uses an identifier: what gives one that is open gives it once more
 * (H5Iget_file_id), and so does what makes none (H5Iinc_ref). A path is another file. */
static bool is_counted(const struct fth_row *row)
{
    return fth_layer_is(row->layer, FTH_LAYER_HDF5) && fth_field_with_role(row, FTH_ROLE_PATH) < 0;
}

static void count_again(struct fth_decoding *decoding)
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

const struct fth_field *fth_form_descriptor(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++) {
        const struct fth_row *row = fth_trace_row(trace, fth_trace_function(trace, i));
        for (size_t field = 0; field < row->field_count; field++)
            if (is_of_class(&row->fields[field], "fd"))
                return &row->fields[field];
        if (is_of_class(&row->result, "fd"))
            return &row->result;
    }
    return NULL;
}

const struct fth_field *fth_form_result_field(const struct fth_row *row)
{
    int used = fth_field_with_role(row, FTH_ROLE_USE);
    return row->result.role == FTH_ROLE_NEW || used < 0 ? &row->result : &row->fields[used];
}

static uint32_t make_result(struct fth_decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    struct fth_variables *variables = decoding->context->variables;
    uint32_t handle_class = (uint32_t)fth_form_result_field(row)->class_index;
    int64_t number = decoding->call->result.integer;
    decoding->reading->form.result_class = handle_class;
    return is_counted(row) ? fth_variable_again(variables, handle_class, number)
                           : fth_variable_make(variables, handle_class, number);
}

/* The descriptor of a stream that a repeated call has opened (fileno) goes when that does. */
static void lend_descriptor(struct fth_decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    const struct fth_call *call = decoding->call;
    const struct fth_form_context *context = decoding->context;
    struct fth_form *form = &decoding->reading->form;
    bool asks = !strcmp(row->kind, "control") && row->field_count == 1 &&
                row->fields[0].role == FTH_ROLE_USE && !strcmp(row->result.type, "int") &&
                !fth_layer_is(row->layer, FTH_LAYER_MESSAGES | FTH_LAYER_TOGETHER) &&
                (is_of_class(&row->fields[0], "stream") || is_of_class(&row->fields[0], "dir")) &&
                call->result.integer >= 0 && !form->failed;
    if (!asks || !context->descriptor || form->arguments[0].handle_count != 1 ||
        form->arguments[0].variables[0] == FTH_NO_VARIABLE)
        return;
    uint32_t lent_class = (uint32_t)context->descriptor->class_index;
    int64_t lent = call->result.integer;
    if (fth_variable_of(context->variables, lent_class, lent) != FTH_NO_VARIABLE)
        return;
    form->result_class = lent_class;
    form->result = fth_variable_make(context->variables, lent_class, lent);
    fth_variable_lend(context->variables, (uint32_t)row->fields[0].class_index,
                      call->arguments[0].integer, lent_class, lent);
}

void fth_decoding_make_handles(struct fth_decoding *decoding)
{
    const struct fth_row *row = decoding->row;
    const struct fth_call *call = decoding->call;
    struct fth_form *form = &decoding->reading->form;
    for (size_t i = 0; i < row->field_count && !form->failed; i++)
        if (row->fields[i].role == FTH_ROLE_CLOSE)
            close_handles(decoding, i,
                          fth_standard_is_target(row, &row->fields[i]) ? &call->result
                                                                       : &call->arguments[i]);
    for (size_t i = 0; i < row->field_count; i++) {
        if (row->fields[i].role == FTH_ROLE_NEW)
            make_handles(decoding, i, &call->arguments[i]);
        if (row->fields[i].role == FTH_ROLE_AIO)
            fth_decoding_make_block(decoding, i);
    }
    if (row->result.role == FTH_ROLE_NEW && call->result.type == FTH_VALUE_HANDLE &&
        call->result.integer >= 0 && !form->failed)
        form->result = make_result(decoding);
    lend_descriptor(decoding);
    if (copies_descriptor(decoding) && call->result.type == FTH_VALUE_INTEGER && !form->failed)
        form->result = make_result(decoding);
    if (is_counted(row) && !form->failed)
        count_again(decoding);
}
