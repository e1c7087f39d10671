/* The Trace Event Format, which Chrome's viewer and many others read: JSON, with an event for each
 * call, and arrows for messages. Calls of all layers of a thread are on one row, nested. */
#include "export/shared/exporter.h"

#include "base/json.h"
#include "base/memory.h"
#include "export/shared/message_flows.h"
#include "views/calls/dump_calls.h"

#include <inttypes.h>
#include <stdlib.h>

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

static void put_text(struct fth_sink *sink, const char *text)
{
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    fth_json_text(&json, text);
}

/* Times are microseconds. */
static void put_time(struct fth_sink *sink, int64_t time)
{
    fth_sink_decimal(sink, time, 3);
}

/* Begins an event. The number of a process is that of Fathom: pids may be the same on several
 * nodes. */
static void put_place(struct fth_sink *sink, const char *phase, size_t proc, uint32_t thread)
{
    PUT(sink, ",\n{\"ph\":");
    put_text(sink, phase);
    PUT(sink, ",\"pid\":");
    fth_sink_unsigned(sink, proc);
    PUT(sink, ",\"tid\":");
    fth_sink_unsigned(sink, thread);
}

static int begin(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    struct fth_message_flows *messages = exported->shared = fth_new(1, sizeof *messages);
    struct fth_sink *sink = &output->sink;
    PUT(sink, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start_realtime\":");
    fth_sink_integer(sink, fth_trace_info(exported->trace)->start_realtime);
    PUT(sink, "},\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"fathom\",\"pid\":0,\"args\":{}}");
    return fth_message_flows_begin(messages, exported->trace, exported->threads, error);
}

static void begin_process(struct fth_export_part *part, size_t proc)
{
    struct fth_sink *sink = &part->output->sink;
    const struct fth_process *process = fth_exported_process(part->of, proc);
    const char *slash = process->executable ? strrchr(process->executable, '/') : NULL;
    const char *program = slash ? slash + 1 : process->executable ? process->executable : "?";
    char *name = process->rank >= 0
                     ? fth_text_format("rank %" PRId64 ": %s", process->rank, program)
                     : fth_text_format("%s (pid %" PRId64 ")", program, process->pid);
    put_place(sink, "M", proc, 0);
    PUT(sink, ",\"name\":\"process_name\",\"args\":{\"name\":");
    put_text(sink, name);
    PUT(sink, "}}");
    free(name);
}

static void put_arrows(struct fth_export_part *part, const struct fth_call *call)
{
    struct fth_sink *sink = &part->output->sink;
    const struct fth_message_flows *messages = part->of->shared;
    size_t count;
    if (!messages->count)
        return;
    const struct fth_flow_end *ends = fth_message_flows_of(messages, call, &count);
    for (size_t i = 0; i < count; i++) {
        put_place(sink, ends[i].receives ? "f" : "s", call->proc, call->thread);
        PUT(sink, ",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"mpi\",\"ts\":");
        put_time(sink, call->start);
        PUT(sink, ",\"id\":\"");
        fth_sink_unsigned(sink, ends[i].flow);
        PUT(sink, "\"}");
    }
}

static void put_call(struct fth_export_part *part, const struct fth_call *call)
{
    struct fth_sink *sink = &part->output->sink;
    const struct fth_call_name name = {call->thread, call->number};
    put_place(sink, "X", call->proc, call->thread);
    PUT(sink, ",\"name\":");
    put_text(sink, call->function->name);
    PUT(sink, ",\"cat\":");
    put_text(sink, call->function->layer);
    PUT(sink, ",\"ts\":");
    put_time(sink, call->start);
    PUT(sink, ",\"dur\":");
    put_time(sink, call->end - call->start);
    PUT(sink, ",\"args\":{\"call\":\"");
    fth_views_put_call_name(sink, call->proc, &name);
    PUT(sink, "\",\"file\":");
    put_text(sink, call->file);
    if (call->bytes_known) {
        PUT(sink, ",\"bytes\":");
        fth_sink_unsigned(sink, call->bytes);
    }
    if (call->error_name) {
        PUT(sink, ",\"error\":");
        put_text(sink, call->error_name);
    }
    PUT(sink, ",\"arg\":");
    fth_views_put_arguments_json(sink, call);
    PUT(sink, "}}");
    put_arrows(part, call);
}

static int end(struct fth_exported *exported, struct fth_output *output, struct fth_error **error)
{
    if (!*error)
        PUT(&output->sink, "\n]}\n");
    fth_message_flows_end(exported->shared);
    free(exported->shared);
    return *error ? -1 : 0;
}

const struct fth_exporter fth_exporter_trace_events = {
    .name = "trace-events",
    .extension = ".json",
    .help = "chrome://tracing and other readers of the Trace Event Format",
    .begin = begin,
    .begin_process = begin_process,
    .call = put_call,
    .end = end,
};
