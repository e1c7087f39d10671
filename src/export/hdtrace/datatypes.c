/* Datatypes: see the header. Tools of HDTrace know named, contiguous, vector and structure; types
 * of other constructors are left out. */
#include "export/hdtrace/datatypes.h"

#include "export/hdtrace/state_text.h"
#include "export/hdtrace/xml.h"

#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 16 };

void fth_hdtrace_datatypes_begin(struct fth_hdtrace_datatypes *datatypes, char *path,
                                 const struct fth_pseudonyms *names)
{
    *datatypes = (struct fth_hdtrace_datatypes){
        .path = path, .names = names, .known = {.size = sizeof(uint64_t)}};
    fth_sink_open_memory(&datatypes->text);
}

static void flush(struct fth_hdtrace_datatypes *datatypes, struct fth_error **error)
{
    size_t length = datatypes->text.used;
    FILE *file = length ? fopen(datatypes->path, "ae") : NULL;
    bool good = !length || file;
    if (file) {
        good = fwrite(datatypes->text.bytes, 1, length, file) == length;
        good = fclose(file) == 0 && good;
    }
    if (!good && !*error)
        fth_fail_errno(error, "cannot write '%s'", datatypes->path);
    datatypes->text.used = 0;
}

static const struct fth_value *argument(const struct fth_call *call, const char *name, int *place)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].name, name)) {
            *place = (int)i;
            return &call->arguments[i];
        }
    return NULL;
}

static void put_integer(struct fth_sink *to, const struct fth_call *call, const char *name)
{
    int place;
    const struct fth_value *value = argument(call, name, &place);
    if (value && value->type == FTH_VALUE_INTEGER)
        fth_xml_integer(to, name, value->integer);
}

static void put_old_type(struct fth_sink *to, const struct fth_call *call)
{
    int place;
    const struct fth_handle *old =
        argument(call, "oldtype", &place) ? fth_hdtrace_used(call, place) : NULL;
    if (old && fth_hdtrace_id(old) >= 0)
        fth_xml_integer(to, "oldType", fth_hdtrace_id(old));
}

/* The one of several types in a parameter. */
static int64_t type_in_list(const struct fth_call *call, int place, size_t i)
{
    for (size_t k = 0; k < call->use_count; k++)
        if (call->uses[k].parameter == place &&
            call->uses[k].handle->value == call->arguments[place].integers[i])
            return fth_hdtrace_id(call->uses[k].handle);
    return -1;
}

static void put_parts(struct fth_sink *to, const struct fth_call *call)
{
    int place, at;
    const struct fth_value *lengths = argument(call, "array_of_blocklengths", &place),
                           *displacements = argument(call, "array_of_displacements", &place),
                           *types = argument(call, "array_of_types", &at);
    for (size_t i = 0; lengths && displacements && types && i < types->count &&
                       i < lengths->count && i < displacements->count;
         i++) {
        fth_sink_text(to, "<Type");
        fth_xml_integer(to, "blocklength", lengths->integers[i]);
        fth_xml_integer(to, "displacement", displacements->integers[i]);
        fth_xml_integer(to, "oldType", type_in_list(call, at, i));
        fth_sink_text(to, "/>");
    }
}

static void put_made(struct fth_sink *to, const struct fth_call *call, int64_t id)
{
    const char *builds = call->function->builds;
    bool is_structure = !strcmp(builds, "struct"), is_vector = !strcmp(builds, "vector");
    if (!is_structure && !is_vector && strcmp(builds, "contiguous") != 0)
        return;
    fth_sink_text(to, is_structure ? "<STRUCT" : is_vector ? "<VECTOR" : "<CONTIGUOUS");
    fth_xml_integer(to, "id", id);
    if (is_structure) {
        fth_sink_char(to, '>');
        put_parts(to, call);
        fth_sink_text(to, "</STRUCT>\n");
        return;
    }
    put_integer(to, call, "count");
    put_integer(to, call, "blocklength");
    put_integer(to, call, "stride");
    put_old_type(to, call);
    fth_sink_text(to, "/>\n");
}

static void put_named(struct fth_sink *to, const struct fth_handle *handle,
                      const struct fth_pseudonyms *names)
{
    char *name = fth_pseudonym_of_object(names, handle->name);
    fth_sink_text(to, "<NAMED");
    fth_xml_integer(to, "id", fth_hdtrace_id(handle));
    fth_xml_text(to, "name", name);
    fth_sink_text(to, "/>\n");
    free(name);
}

void fth_hdtrace_datatypes_of(struct fth_hdtrace_datatypes *datatypes, const struct fth_call *call,
                              struct fth_error **error)
{
    if (datatypes->text.used >= PIECE)
        flush(datatypes, error);
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        if (strcmp(handle->handle_class, "datatype") != 0 || fth_hdtrace_id(handle) < 0 ||
            !fth_hdtrace_is_new(&datatypes->known, handle))
            continue;
        if (call->uses[i].kind == FTH_HANDLE_OPENED && call->function->builds)
            put_made(&datatypes->text, call, fth_hdtrace_id(handle));
        else if (handle->origin == FTH_HANDLE_THERE && handle->name)
            put_named(&datatypes->text, handle, datatypes->names);
    }
}

void fth_hdtrace_datatypes_end(struct fth_hdtrace_datatypes *datatypes, struct fth_error **error)
{
    flush(datatypes, error);
    fth_sink_close_memory(&datatypes->text);
    fth_keyed_free(&datatypes->known);
    free(datatypes->path);
}
