/* `dump --json`: a call per line. Text that is the same for all calls is written as it is, not
 * through the JSON writer's keys: this is the inner loop of every program that reads a trace
 * through a pipe. */
#include "views/calls/dump_calls.h"

#include "base/json.h"
#include "views/sentences/named_numbers.h"

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

static void put_number_or_null(struct fth_sink *sink, int64_t value)
{
    if (value < 0)
        PUT(sink, "null");
    else
        fth_sink_integer(sink, value);
}

/* "P.T.N": process, thread and number name a call in its run. */
static void put_id(struct fth_sink *sink, const struct fth_call *call, uint32_t thread,
                   uint64_t number)
{
    if (number == FTH_NO_CALL) {
        PUT(sink, "null");
        return;
    }
    fth_sink_char(sink, '"');
    fth_sink_unsigned(sink, call->proc);
    fth_sink_char(sink, '.');
    fth_sink_unsigned(sink, thread);
    fth_sink_char(sink, '.');
    fth_sink_unsigned(sink, number);
    fth_sink_char(sink, '"');
}

static void put_who(struct fth_sink *sink, const struct fth_process *process,
                    const struct fth_call *call)
{
    PUT(sink, "{\"proc\":");
    fth_sink_unsigned(sink, call->proc);
    PUT(sink, ",\"world\":");
    put_number_or_null(sink, process->world);
    PUT(sink, ",\"rank\":");
    put_number_or_null(sink, process->rank);
    PUT(sink, ",\"pid\":");
    fth_sink_integer(sink, process->pid);
    PUT(sink, ",\"thread\":");
    fth_sink_unsigned(sink, call->thread);
    PUT(sink, ",\"tid\":");
    fth_sink_integer(sink, call->tid);
    PUT(sink, ",\"id\":");
    put_id(sink, call, call->thread, call->number);
    PUT(sink, ",\"parent\":");
    put_id(sink, call, call->parent_thread, call->parent);
}

static void put_text(struct fth_sink *sink, const char *text)
{
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    fth_json_text(&json, text);
}

/* A handle: its name where it has one that all runs share, else its number; null: not known. Paths
 * are no names: they stand under `file`. */
static void put_handle(struct fth_sink *sink, int64_t number, const char *text)
{
    if (text && (number == FTH_HANDLE_NULL || fth_views_is_symbol(text)))
        put_text(sink, text);
    else
        put_number_or_null(sink, number);
}

static void put_item(struct fth_sink *sink, const struct fth_value *value, size_t i)
{
    const char *text = value->texts ? value->texts[i] : NULL;
    if (value->type == FTH_VALUE_TEXTS)
        put_text(sink, text);
    else if (value->type == FTH_VALUE_HANDLES)
        put_handle(sink, value->integers[i], text);
    else if (text && !*text)
        PUT(sink, "null");
    else if (text)
        put_text(sink, text);
    else
        fth_sink_integer(sink, value->integers[i]);
}

static void put_array(struct fth_sink *sink, const struct fth_value *value)
{
    fth_sink_char(sink, '[');
    for (size_t i = 0; i < value->count; i++) {
        if (i)
            fth_sink_char(sink, ',');
        put_item(sink, value, i);
    }
    fth_sink_char(sink, ']');
}

/* `is_number`: the value is a number to all that read it, and its meaning is written apart. */
static void put_value(struct fth_sink *sink, const struct fth_value *value, bool is_number)
{
    switch (value->type) {
    case FTH_VALUE_NONE:
        PUT(sink, "null");
        return;
    case FTH_VALUE_INTEGER:
        if (value->text && !is_number)
            put_text(sink, value->text);
        else
            fth_sink_integer(sink, value->integer);
        return;
    case FTH_VALUE_HANDLE:
        put_handle(sink, value->integer, value->text);
        return;
    case FTH_VALUE_TEXT:
        put_text(sink, value->text);
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        put_array(sink, value);
        return;
    }
}

static void put_what(struct fth_sink *sink, const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    PUT(sink, ",\"layer\":");
    put_text(sink, function->layer);
    PUT(sink, ",\"func\":");
    put_text(sink, function->name);
    PUT(sink, ",\"kind\":");
    put_text(sink, function->kind);
    if (call->from_fortran)
        PUT(sink, ",\"language\":\"Fortran\"");
    else
        PUT(sink, ",\"language\":\"C\"");
    PUT(sink, ",\"depth\":");
    fth_sink_unsigned(sink, call->depth);
    PUT(sink, ",\"start\":");
    fth_sink_decimal(sink, call->start, 9);
    PUT(sink, ",\"end\":");
    fth_sink_decimal(sink, call->end, 9);
    PUT(sink, ",\"source\":");
    put_text(sink, call->source);
    PUT(sink, ",\"file\":");
    put_text(sink, call->file);
    PUT(sink, ",\"object\":");
    put_text(sink, call->object);
    PUT(sink, ",\"collective\":");
    fth_sink_text(sink, call->collective ? "true" : "false");
    PUT(sink, ",\"bytes\":");
    if (call->bytes_known)
        fth_sink_unsigned(sink, call->bytes);
    else
        PUT(sink, "null");
    PUT(sink, ",\"errno\":");
    if (call->error_number)
        fth_sink_integer(sink, call->error_number);
    else
        PUT(sink, "null");
    PUT(sink, ",\"error\":");
    put_text(sink, call->error_name);
}

static bool is_number(const struct fth_parameter *parameter)
{
    return !strcmp(parameter->role, "whence");
}

/* What flags and the like stand for: the numbers differ between systems and MPI libraries. */
static void put_names(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    bool first = true;
    PUT(sink, ",\"names\":{");
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const struct fth_parameter *parameter = &call->function->parameters[i];
        const struct fth_value *value = &call->arguments[i];
        bool is_flags = !strncmp(parameter->role, "flags ", 6);
        char text[512];
        struct fth_sink words;
        if (value->type != FTH_VALUE_INTEGER || !(is_flags || is_number(parameter)))
            continue;
        fth_sink_open(&words, text, sizeof text);
        if (!is_flags && value->text)
            fth_sink_text(&words, value->text);
        else if (!is_flags || !fth_views_put_flags(&words, dump->trace, call->proc,
                                                   parameter->role + 6, value->integer))
            continue;
        fth_sink_char(&words, 0);
        if (words.failed)
            continue;
        fth_sink_text(sink, first ? "" : ",");
        put_text(sink, parameter->name);
        fth_sink_char(sink, ':');
        put_text(sink, text);
        first = false;
    }
    fth_sink_char(sink, '}');
}

static void put_handle_number(struct fth_sink *sink, const struct fth_handle *handle)
{
    if (handle)
        fth_sink_unsigned(sink, handle->number);
    else
        PUT(sink, "null");
}

/* Numbers of the handles that the call opened, or closed. */
static void put_operations(struct fth_sink *sink, const struct fth_call *call,
                           enum fth_handle_use_kind operation)
{
    bool first = true;
    fth_sink_char(sink, '[');
    for (size_t i = 0; i < call->use_count; i++) {
        if (call->uses[i].kind != operation)
            continue;
        if (!first)
            fth_sink_char(sink, ',');
        fth_sink_unsigned(sink, call->uses[i].handle->number);
        first = false;
    }
    fth_sink_char(sink, ']');
}

static void put_lock(struct fth_dump *dump, const struct fth_call *call)
{
    static const char *const operations[] = {[FTH_LOCK_ACQUIRED] = "acquired",
                                             [FTH_LOCK_REFUSED] = "refused",
                                             [FTH_LOCK_RELEASED] = "released"};
    struct fth_sink *sink = &dump->output->sink;
    struct fth_lock_event lock;
    bool is_lock = fth_call_lock(dump->trace, call, &lock);
    PUT(sink, ",\"lock\":");
    put_text(sink, is_lock ? operations[lock.operation] : NULL);
    PUT(sink, ",\"lock_type\":");
    put_text(sink, !is_lock || lock.operation == FTH_LOCK_RELEASED ? NULL
                   : lock.shared                                   ? "shared"
                                                                   : "exclusive");
}

static void put_handles(struct fth_sink *sink, const struct fth_call *call)
{
    const struct fth_handle *handle = call->handle, *group = call->group;
    PUT(sink, ",\"handle\":");
    put_handle_number(sink, handle);
    PUT(sink, ",\"parent_handle\":");
    put_handle_number(sink, handle ? handle->parent : NULL);
    PUT(sink, ",\"opens\":");
    put_operations(sink, call, FTH_HANDLE_OPENED);
    PUT(sink, ",\"closes\":");
    put_operations(sink, call, FTH_HANDLE_CLOSED);
    PUT(sink, ",\"group\":");
    put_handle_number(sink, group);
    PUT(sink, ",\"group_name\":");
    put_text(sink, group ? group->group_name : NULL);
    PUT(sink, ",\"group_size\":");
    put_number_or_null(sink, group ? group->group_size : -1);
    PUT(sink, ",\"group_id\":");
    put_number_or_null(sink, group ? group->group_id : -1);
    PUT(sink, ",\"group_others\":");
    put_number_or_null(sink, group && group->group_id >= 0 ? group->group_others : -1);
}

void fth_views_put_arguments_json(struct fth_sink *sink, const struct fth_call *call)
{
    const struct fth_function *function = call->function;
    fth_sink_char(sink, '{');
    for (size_t i = 0; i < function->parameter_count; i++) {
        if (i)
            fth_sink_char(sink, ',');
        put_text(sink, function->parameters[i].name);
        fth_sink_char(sink, ':');
        put_value(sink, &call->arguments[i], is_number(&function->parameters[i]));
    }
    fth_sink_char(sink, '}');
}

void fth_views_dump_call_json(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    put_who(sink, fth_trace_process(dump->trace, call->proc), call);
    put_what(sink, call);
    PUT(sink, ",\"args\":");
    fth_views_put_arguments_json(sink, call);
    PUT(sink, ",\"ret\":");
    put_value(sink, &call->result, true);
    put_names(dump, call);
    if (dump->handles) {
        put_handles(sink, call);
        put_lock(dump, call);
    }
    if (dump->access)
        fth_views_dump_access_json(dump);
    PUT(sink, "}\n");
}
