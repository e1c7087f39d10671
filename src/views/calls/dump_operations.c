/* `dump --operations`: a line for each operation that does not block, or a JSON object. */
#include "base/json.h"
#include "views/calls/dump_calls.h"
#include "views/output/display_text.h"

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

const char *fth_views_operation_end(enum fth_operation_end how)
{
    static const char *const words[] = {
        [FTH_OPERATION_IN_FLIGHT] = "in flight",
        [FTH_OPERATION_COMPLETE] = "complete",
        [FTH_OPERATION_CANCELLED] = "cancelled",
        [FTH_OPERATION_FAILED] = "failed",
    };
    return words[how];
}

void fth_views_put_call_name(struct fth_sink *sink, size_t proc, const struct fth_call_name *name)
{
    fth_sink_unsigned(sink, proc);
    fth_sink_char(sink, '.');
    fth_sink_unsigned(sink, name->thread);
    fth_sink_char(sink, '.');
    fth_sink_unsigned(sink, name->number);
}

/* ---- lines ---- */

static void put_bytes(struct fth_sink *sink, const struct fth_operation *operation)
{
    if (operation->bytes_known)
        fth_sink_unsigned(sink, operation->bytes);
    else
        fth_sink_char(sink, '?');
    fth_sink_text(sink, " of ");
    fth_sink_unsigned(sink, operation->bytes_asked);
    fth_sink_text(sink, " bytes");
}

void fth_views_dump_operation(struct fth_dump *dump, const struct fth_operation *operation)
{
    struct fth_sink *sink = &dump->output->sink;
    fth_views_put_who(dump, operation->proc, operation->begin.thread);
    fth_views_put_when(dump, operation->start, operation->end);
    fth_sink_text(sink, operation->function->name);
    fth_sink_char(sink, ' ');
    fth_views_put_call_name(sink, operation->proc, &operation->begin);
    fth_sink_text(sink, ": ");
    fth_sink_text(sink, fth_views_operation_end(operation->how));
    if (operation->completed_by) {
        fth_sink_text(sink, " by ");
        fth_sink_text(sink, operation->completed_by->name);
        fth_sink_char(sink, ' ');
        fth_views_put_call_name(sink, operation->proc, &operation->completion);
    }
    if (operation->tests) {
        fth_sink_text(sink, ", not yet at ");
        fth_sink_unsigned(sink, operation->tests);
        fth_sink_text(sink, operation->tests == 1 ? " test" : " tests");
    }
    fth_sink_text(sink, ", ");
    put_bytes(sink, operation);
    if (operation->file) {
        fth_sink_text(sink, " of ");
        fth_views_put_text(sink, operation->file, 0, FTH_CUT_END, true);
    }
    fth_sink_char(sink, '\n');
}

/* ---- JSON ---- */

static void put_name_json(struct fth_sink *sink, size_t proc, const struct fth_call_name *name)
{
    if (name->number == FTH_NO_CALL) {
        PUT(sink, "null");
        return;
    }
    fth_sink_char(sink, '"');
    fth_views_put_call_name(sink, proc, name);
    fth_sink_char(sink, '"');
}

static void put_text(struct fth_sink *sink, const char *text)
{
    struct fth_json json;
    fth_json_open(&json, sink, 0);
    fth_json_text(&json, text);
}

static void put_truth(struct fth_sink *sink, bool truth)
{
    fth_sink_text(sink, truth ? "true" : "false");
}

static void put_time(struct fth_sink *sink, int64_t time)
{
    fth_sink_decimal(sink, time, 9);
}

static void put_who_json(struct fth_dump *dump, const struct fth_operation *operation)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_process *process = fth_trace_process(dump->trace, operation->proc);
    PUT(sink, "{\"proc\":");
    fth_sink_unsigned(sink, operation->proc);
    PUT(sink, ",\"rank\":");
    if (process->rank == FTH_NO_RANK)
        PUT(sink, "null");
    else
        fth_sink_integer(sink, process->rank);
    PUT(sink, ",\"operation\":");
    fth_sink_unsigned(sink, operation->number);
}

static void put_tests_json(struct fth_sink *sink, const struct fth_operation *operation)
{
    PUT(sink, ",\"tests\":");
    fth_sink_unsigned(sink, operation->tests);
    PUT(sink, ",\"first_test\":");
    put_name_json(sink, operation->proc, &operation->first_test);
    PUT(sink, ",\"last_test\":");
    put_name_json(sink, operation->proc, &operation->last_test);
}

void fth_views_dump_operation_json(struct fth_dump *dump, const struct fth_operation *operation)
{
    struct fth_sink *sink = &dump->output->sink;
    put_who_json(dump, operation);
    PUT(sink, ",\"begin\":");
    put_name_json(sink, operation->proc, &operation->begin);
    PUT(sink, ",\"layer\":");
    put_text(sink, operation->function->layer);
    PUT(sink, ",\"func\":");
    put_text(sink, operation->function->name);
    PUT(sink, ",\"file\":");
    put_text(sink, operation->file);
    PUT(sink, ",\"reads\":");
    put_truth(sink, operation->reads);
    PUT(sink, ",\"writes\":");
    put_truth(sink, operation->writes);
    PUT(sink, ",\"collective\":");
    put_truth(sink, operation->collective);
    PUT(sink, ",\"start\":");
    put_time(sink, operation->start);
    PUT(sink, ",\"issued\":");
    put_time(sink, operation->issued);
    put_tests_json(sink, operation);
    PUT(sink, ",\"how\":");
    put_text(sink, fth_views_operation_end(operation->how));
    PUT(sink, ",\"completion\":");
    put_name_json(sink, operation->proc, &operation->completion);
    PUT(sink, ",\"completed_by\":");
    put_text(sink, operation->completed_by ? operation->completed_by->name : NULL);
    PUT(sink, ",\"end\":");
    put_time(sink, operation->end);
    PUT(sink, ",\"asked\":");
    fth_sink_unsigned(sink, operation->bytes_asked);
    PUT(sink, ",\"bytes\":");
    if (operation->bytes_known)
        fth_sink_unsigned(sink, operation->bytes);
    else
        PUT(sink, "null");
    PUT(sink, "}\n");
}
