/* From a call of the trace to its form and its numbers. What cannot be written without what the
 * trace does not have (a function of the program, a list that is not recorded) is left out. */
#include "proxy/forms.h"

#include "base/memory.h"
#include "catalog/values.h"
#include "model/reading/trace_functions.h"
#include "proxy/decoding.h"
#include "repeat/what/known_row.h"
#include "trace/record/builtin.h"

#include <string.h>

/* ---- data ---- */

/* Contents: text of our own that is as long, or a character of our own. */
static void read_data(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    int64_t length = value->type == FTH_VALUE_INTEGER ? value->integer
                     : value->type == FTH_VALUE_TEXT  ? (int64_t)strlen(value->text)
                                                      : -1;
    if (!strstr(decoding->row->fields[i].type, "*")) {
        argument->written = FTH_WRITTEN_FILLER;
        if (!fth_layer_is(decoding->row->layer, FTH_LAYER_STREAMS))
            fth_decoding_leave_out(decoding, "the trace does not have its value");
        return;
    }
    argument->written = length < 0 ? FTH_WRITTEN_NULL : FTH_WRITTEN_CONTENT;
    if (length >= 0)
        fth_decoding_number(decoding, i, length);
}

/* Are they contents? Traces of older versions have some of them, as texts and numbers. */
static bool is_data(const struct fth_decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    if (field->role != FTH_ROLE_STRING && field->role != FTH_ROLE_VALUE)
        return field->role == FTH_ROLE_DATA;
    const struct fth_row *own = fth_repeat_known_row(decoding->row);
    return own && own->fields[i].role == FTH_ROLE_DATA;
}

/* `fprintf(stream, format, ...)`: as long a text of our own. */
static bool is_format(const struct fth_decoding *decoding, size_t i)
{
    const struct fth_row *row = decoding->row;
    return row->via && i + 1 == row->field_count && strstr(row->fields[i].type, "char");
}

/* ---- a field ---- */

static void read_number(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    const struct fth_row *row = decoding->row;
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    const struct fth_field *field = &row->fields[i];
    if (value->type != FTH_VALUE_INTEGER) {
        argument->written = FTH_WRITTEN_NULL;
        return;
    }
    argument->written = field->role == FTH_ROLE_FLAGS ? FTH_WRITTEN_FLAGS : FTH_WRITTEN_NUMBER;
    fth_decoding_number(decoding, i, value->integer);
    if (value->text && fth_name_is_constant(value->text) && !decoding->reading->why_not)
        decoding->reading->names[decoding->reading->number_count - 1] = value->text;
}

static void read_field(struct fth_decoding *decoding, size_t i)
{
    const struct fth_field *field = &decoding->row->fields[i];
    const struct fth_value *value = &decoding->call->arguments[i];
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    if (is_data(decoding, i)) {
        read_data(decoding, i, value);
        return;
    }
    switch (field->role) {
    case FTH_ROLE_NONE:
        if (!is_format(decoding, i)) {
            fth_decoding_unkept(decoding, i);
            return;
        }
        argument->written = FTH_WRITTEN_FORMAT;
        fth_decoding_number(decoding, i, decoding->call->result.integer);
        return;
    case FTH_ROLE_USE:
    case FTH_ROLE_CLOSE:
        fth_decoding_handles(decoding, i, value);
        return;
    case FTH_ROLE_NEW: /* when those that are closed are */
        return;
    case FTH_ROLE_PATH:
    case FTH_ROLE_STRING:
        fth_decoding_name(decoding, i, value);
        return;
    case FTH_ROLE_IN:
        if (strstr(decoding->row->text, "[][") || field->of_lists)
            fth_decoding_leave_out(decoding, "it has lists of lists");
        fth_decoding_list(decoding, i, value);
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
        fth_decoding_number(decoding, i, value->integer);
        return;
    case FTH_ROLE_ARGUMENT:
        fth_decoding_command(decoding, i, value);
        return;
    case FTH_ROLE_AIO:
        fth_decoding_block(decoding, i, value);
        return;
    case FTH_ROLE_AIO_LIST:
        fth_decoding_leave_out(decoding,
                               strcmp(decoding->row->kind, "wait") != 0
                                   ? "it begins several asynchronous operations at once"
                                   : "the program waits for an operation where the run asked for "
                                     "its result (aio_return)");
        return;
    case FTH_ROLE_STRINGS:
        fth_decoding_leave_out(decoding, "it takes structures that are not written yet");
        return;
    default:
        read_number(decoding, i, value);
    }
}

/* ---- the form ---- */

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
void fth_form_forget(struct fth_form_reading *reading)
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
    struct fth_decoding decoding = {context, call, fth_trace_row(context->trace, call->function),
                                    reading};
    fth_form_forget(reading);
    reading->form.function = call->function;
    reading->form.row = decoding.row;
    reading->form.proc = call->proc;
    reading->form.failed = call->error_number != 0;
    for (size_t i = 0; i < decoding.row->field_count; i++)
        read_field(&decoding, i);
    if (!reading->why_not)
        fth_decoding_make_handles(&decoding);
    reading->form.number_count = reading->number_count;
    fth_decoding_key(&decoding);
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
