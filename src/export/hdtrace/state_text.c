/* States: see the header. What is not known has no attribute. */
#include "export/hdtrace/state_text.h"

#include "base/memory.h"
#include "catalog/hdtrace_names.h"
#include "export/hdtrace/xml.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- handles ---- */

bool fth_hdtrace_is_numbered(const struct fth_handle *handle)
{
    return !strcmp(handle->handle_class, "comm") || !strcmp(handle->handle_class, "datatype");
}

int64_t fth_hdtrace_id(const struct fth_handle *handle)
{
    if (handle->value < 0 || handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN)
        return -1;
    return fth_hdtrace_is_numbered(handle) ? (int64_t)handle->number : handle->value;
}

const struct fth_handle *fth_hdtrace_used(const struct fth_call *call, int parameter)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].parameter == parameter)
            return call->uses[i].handle;
    return NULL;
}

bool fth_hdtrace_is_new(struct fth_keyed *known, const struct fth_handle *handle)
{
    const uint64_t key[] = {(uintptr_t)handle->handle_class, (uint64_t)handle->value};
    uint64_t *number = fth_keyed_get(known, key, sizeof key);
    bool is_new = *number != handle->number + 1;
    *number = handle->number + 1;
    return is_new;
}

struct state {
    struct fth_sink *to;
    const struct fth_export_part *part;
    const struct fth_call *call;
    struct fth_keyed *known;
    bool is_mpi, sends;
};

static const char *attribute_of(const struct state *state, size_t parameter,
                                char room[FTH_HDTRACE_LONGEST])
{
    return fth_hdtrace_attribute(state->is_mpi, state->sends,
                                 state->call->function->parameters[parameter].name, room);
}

static void put_described(const struct state *state, const char *attribute, const char *what,
                          char *text)
{
    char name[FTH_HDTRACE_LONGEST + 16];
    snprintf(name, sizeof name, "%s.%s", attribute, what);
    if (text)
        fth_xml_text(state->to, name, text);
    free(text);
}

/* What a handle is, where it is first used in the file. */
static void describe(const struct state *state, const char *attribute,
                     const struct fth_handle *handle, uint32_t flags)
{
    const struct fth_pseudonyms *names = state->part->of->names;
    char name[FTH_HDTRACE_LONGEST + 16];
    if (!handle || fth_hdtrace_id(handle) < 0 || !fth_hdtrace_is_new(state->known, handle))
        return;
    put_described(state, attribute, "file", fth_pseudonym(names, handle->path));
    put_described(state, attribute, "name", fth_pseudonym_of_object(names, handle->name));
    snprintf(name, sizeof name, "%s.flags", attribute);
    if (flags)
        fth_xml_integer(state->to, name, (int64_t)flags - 1);
}

static void put_handle(const struct state *state, const char *attribute, int parameter,
                       const struct fth_value *value, bool is_made)
{
    const struct fth_handle *handle = fth_hdtrace_used(state->call, parameter);
    int64_t id = handle ? fth_hdtrace_id(handle) : -1;
    if (value->integer == FTH_HANDLE_NULL)
        fth_xml_text(state->to, attribute, "null");
    else if (id >= 0 || value->integer >= 0)
        fth_xml_integer(state->to, attribute, id >= 0 ? id : value->integer);
    if (!is_made)
        describe(state, attribute, handle, value->flags);
}

/* The standard stream that a function works on without naming it. */
static void put_stream(const struct state *state)
{
    const struct fth_value value = {.type = FTH_VALUE_HANDLE, .integer = state->call->stream};
    if (state->call->stream >= 0)
        put_handle(state, "stream", -2, &value, false);
}

static bool is_made(const struct fth_parameter *parameter)
{
    return !strncmp(parameter->role, "new ", 4);
}

/* ---- lists ---- */

/* The id of one of several: those of numbered classes are found by the value. */
static int64_t id_in_list(const struct state *state, size_t parameter, int64_t value)
{
    for (size_t i = 0; i < state->call->use_count; i++) {
        const struct fth_handle_use *use = &state->call->uses[i];
        if (use->parameter == (int)parameter && use->handle->value == value &&
            fth_hdtrace_is_numbered(use->handle))
            return fth_hdtrace_id(use->handle);
    }
    return value;
}

static void put_list(const struct state *state, const char *attribute, size_t parameter,
                     const struct fth_value *value)
{
    struct fth_sink *to = state->to;
    bool are_handles = value->type == FTH_VALUE_HANDLES;
    fth_sink_char(to, ' ');
    fth_sink_text(to, attribute);
    fth_sink_text(to, "='");
    for (size_t i = 0; i < value->count; i++) {
        if (i)
            fth_sink_char(to, ' ');
        if (are_handles && value->integers[i] == FTH_HANDLE_NULL)
            fth_sink_text(to, "null");
        else
            fth_sink_integer(to, are_handles ? id_in_list(state, parameter, value->integers[i])
                                             : value->integers[i]);
    }
    fth_sink_char(to, '\'');
}

/* ---- values ---- */

static void put_parameter(const struct state *state, size_t parameter)
{
    const struct fth_value *value = &state->call->arguments[parameter];
    char room[FTH_HDTRACE_LONGEST];
    const char *attribute = attribute_of(state, parameter, room);
    switch (value->type) {
    case FTH_VALUE_INTEGER:
        fth_xml_integer(state->to, attribute, value->integer);
        return;
    case FTH_VALUE_TEXT:
        if (value->text)
            fth_xml_text(state->to, attribute, value->text);
        return;
    case FTH_VALUE_HANDLE:
        put_handle(state, attribute, (int)parameter, value,
                   is_made(&state->call->function->parameters[parameter]));
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_HANDLES:
        put_list(state, attribute, parameter, value);
        if (!strcmp(state->call->function->parameters[parameter].role, "aio"))
            describe(state, attribute, state->call->handle, value->flags);
        return;
    case FTH_VALUE_NONE:
        if (!strcmp(state->call->function->parameters[parameter].role, "status") &&
            (state->call->reads || state->call->writes))
            fth_xml_text(state->to, attribute, ""); /* how much it moved is not known */
        return;
    case FTH_VALUE_TEXTS: /* they are in the body */
        return;
    }
}

/* Bytes of an element of a count: those of the datatype behind it. False: they are not known. */
static bool find_element(const struct state *state, size_t count, int64_t *bytes)
{
    const struct fth_function *function = state->call->function;
    size_t type = count + 1;
    while (type < function->parameter_count &&
           strcmp(function->parameters[type].role, "use datatype") != 0)
        type++;
    const struct fth_datatype *datatype =
        type < function->parameter_count && state->part->accesses
            ? fth_accesses_datatype(state->part->accesses, (int)type)
            : NULL;
    *bytes = datatype ? datatype->size : -1;
    return *bytes >= 0 && state->call->arguments[count].type == FTH_VALUE_INTEGER;
}

/* Bytes that are asked for, of a file or of messages; the elements of further counts. */
static void put_size(const struct state *state)
{
    const struct fth_call *call = state->call;
    const struct fth_function *function = call->function;
    char room[FTH_HDTRACE_LONGEST], name[FTH_HDTRACE_LONGEST + 16];
    bool is_first = true, is_known = call->bytes_asked != FTH_NO_BYTES;
    int64_t bytes;
    if (is_known)
        fth_xml_integer(state->to, "size", (int64_t)call->bytes_asked);
    for (size_t i = 0; i < function->parameter_count; i++) {
        if (strcmp(function->parameters[i].role, "count") != 0)
            continue;
        snprintf(name, sizeof name, "%s.element", attribute_of(state, i, room));
        if (!find_element(state, i, &bytes))
            ;
        else if (!is_first)
            fth_xml_integer(state->to, name, bytes);
        else if (!is_known && !__builtin_mul_overflow(call->arguments[i].integer, bytes, &bytes))
            fth_xml_integer(state->to, "size", bytes);
        is_first = false;
    }
}

static void put_result(const struct state *state)
{
    const struct fth_call *call = state->call;
    const struct fth_value *result = &call->result;
    if (call->error_number)
        fth_xml_integer(state->to, "error", call->error_number);
    if (call->error_number && (result->type != FTH_VALUE_INTEGER || result->integer == -1))
        return; /* the number says no more */
    if (result->type == FTH_VALUE_HANDLE)
        put_handle(state, "result", -1, result, true);
    else if (result->type == FTH_VALUE_INTEGER && (!state->is_mpi || result->integer))
        fth_xml_integer(state->to, "result", result->integer);
    else if (result->type == FTH_VALUE_TEXT && result->text)
        fth_xml_text(state->to, "result", result->text);
}

/* The folder in which a relative path is, where it is another one than before: what is left of the
 * path of the file without it. */
static void put_directory(const struct state *state, char **directory)
{
    const struct fth_call *call = state->call;
    const char *path = NULL;
    for (size_t i = 0; !path && i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].role, "path") &&
            call->arguments[i].type == FTH_VALUE_TEXT)
            path = call->arguments[i].text;
    if (!path || *path == '/' || !call->file || *call->file != '/')
        return;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    size_t length = strlen(call->file), end = strlen(path);
    if (!end || length <= end || strcmp(call->file + length - end, path) != 0 ||
        call->file[length - end - 1] != '/')
        return;
    char *folder = fth_text_part(call->file, length - end - 1 ? length - end - 1 : 1);
    if (!*directory || strcmp(*directory, folder) != 0)
        fth_xml_text(state->to, "directory", folder);
    free(*directory);
    *directory = folder;
}

/* ---- the body ---- */

static void put_texts(struct fth_sink *to, const char *name, const struct fth_value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        fth_sink_char(to, '<');
        fth_sink_text(to, name);
        fth_sink_char(to, '>');
        fth_xml_put(to, value->texts[i] ? value->texts[i] : "");
        fth_sink_text(to, "</");
        fth_sink_text(to, name);
        fth_sink_char(to, '>');
    }
}

static void put_for(struct fth_sink *to, int64_t request)
{
    fth_sink_text(to, "<For");
    fth_xml_integer(to, "rid", request);
    fth_sink_text(to, "/>");
}

static int parameter(const struct fth_function *function, const char *name)
{
    for (size_t i = 0; i < function->parameter_count; i++)
        if (!strcmp(function->parameters[i].name, name))
            return (int)i;
    return -1;
}

static void put_completed(const struct state *state, const struct fth_value *requests,
                          const struct fth_value *indices)
{
    bool are_all = !indices;
    for (size_t i = 0; are_all && i < requests->count; i++)
        if (requests->integers[i] >= 0)
            put_for(state->to, requests->integers[i]);
    for (size_t i = 0; !are_all && i < indices->count; i++) {
        int64_t at = indices->integers[i];
        if (at >= 0 && (size_t)at < requests->count && requests->integers[at] >= 0)
            put_for(state->to, requests->integers[at]);
    }
}

/* The requests that a call of MPI found complete. */
static void put_requests(const struct state *state)
{
    const struct fth_call *call = state->call;
    const struct fth_function *function = call->function;
    bool is_test = !strcmp(function->kind, "test");
    int one = parameter(function, "request"), several = parameter(function, "array_of_requests"),
        flag = parameter(function, "flag"), index = parameter(function, "index"),
        indices = parameter(function, "array_of_indices");
    if (!state->is_mpi || call->error_number || (!is_test && strcmp(function->kind, "wait") != 0) ||
        (is_test && flag >= 0 && !call->arguments[flag].integer))
        return;
    if (one >= 0 && call->arguments[one].integer >= 0 &&
        call->arguments[one].type == FTH_VALUE_HANDLE)
        put_for(state->to, call->arguments[one].integer);
    if (several < 0 || call->arguments[several].type != FTH_VALUE_HANDLES)
        return;
    const struct fth_value *given = index >= 0 ? &call->arguments[index] : NULL;
    struct fth_value single = {.count = 1, .integers = given ? &given->integer : NULL};
    put_completed(state, &call->arguments[several],
                  given          ? &single
                  : indices >= 0 ? &call->arguments[indices]
                                 : NULL);
}

static void put_body(const struct state *state)
{
    const struct fth_call *call = state->call;
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (call->arguments[i].type == FTH_VALUE_TEXTS)
            put_texts(state->to, call->function->parameters[i].name, &call->arguments[i]);
    put_requests(state);
}

/* ---- a state ---- */

void fth_hdtrace_put_state(struct fth_sink *to, const struct fth_export_part *part,
                           const struct fth_call *call, struct fth_keyed *known, char **directory)
{
    const struct fth_function *function = call->function;
    const char *name = fth_hdtrace_state(function->name);
    struct state state = {to,
                          part,
                          call,
                          known,
                          fth_hdtrace_is_mpi(function->name),
                          parameter(function, "dest") >= 0};
    fth_sink_char(to, '<');
    fth_sink_text(to, name);
    for (size_t i = 0; i < function->parameter_count; i++)
        put_parameter(&state, i);
    put_directory(&state, directory);
    put_stream(&state);
    put_size(&state);
    put_result(&state);
    if (call->source)
        fth_xml_text(to, "location", call->source);
    if (call->from_fortran)
        fth_xml_integer(to, "fortran", 1);
    fth_xml_time(to, "time", call->start);
    fth_xml_time(to, "end", call->end);
    fth_sink_char(to, '>');
    size_t before = to->used;
    put_body(&state);
    if (to->used == before) {
        to->used--;
        fth_sink_text(to, "/>\n");
        return;
    }
    fth_sink_text(to, "</");
    fth_sink_text(to, name);
    fth_sink_text(to, ">\n");
}
