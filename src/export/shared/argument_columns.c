/* Which columns a parameter has follows from its role alone, so that a column of two traces is the
 * same. */
#include "export/shared/argument_columns.h"

#include "base/json.h"
#include "base/memory.h"
#include "views/sentences/named_numbers.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_FLAGS = 512 };

/* ---- which there are ---- */

static bool is_among(const char *role, const char *const *words)
{
    size_t length = strcspn(role, " ");
    while (*words && (strlen(*words) != length || memcmp(*words, role, length) != 0))
        words++;
    return *words;
}

/* Without a role, numbers are recorded, and what is behind pointers is not. */
static bool has_number(const struct fth_parameter *parameter)
{
    static const char *const texts[] = {"path", "string", "strings", NULL};
    return *parameter->role ? !is_among(parameter->role, texts) : !strchr(parameter->type, '*');
}

static bool has_text(const char *role)
{
    static const char *const numbers[] = {"",      "bytes",  "size",        "items",
                                          "count", "offset", "offset_view", "distance",
                                          "mode",  "value",  NULL};
    return !is_among(role, numbers);
}

static uint32_t column_of(struct fth_argument_columns *columns, const char *prefix,
                          const char *name)
{
    char *text = fth_text_format("%s_%s", prefix, name);
    uint32_t number = fth_intern(&columns->names, text, strlen(text) + 1);
    free(text);
    return (uint32_t)columns->given + number;
}

static void place_function(struct fth_argument_columns *columns, size_t function)
{
    const struct fth_function *of = fth_trace_function(columns->trace, function);
    struct fth_argument_place *places = fth_new(of->parameter_count + 1, sizeof *places);
    columns->of_functions[function] = places;
    for (size_t i = 0; i < of->parameter_count; i++) {
        const struct fth_parameter *parameter = &of->parameters[i];
        if (has_number(parameter))
            places[i].number = column_of(columns, "arg", parameter->name);
        if (has_text(parameter->role))
            places[i].text = column_of(columns, "text", parameter->name);
    }
}

void fth_argument_columns_begin(struct fth_argument_columns *columns, const struct fth_trace *trace,
                                const struct fth_batch_column *given, size_t count)
{
    size_t functions = fth_trace_function_count(trace), length;
    *columns = (struct fth_argument_columns){
        .trace = trace,
        .given = count,
        .of_functions = fth_new(functions + 1, sizeof *columns->of_functions),
    };
    for (size_t i = 0; i < functions; i++)
        place_function(columns, i);
    columns->count = count + columns->names.count;
    columns->columns = fth_new(columns->count + 1, sizeof *columns->columns);
    memcpy(columns->columns, given, count * sizeof *given);
    for (uint32_t i = 0; i < columns->names.count; i++) {
        const char *name = (const char *)fth_interned(&columns->names, i, &length);
        columns->columns[count + i] = (struct fth_batch_column){
            name, *name == 't' ? FTH_BATCH_TEXT : FTH_BATCH_INT64, true, NULL};
    }
}

void fth_argument_columns_end(struct fth_argument_columns *columns)
{
    for (size_t i = 0; columns->of_functions && i < fth_trace_function_count(columns->trace); i++)
        free(columns->of_functions[i]);
    free(columns->of_functions);
    free(columns->columns);
    fth_intern_free(&columns->names);
}

/* ---- cells ---- */

static void put_item(struct fth_json *json, const struct fth_value *value, size_t i)
{
    const char *text = value->texts ? value->texts[i] : NULL;
    bool is_number = value->type == FTH_VALUE_INTEGERS ||
                     (value->type == FTH_VALUE_HANDLES && value->integers[i] >= 0);
    if (text && (value->type != FTH_VALUE_HANDLES || !is_number || fth_views_is_symbol(text)))
        fth_json_text(json, *text || value->type == FTH_VALUE_TEXTS ? text : NULL);
    else if (is_number)
        fth_json_integer(json, value->integers[i]);
    else
        fth_json_text(json, NULL);
}

/* As in the JSON of `fathom dump`. */
static void put_list(struct fth_batch *batch, uint32_t column, const struct fth_value *value)
{
    struct fth_sink text;
    struct fth_json json;
    fth_sink_open_memory(&text);
    fth_json_open(&json, &text, 0);
    fth_json_begin_array(&json);
    for (size_t i = 0; i < value->count; i++)
        put_item(&json, value, i);
    fth_json_end_array(&json);
    fth_sink_char(&text, 0);
    fth_batch_text(batch, column, text.bytes);
    fth_sink_close_memory(&text);
}

static void put_words(struct fth_batch *batch, uint32_t column, const struct fth_trace *trace,
                      const struct fth_call *call, const char *flags, int64_t value)
{
    char text[LONGEST_FLAGS];
    struct fth_sink words;
    fth_sink_open(&words, text, sizeof text);
    if (!fth_views_put_flags(&words, trace, call->proc, flags, value))
        return;
    fth_sink_char(&words, 0);
    if (!words.failed)
        fth_batch_text(batch, column, text);
}

/* A path that is that of the call's file as it stands has a number. */
static void put_text(struct fth_batch *batch, uint32_t column, const struct fth_call *call,
                     const char *text)
{
    if (text && text == call->file && call->file_number)
        fth_batch_numbered_text(batch, column, call->file_number, text);
    else
        fth_batch_text(batch, column, text);
}

static void put_integer(const struct fth_argument_columns *columns, struct fth_batch *batch,
                        const struct fth_call *call, size_t parameter,
                        const struct fth_argument_place *place)
{
    const struct fth_value *value = &call->arguments[parameter];
    const char *role = call->function->parameters[parameter].role;
    if (place->number)
        fth_batch_integer(batch, place->number, value->integer);
    if (!place->text)
        return;
    if (value->text)
        fth_batch_text(batch, place->text, value->text);
    else if (!strncmp(role, "flags ", 6))
        put_words(batch, place->text, columns->trace, call, role + 6, value->integer);
}

static void put_handle(struct fth_batch *batch, const struct fth_value *value,
                       const struct fth_argument_place *place)
{
    bool is_name =
        value->text && (value->integer == FTH_HANDLE_NULL || fth_views_is_symbol(value->text));
    if (place->text && is_name)
        fth_batch_text(batch, place->text, value->text);
    else if (place->number && value->integer >= 0)
        fth_batch_integer(batch, place->number, value->integer);
}

void fth_argument_columns_put(const struct fth_argument_columns *columns, struct fth_batch *batch,
                              const struct fth_call *call, uint32_t function)
{
    const struct fth_argument_place *places = columns->of_functions[function];
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_value *value = &call->arguments[i];
        switch (value->type) {
        case FTH_VALUE_NONE:
            break;
        case FTH_VALUE_INTEGER:
            put_integer(columns, batch, call, i, &places[i]);
            break;
        case FTH_VALUE_TEXT:
            if (places[i].text)
                put_text(batch, places[i].text, call, value->text);
            break;
        case FTH_VALUE_HANDLE:
            put_handle(batch, value, &places[i]);
            break;
        case FTH_VALUE_INTEGERS:
        case FTH_VALUE_TEXTS:
        case FTH_VALUE_HANDLES:
            if (places[i].text)
                put_list(batch, places[i].text, value);
            break;
        }
    }
}
