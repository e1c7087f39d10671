/* `dump`: what a call accesses, and which operations are over with it. */
#include "base/json.h"
#include "views/dump.h"
#include "views/words.h"

#define PUT(sink, literal) fth_sink_bytes(sink, literal, sizeof(literal) - 1)

/* ---- lines ---- */

static void put_operation(struct fth_sink *sink, const struct fth_operation *operation)
{
    fth_sink_text(sink, "        ends ");
    fth_sink_text(sink, operation->function->name);
    fth_sink_char(sink, ' ');
    fth_views_put_call_name(sink, operation->proc, &operation->begin);
    fth_sink_text(sink, ": ");
    fth_sink_text(sink, fth_views_operation_end(operation->how));
    fth_sink_text(sink, ", ");
    if (operation->bytes_known)
        fth_sink_unsigned(sink, operation->bytes);
    else
        fth_sink_char(sink, '?');
    fth_sink_text(sink, " of ");
    fth_sink_unsigned(sink, operation->bytes_asked);
    fth_sink_text(sink, " bytes\n");
}

static void put_ranges(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    struct fth_range range;
    if (dump->access->kind == FTH_ACCESS_UNKNOWN) {
        fth_sink_text(sink, "        bytes: not known: ");
        fth_sink_text(sink, dump->access->why);
        fth_sink_char(sink, '\n');
    }
    while (!fth_views_stopped(dump->output) && fth_accesses_range(dump->accesses, &range)) {
        fth_sink_text(sink, "        bytes ");
        fth_sink_unsigned(sink, range.offset);
        fth_sink_text(sink, " to ");
        fth_sink_unsigned(sink, range.offset + range.length - 1);
        fth_sink_char(sink, '\n');
    }
}

void fth_views_dump_access(struct fth_dump *dump)
{
    for (size_t i = 0; i < dump->access->operation_count; i++)
        put_operation(&dump->output->sink, &dump->access->operations[i]);
    if (!dump->ranges)
        return;
    put_ranges(dump);
    fth_views_dump_selected(dump);
}

/* ---- JSON ---- */

static void put_operation_json(struct fth_sink *sink, const struct fth_operation *operation)
{
    PUT(sink, "{\"begin\":\"");
    fth_views_put_call_name(sink, operation->proc, &operation->begin);
    PUT(sink, "\",\"how\":\"");
    fth_sink_text(sink, fth_views_operation_end(operation->how));
    PUT(sink, "\",\"bytes\":");
    if (operation->bytes_known)
        fth_sink_unsigned(sink, operation->bytes);
    else
        PUT(sink, "null");
    PUT(sink, ",\"asked\":");
    fth_sink_unsigned(sink, operation->bytes_asked);
    PUT(sink, ",\"tests\":");
    fth_sink_unsigned(sink, operation->tests);
    fth_sink_char(sink, '}');
}

static void put_ranges_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    struct fth_range range;
    bool first = true;
    PUT(sink, ",\"ranges\":");
    if (dump->access->kind != FTH_ACCESS_BYTES) {
        PUT(sink, "null");
        return;
    }
    fth_sink_char(sink, '[');
    while (!fth_views_stopped(dump->output) && fth_accesses_range(dump->accesses, &range)) {
        fth_sink_text(sink, first ? "[" : ",[");
        fth_sink_unsigned(sink, range.offset);
        fth_sink_char(sink, ',');
        fth_sink_unsigned(sink, range.length);
        fth_sink_char(sink, ']');
        first = false;
    }
    fth_sink_char(sink, ']');
}

void fth_views_dump_access_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_access *access = dump->access;
    struct fth_json json;
    if (access->operation_count) {
        PUT(sink, ",\"ends\":[");
        for (size_t i = 0; i < access->operation_count; i++) {
            if (i)
                fth_sink_char(sink, ',');
            put_operation_json(sink, &access->operations[i]);
        }
        fth_sink_char(sink, ']');
    }
    if (!dump->ranges)
        return;
    put_ranges_json(dump);
    PUT(sink, ",\"ranges_unknown\":");
    fth_json_open(&json, sink, 0);
    fth_json_text(&json, access->kind == FTH_ACCESS_UNKNOWN ? access->why : NULL);
    fth_views_dump_selected_json(dump);
}
