/* What is no call, as forms: bytes that came to a stream without one, and steps of processes and
 * threads. */
#include "proxy/decoding.h"

#include "model/reading/trace_functions.h"
#include "catalog/values.h"
#include "trace/record/builtin.h"

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
    fth_form_forget(reading);
    const struct fth_function *function = writer_of_streams(context->trace);
    if (!function) {
        reading->why_not = "no call writes to a stream";
        return;
    }
    struct fth_decoding decoding = {context, call, fth_trace_row(context->trace, function),
                                    reading};
    size_t stream = (size_t)fth_field_with_role(decoding.row, FTH_ROLE_USE), count = !stream;
    reading->form.function = function;
    reading->form.row = decoding.row;
    reading->form.proc = call->proc;
    reading->form.failed = false;
    reading->form.fills = true;
    fth_decoding_argument(&decoding, count)->written = FTH_WRITTEN_NUMBER;
    fth_decoding_number(&decoding, count, (int64_t)unseen->bytes);
    fth_decoding_argument(&decoding, stream)->written = FTH_WRITTEN_HANDLES;
    fth_decoding_handle(&decoding, stream, unseen->stream, NULL);
    reading->form.number_count = reading->number_count;
    fth_decoding_key(&decoding);
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
    fth_form_forget(reading);
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
    struct fth_decoding decoding = {context, NULL, form->row, reading};
    fth_decoding_key(&decoding);
}
