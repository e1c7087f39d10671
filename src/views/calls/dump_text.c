/* `dump` for people: a line per call, as strace prints it, indented by depth. */
#include "views/calls/dump_calls.h"

#include "base/visible.h"
#include "model/reading/moved_places.h"

#include "views/sentences/named_numbers.h"
#include "views/output/display_text.h"

#define MOST_ITEMS 16 /* of an array; the others are counted */
#define INDENT 2
#define DEEPEST_INDENT 40

/* A name where it has one (MPI_COMM_WORLD), else the number (#2, but descriptors as they are) and
 * the path that it is bound to. */
static void put_handle(struct fth_sink *sink, int64_t number, const char *text, bool is_descriptor)
{
    if (text && (number == FTH_HANDLE_NULL || (!is_descriptor && fth_views_is_symbol(text)))) {
        fth_visible_put(sink, text);
        return;
    }
    if (number < 0) {
        fth_sink_char(sink, '?');
        return;
    }
    fth_sink_text(sink, is_descriptor ? "" : "#");
    fth_sink_integer(sink, number);
    if (!text)
        return;
    fth_sink_char(sink, '<');
    fth_views_put_text(sink, text, 0, FTH_CUT_END, true);
    fth_sink_char(sink, '>');
}

static void put_item(struct fth_sink *sink, const struct fth_value *value, size_t i)
{
    const char *text = value->texts ? value->texts[i] : NULL;
    if (value->type == FTH_VALUE_TEXTS && text)
        fth_views_put_quoted(sink, text);
    else if (value->type == FTH_VALUE_TEXTS)
        fth_sink_text(sink, "NULL");
    else if (value->type == FTH_VALUE_HANDLES)
        put_handle(sink, value->integers[i], text, false);
    else if (text)
        fth_sink_text(sink, *text ? text : "-");
    else
        fth_sink_integer(sink, value->integers[i]);
}

static void put_array(struct fth_sink *sink, const struct fth_value *value)
{
    fth_sink_char(sink, '[');
    for (size_t i = 0; i < value->count && i < MOST_ITEMS; i++) {
        fth_sink_text(sink, i ? ", " : "");
        put_item(sink, value, i);
    }
    if (value->count > MOST_ITEMS) {
        fth_sink_text(sink, ", ... ");
        fth_sink_unsigned(sink, value->count);
        fth_sink_text(sink, value->count == FTH_MOST_INTEGERS ? " or more" : " in all");
    }
    fth_sink_char(sink, ']');
}

/* The name of a number, from 0 on; else the number. */
static void put_named(struct fth_sink *sink, const char *const *names, size_t count, int64_t number)
{
    if (number >= 0 && (uint64_t)number < count)
        fth_sink_text(sink, names[number]);
    else
        fth_sink_integer(sink, number);
}

/* Of fcntl: an integer, or a lock, as strace prints it. */
static void put_argument_of_command(struct fth_sink *sink, const struct fth_value *value)
{
    static const char *const types[] = {"F_RDLCK", "F_WRLCK", "F_UNLCK"};
    static const char *const whences[] = {"SEEK_SET", "SEEK_CUR", "SEEK_END"};
    enum { TYPE, WHENCE, START, LENGTH, LOCK };
    if (value->count != LOCK) {
        fth_sink_integer(sink, value->integers[0]);
        return;
    }
    fth_sink_text(sink, "{l_type=");
    put_named(sink, types, sizeof types / sizeof *types, value->integers[TYPE]);
    fth_sink_text(sink, ", l_whence=");
    put_named(sink, whences, sizeof whences / sizeof *whences, value->integers[WHENCE]);
    fth_sink_text(sink, ", l_start=");
    fth_sink_integer(sink, value->integers[START]);
    fth_sink_text(sink, ", l_len=");
    fth_sink_integer(sink, value->integers[LENGTH]);
    fth_sink_char(sink, '}');
}

static void put_integer(struct fth_dump *dump, size_t proc, const struct fth_parameter *parameter,
                        const struct fth_value *value)
{
    struct fth_sink *sink = &dump->output->sink;
    if (value->text) {
        fth_visible_put(sink, value->text);
    } else if (!strcmp(parameter->role, "data")) {
        fth_sink_char(sink, '(');
        fth_sink_integer(sink, value->integer);
        fth_sink_text(sink, value->integer == 1 ? " byte)" : " bytes)");
    } else if (!strcmp(parameter->role, "mode")) {
        fth_sink_text(sink, value->integer ? "0" : "");
        fth_sink_octal(sink, (uint64_t)value->integer);
    } else if (strncmp(parameter->role, "flags ", 6) ||
               !fth_views_put_flags(sink, dump->trace, proc, parameter->role + 6, value->integer)) {
        fth_sink_integer(sink, value->integer);
    }
}

static bool is_integer(const char *type)
{
    return !strcmp(type, "int");
}

static bool is_pointer(const struct fth_parameter *parameter)
{
    return strchr(parameter->type, '*') || strchr(parameter->type, '[');
}

/* [1000] => [6000]: before the call, and behind it. */
static void put_moved_place(struct fth_sink *sink, const struct fth_call *call, int64_t left)
{
    fth_sink_char(sink, '[');
    fth_sink_integer(sink, fth_place_before(call, left));
    fth_sink_text(sink, "] => [");
    fth_sink_integer(sink, left);
    fth_sink_char(sink, ']');
}

/* name=value, or the name alone for what is not kept; false: nothing (an argument that was not
 * given). */
static bool put_argument(struct fth_dump *dump, const struct fth_call *call,
                         const struct fth_parameter *parameter, const struct fth_value *value,
                         bool first)
{
    struct fth_sink *sink = &dump->output->sink;
    if (value->type == FTH_VALUE_NONE && !is_pointer(parameter))
        return false;
    fth_sink_text(sink, first ? "" : ", ");
    fth_sink_text(sink, parameter->name);
    bool is_text = !strncmp(parameter->role, "path", 4) || !strcmp(parameter->role, "string") ||
                   !strcmp(parameter->role, "data");
    if (value->type == FTH_VALUE_NONE && !is_text)
        return true;
    fth_sink_char(sink, '=');
    switch (value->type) {
    case FTH_VALUE_NONE:
        fth_sink_text(sink, "NULL");
        break;
    case FTH_VALUE_INTEGER:
        put_integer(dump, call->proc, parameter, value);
        break;
    case FTH_VALUE_TEXT:
        fth_views_put_quoted(sink, value->text);
        break;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        if (fth_is_moved_place(call, value))
            put_moved_place(sink, call, value->integers[0]);
        else if (value->count && !strcmp(parameter->role, "argument"))
            put_argument_of_command(sink, value);
        else
            put_array(sink, value);
        break;
    case FTH_VALUE_HANDLE:
        put_handle(sink, value->integer, value->text, is_integer(parameter->type));
        break;
    }
    return true;
}

static bool returns_pointer(const struct fth_function *function)
{
    return function->result_type && strchr(function->result_type, '*');
}

static void put_result(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_value *result = &call->result;
    bool is_end = call->reads && returns_pointer(call->function); /* of what fgets could read */
    if (result->type == FTH_VALUE_NONE && !call->error_number && !is_end)
        return;
    fth_sink_text(sink, " = ");
    if (call->error_number)
        fth_views_paint(dump->output, FTH_PAINT_BAD);
    switch (result->type) {
    case FTH_VALUE_NONE:
        fth_sink_text(sink, "NULL");
        break;
    case FTH_VALUE_INTEGER:
        if (returns_pointer(call->function) && !call->reads) /* that of fgets is a length */
            fth_sink_text(sink, "not NULL");
        else
            fth_sink_integer(sink, result->integer);
        break;
    case FTH_VALUE_TEXT:
        fth_views_put_quoted(sink, result->text);
        break;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        put_array(sink, result);
        break;
    case FTH_VALUE_HANDLE:
        put_handle(sink, result->integer, result->text, is_integer(call->function->result_type));
        break;
    }
    if (call->error_number) {
        fth_views_put_error(sink, call);
        fth_views_paint(dump->output, FTH_PAINT_PLAIN);
    }
}

/* "MPI_COMM_WORLD of 4"; "communicator 3 of 2 and 2", which has two sides. */
static void put_group(struct fth_sink *sink, const struct fth_handle *group)
{
    const char *name = group->group_name;
    bool has_number = group->group_id >= 0;
    if (name || !has_number)
        fth_visible_put(sink, name ? name : "a group");
    if (has_number) {
        fth_sink_text(sink, name ? " (communicator " : "communicator ");
        fth_sink_integer(sink, group->group_id);
        fth_sink_text(sink, name ? ")" : "");
    }
    if (group->group_size < 0)
        return;
    fth_sink_text(sink, " of ");
    fth_sink_integer(sink, group->group_size);
    if (group->group_others) {
        fth_sink_text(sink, " and ");
        fth_sink_integer(sink, group->group_others);
    }
}

/* "        handle 7 below 3, collective in MPI_COMM_WORLD of 4" */
static void put_handles(struct fth_sink *sink, const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle, *group = call->group;
    if (!handle && !group && !call->collective)
        return;
    fth_sink_text(sink, "        ");
    if (handle) {
        fth_sink_text(sink, "handle ");
        fth_sink_unsigned(sink, handle->number);
    }
    if (handle && handle->parent) {
        fth_sink_text(sink, " below ");
        fth_sink_unsigned(sink, handle->parent->number);
    }
    if (handle && (group || call->collective))
        fth_sink_text(sink, ", ");
    if (group || call->collective)
        fth_sink_text(sink, call->collective ? "collective" : "group");
    if (group) {
        fth_sink_text(sink, call->collective ? " in " : " ");
        put_group(sink, group);
    }
    fth_sink_char(sink, '\n');
}

/* "  inside MPI_File_iwrite of thread 0" */
static void put_starter(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    fth_views_paint(dump->output, FTH_PAINT_QUIET);
    fth_sink_text(sink, "  inside ");
    fth_sink_text(sink, call->starter->name);
    fth_sink_text(sink, " of thread ");
    fth_sink_unsigned(sink, call->parent_thread);
    fth_views_paint(dump->output, FTH_PAINT_PLAIN);
}

void fth_views_dump_call(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_function *function = call->function;
    fth_views_paint(dump->output, FTH_PAINT_QUIET);
    fth_views_put_who(dump, call->proc, call->thread);
    fth_views_put_when(dump, call->start, call->end);
    fth_views_paint(dump->output, FTH_PAINT_PLAIN);
    fth_sink_fill(sink, ' ',
                  INDENT * (size_t)(call->depth < DEEPEST_INDENT ? call->depth : DEEPEST_INDENT));
    fth_views_paint(dump->output, call->writes  ? FTH_PAINT_WARNING
                                  : call->reads ? FTH_PAINT_GOOD
                                                : FTH_PAINT_NAME);
    fth_sink_text(sink, function->name);
    fth_views_paint(dump->output, FTH_PAINT_PLAIN);
    fth_sink_char(sink, '(');
    bool first = true;
    for (size_t i = 0; i < function->parameter_count; i++)
        first &=
            !put_argument(dump, call, &function->parameters[i], &call->arguments[i], first);
    fth_sink_char(sink, ')');
    put_result(dump, call);
    if (dump->lines && call->source) {
        fth_views_paint(dump->output, FTH_PAINT_QUIET);
        fth_sink_text(sink, "  at ");
        fth_views_put_text(sink, call->source, 0, FTH_CUT_END, true);
        fth_views_paint(dump->output, FTH_PAINT_PLAIN);
    }
    if (call->starter)
        put_starter(dump, call);
    fth_sink_char(sink, '\n');
    if (dump->handles)
        put_handles(sink, call);
    if (dump->access)
        fth_views_dump_access(dump);
}
