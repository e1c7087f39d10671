/* What becomes of the standard descriptors and streams: see the header. */
#include "proxy/standard_handles.h"

#include "model/reading/trace_functions.h"
#include "proxy/handle_class.h"
#include "trace/record/builtin.h"

#include <string.h>

static bool is_of_class(const struct fth_field *field, const char *name)
{
    char class_name[32];
    return !strcmp(fth_form_class(field, class_name), name);
}

/* The standard descriptor that this is, or that this stream stands on; -1: none. */
static int64_t descriptor_of(const struct fth_standard_handles *standard,
                             const struct fth_field *field, int64_t number)
{
    int64_t descriptor = -1;
    if (is_of_class(field, "fd"))
        descriptor = number;
    else if (standard->places && is_of_class(field, "stream"))
        descriptor = fth_repeat_places_descriptor(standard->places, standard->proc, number);
    return descriptor < FTH_STANDARD_HANDLES ? descriptor : -1;
}

bool fth_standard_is_target(const struct fth_row *row, const struct fth_field *field)
{
    return field->role == FTH_ROLE_CLOSE && row->result.role == FTH_ROLE_NEW &&
           field->class_index == row->result.class_index;
}

const char *fth_standard_name(const struct fth_standard_handles *standard,
                              const struct fth_row *row, const struct fth_field *field,
                              int64_t number, bool copies)
{
    static const char *const descriptors[] = {"STDIN_FILENO", "STDOUT_FILENO", "STDERR_FILENO"};
    static const char *const streams[] = {"stdin", "stdout", "stderr"};
    int64_t at = descriptor_of(standard, field, number);
    if (at < 0)
        return NULL;
    if (is_of_class(field, "stream"))
        return fth_standard_is_target(row, field) || standard->states[at] == FTH_STANDARD_LED
                   ? streams[at]
                   : NULL;
    /* What is saved (dup) is what the proxy can lead it to again. It has nothing to read. */
    bool is_saved = copies && at > 0 && standard->states[at] == FTH_STANDARD_FOUND;
    return fth_standard_is_target(row, field) || is_saved ||
                   standard->states[at] == FTH_STANDARD_LED
               ? descriptors[at]
               : NULL;
}

bool fth_standard_is_lost(const struct fth_standard_handles *standard, int64_t slot)
{
    int64_t at = slot >= 0 && standard->places
                     ? fth_repeat_places_descriptor(standard->places, standard->proc, slot)
                     : -1;
    return at >= 0 && at < FTH_STANDARD_HANDLES && standard->states[at] == FTH_STANDARD_LOST;
}

bool fth_standard_is_as_found(const struct fth_standard_handles *standard,
                              const struct fth_call *call, const struct fth_row *row)
{
    int64_t at = call->stream >= 0 && standard->places
                     ? fth_repeat_places_descriptor(standard->places, standard->proc, call->stream)
                     : -1;
    for (size_t i = 0; i < row->field_count && at < 0; i++)
        if (call->arguments[i].type == FTH_VALUE_HANDLE && row->fields[i].class_index >= 0)
            at = descriptor_of(standard, &row->fields[i], call->arguments[i].integer);
    return (call->stream >= 0 && at < 0) ||
           (at >= 0 && at < FTH_STANDARD_HANDLES && standard->states[at] == FTH_STANDARD_FOUND);
}

static void lead(struct fth_standard_handles *standard, const struct fth_field *field,
                 const struct fth_value *value, bool is_led)
{
    int64_t at =
        value->type == FTH_VALUE_HANDLE ? descriptor_of(standard, field, value->integer) : -1;
    if (at >= 0)
        standard->states[at] = is_led ? FTH_STANDARD_LED : FTH_STANDARD_LOST;
}

void fth_standard_take(struct fth_standard_handles *standard, const struct fth_call *call,
                       const struct fth_row *row, bool is_repeated, bool is_made_stream)
{
    bool is_of_system = fth_layer_is(row->layer, FTH_LAYER_SYSTEM | FTH_LAYER_STREAMS);
    if (!is_of_system || call->error_number)
        return;
    bool is_replaced = false;
    for (size_t i = 0; i < row->field_count; i++) {
        const struct fth_field *field = &row->fields[i];
        if (field->role != FTH_ROLE_CLOSE || (is_made_stream && is_of_class(field, "stream")))
            continue;
        is_replaced = fth_standard_is_target(row, field);
        lead(standard, field, is_replaced ? &call->result : &call->arguments[i],
             is_repeated && is_replaced);
    }
    /* one that is only made may have another number in the proxy */
    if (row->result.role == FTH_ROLE_NEW && !is_replaced && is_of_class(&row->result, "fd"))
        lead(standard, &row->result, &call->result, false);
}
