/* `dump --json`: a call per line. Text that is the same for all calls is written as it is, not
 * through the JSON writer's keys: this is the inner loop of every program that reads a trace
 * through a pipe. */
#include "views/dump.h"

#include "base/json.h"

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

static void put_number_or_null(struct fth_sink *sink, int64_t value)
{
    if (value < 0)
        PUT(sink, "null");
    else
        fth_sink_integer(sink, value);
}

/* "P.T.N": process, thread and number name a call in its run. */
static void put_id(struct fth_sink *sink, const struct fth_call *call, uint64_t number)
{
    if (number == FTH_NO_CALL) {
        PUT(sink, "null");
        return;
    }
    fth_sink_char(sink, '"');
    fth_sink_unsigned(sink, call->proc);
    fth_sink_char(sink, '.');
    fth_sink_unsigned(sink, call->thread);
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
    put_id(sink, call, call->number);
    PUT(sink, ",\"parent\":");
    put_id(sink, call, call->parent);
}

static void put_text(struct fth_sink *sink, const char *text)
{
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    fth_json_text(&json, text);
}

static void put_value(struct fth_sink *sink, const struct fth_value *value)
{
    struct fth_json json;
    switch (value->type) {
    case FTH_VALUE_NONE:
        PUT(sink, "null");
        return;
    case FTH_VALUE_INTEGER:
    case FTH_VALUE_HANDLE:
        fth_sink_integer(sink, value->integer);
        return;
    case FTH_VALUE_TEXT:
        put_text(sink, value->text);
        return;
    case FTH_VALUE_INTEGERS:
    case FTH_VALUE_TEXTS:
        break;
    }
    fth_json_open(&json, sink, 0);
    fth_json_begin_array(&json);
    for (size_t i = 0; i < value->count; i++)
        if (value->type == FTH_VALUE_INTEGERS)
            fth_json_integer(&json, value->integers[i]);
        else
            fth_json_text(&json, value->texts[i]);
    fth_json_end_array(&json);
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
    PUT(sink, ",\"depth\":");
    fth_sink_unsigned(sink, call->depth);
    PUT(sink, ",\"start\":");
    fth_sink_decimal(sink, call->start, 9);
    PUT(sink, ",\"end\":");
    fth_sink_decimal(sink, call->end, 9);
    PUT(sink, ",\"file\":");
    put_text(sink, call->file);
    PUT(sink, ",\"bytes\":");
    if (call->reads || call->writes)
        fth_sink_unsigned(sink, call->bytes);
    else
        PUT(sink, "null");
    PUT(sink, ",\"errno\":");
    if (call->error_number)
        fth_sink_integer(sink, call->error_number);
    else
        PUT(sink, "null");
}

void fth_views_dump_call_json(struct fth_dump *dump, const struct fth_call *call)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_function *function = call->function;
    put_who(sink, fth_trace_process(dump->trace, call->proc), call);
    put_what(sink, call);
    PUT(sink, ",\"args\":{");
    for (size_t i = 0; i < function->parameter_count; i++) {
        if (i)
            fth_sink_char(sink, ',');
        put_text(sink, function->parameters[i].name);
        fth_sink_char(sink, ':');
        put_value(sink, &call->arguments[i]);
    }
    PUT(sink, "},\"ret\":");
    put_value(sink, &call->result);
    PUT(sink, "}\n");
}
