/* Annotations. Names of annotations and of files are written once in each sequence. */
#include "export/perfetto/perfetto_arguments.h"

#include "base/memory.h"
#include "views/sentences/named_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* DebugAnnotation */
enum {
    ANNOTATION_NAME_ID = 1,
    ANNOTATION_UNSIGNED = 3,
    ANNOTATION_INTEGER = 4,
    ANNOTATION_TEXT = 6,
    ANNOTATION_ITEM = 12,
    ANNOTATION_TEXT_ID = 17,
};

enum { LONGEST_FLAGS = 512 };

/* ---- names ---- */

static uint32_t name(struct fth_perfetto_names *names, const char *text)
{
    return fth_intern(&names->all, text, strlen(text) + 1);
}

void fth_perfetto_names_begin(struct fth_perfetto_names *names, const struct fth_trace *trace)
{
    size_t count = fth_trace_function_count(trace);
    *names = (struct fth_perfetto_names){.of_functions = fth_new(count, sizeof(uint32_t *))};
    names->call = name(names, "call");
    names->file = name(names, "file");
    names->object = name(names, "object");
    names->bytes = name(names, "bytes");
    names->result = name(names, "result");
    names->error = name(names, "error");
    names->source = name(names, "source");
    for (size_t i = 0; i < count; i++) {
        const struct fth_function *function = fth_trace_function(trace, i);
        names->of_functions[i] = fth_new(function->parameter_count, sizeof(uint32_t));
        for (size_t k = 0; k < function->parameter_count; k++) {
            /* Keys that are used for other things, too, say which they are. */
            char *text = fth_text_format("arg.%s", function->parameters[k].name);
            names->of_functions[i][k] = name(names, text);
            free(text);
        }
    }
}

void fth_perfetto_names_end(struct fth_perfetto_names *names, const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_function_count(trace); i++)
        free(names->of_functions[i]);
    free(names->of_functions);
    fth_intern_free(&names->all);
}

bool fth_perfetto_announce(struct fth_announced *announced, uint32_t number)
{
    uint8_t bit = (uint8_t)(1u << number % 8);
    announced->bits = fth_reach(announced->bits, &announced->limit, number / 8, 1);
    if (announced->bits[number / 8] & bit)
        return false;
    announced->bits[number / 8] |= bit;
    return true;
}

void fth_perfetto_arguments_free(struct fth_perfetto_arguments *arguments)
{
    fth_bytes_free(&arguments->annotation);
    fth_bytes_free(&arguments->item);
}

/* ---- one annotation ---- */

struct place {
    struct fth_perfetto_arguments *arguments;
    struct fth_perfetto_sequence *sequence;
    struct fth_announced *names;
    const struct fth_call *call;
    struct fth_bytes *event;
};

/* The annotation, of which the value follows. */
static struct fth_bytes *begin(const struct place *place, uint32_t number)
{
    struct fth_perfetto_arguments *arguments = place->arguments;
    size_t length;
    if (fth_perfetto_announce(place->names, number))
        fth_perfetto_intern(place->sequence, FTH_INTERNED_ANNOTATION_NAME, (uint64_t)number + 1,
                            (const char *)fth_interned(&arguments->names->all, number, &length));
    arguments->annotation.length = 0;
    fth_field_varint(&arguments->annotation, ANNOTATION_NAME_ID, (uint64_t)number + 1);
    return &arguments->annotation;
}

static void end(const struct place *place)
{
    fth_field_message(place->event, FTH_EVENT_ANNOTATION, &place->arguments->annotation);
}

static void put_integer(const struct place *place, uint32_t number, int64_t value)
{
    fth_field_varint(begin(place, number), ANNOTATION_INTEGER, (uint64_t)value);
    end(place);
}

static void put_text(const struct place *place, uint32_t number, const char *text)
{
    fth_field_text(begin(place, number), ANNOTATION_TEXT, text);
    end(place);
}

static void put_item(struct fth_bytes *item, const struct fth_value *value, size_t i)
{
    const char *text = value->texts ? value->texts[i] : NULL;
    item->length = 0;
    if (text)
        fth_field_text(item, ANNOTATION_TEXT, text);
    else if (value->type == FTH_VALUE_TEXTS)
        fth_field_text(item, ANNOTATION_TEXT, "NULL");
    else
        fth_field_varint(item, ANNOTATION_INTEGER, (uint64_t)value->integers[i]);
}

static void put_list(const struct place *place, uint32_t number, const struct fth_value *value)
{
    struct fth_bytes *annotation = begin(place, number), *item = &place->arguments->item;
    for (size_t i = 0; i < value->count; i++) {
        put_item(item, value, i);
        fth_field_message(annotation, ANNOTATION_ITEM, item);
    }
    end(place);
}

/* The names of flags: O_RDWR|O_CREAT. False: it is no set of flags. */
static bool put_flags(const struct place *place, uint32_t number, const char *role, int64_t value)
{
    char text[LONGEST_FLAGS];
    struct fth_sink words;
    if (strncmp(role, "flags ", 6))
        return false;
    fth_sink_open(&words, text, sizeof text);
    if (!fth_views_put_flags(&words, place->arguments->trace, place->call->proc, role + 6, value))
        return false;
    fth_sink_char(&words, 0);
    if (words.failed)
        return false;
    put_text(place, number, text);
    return true;
}

/* What was not recorded (a buffer) and what is not known is left out. */
static void put_value(const struct place *place, uint32_t number, const char *role,
                      const struct fth_value *value)
{
    switch (value->type) {
    case FTH_VALUE_NONE:
        return;
    case FTH_VALUE_INTEGER:
        if (value->text)
            put_text(place, number, value->text);
        else if (!put_flags(place, number, role, value->integer))
            put_integer(place, number, value->integer);
        return;
    case FTH_VALUE_TEXT:
        if (value->text)
            put_text(place, number, value->text);
        return;
    case FTH_VALUE_HANDLE:
        if (value->text && (value->integer == FTH_HANDLE_NULL || fth_views_is_symbol(value->text)))
            put_text(place, number, value->text);
        else if (value->integer >= 0)
            put_integer(place, number, value->integer);
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        put_list(place, number, value);
        return;
    }
}

/* ---- a call ---- */

/* "3.0.253", as `fathom dump --call` takes it. */
static void put_name(const struct place *place)
{
    const struct fth_call *call = place->call;
    char text[64];
    struct fth_sink sink;
    fth_sink_open(&sink, text, sizeof text);
    fth_sink_unsigned(&sink, call->proc);
    fth_sink_char(&sink, '.');
    fth_sink_unsigned(&sink, call->thread);
    fth_sink_char(&sink, '.');
    fth_sink_unsigned(&sink, call->number);
    fth_field_bytes(begin(place, place->arguments->names->call), ANNOTATION_TEXT, text, sink.used);
    end(place);
}

static void put_file(const struct place *place, struct fth_announced *announced)
{
    const struct fth_call *call = place->call;
    if (fth_perfetto_announce(announced, call->file_number))
        fth_perfetto_intern(place->sequence, FTH_INTERNED_STRING, call->file_number, call->file);
    fth_field_varint(begin(place, place->arguments->names->file), ANNOTATION_TEXT_ID,
                     call->file_number);
    end(place);
}

void fth_perfetto_put_arguments(struct fth_perfetto_arguments *arguments,
                                struct fth_perfetto_sequence *sequence,
                                struct fth_announced *announced_names,
                                struct fth_announced *announced_files, const struct fth_call *call,
                                size_t function, struct fth_bytes *event)
{
    const struct fth_perfetto_names *names = arguments->names;
    const struct place place = {arguments, sequence, announced_names, call, event};
    put_name(&place);
    if (call->file && call->file_number)
        put_file(&place, announced_files);
    if (call->object)
        put_text(&place, names->object, call->object);
    if (call->bytes_known)
        put_integer(&place, names->bytes, (int64_t)call->bytes);
    for (size_t i = 0; i < call->function->parameter_count; i++)
        put_value(&place, names->of_functions[function][i], call->function->parameters[i].role,
                  &call->arguments[i]);
    put_value(&place, names->result, "", &call->result);
    if (call->error_name)
        put_text(&place, names->error, call->error_name);
    else if (call->error_number)
        put_integer(&place, names->error, call->error_number);
    if (call->source)
        put_text(&place, names->source, call->source);
}
