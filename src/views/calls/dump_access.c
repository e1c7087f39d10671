/* `dump`: what a call accesses, and which operations are over with it. */
#include "base/json.h"
#include "views/calls/dump_calls.h"
#include "views/output/display_text.h"

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

static void put_range(struct fth_sink *sink, const struct fth_range *range)
{
    fth_sink_text(sink, "        bytes ");
    fth_sink_unsigned(sink, range->offset);
    fth_sink_text(sink, " to ");
    fth_sink_unsigned(sink, range->offset + range->length - 1);
}

/* `count` ranges at equal distances: a line for all of them, unless there are only two. */
static void put_alike(struct fth_sink *sink, const struct fth_range *first,
                      const struct fth_range *last, uint64_t count)
{
    if (!count)
        return;
    put_range(sink, first);
    if (count > 2) {
        fth_sink_text(sink, ", and ");
        fth_sink_unsigned(sink, count - 1);
        fth_sink_text(sink, " times more, every ");
        fth_sink_unsigned(sink, (last->offset - first->offset) / (count - 1));
    }
    fth_sink_char(sink, '\n');
    if (count == 2) {
        put_range(sink, last);
        fth_sink_char(sink, '\n');
    }
}

/* Of the second descriptor, and where a seek went. */
static void put_second(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_access *access = dump->access;
    if (access->second.file && access->second.range.length) {
        if (access->second.known)
            put_range(sink, &access->second.range);
        else
            fth_sink_text(sink, "        bytes: not known which,");
        fth_sink_text(sink, access->call.writes ? " read from " : " written to ");
        fth_views_put_text(sink, access->second.file, 0, FTH_CUT_END, true);
        fth_sink_char(sink, '\n');
    }
    if (access->position >= 0) {
        fth_sink_text(sink, "        now at ");
        fth_sink_integer(sink, access->position);
        fth_sink_char(sink, '\n');
    }
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
    struct fth_range first = {0}, last = {0};
    uint64_t count = 0; /* that are alike: of one length, at one distance from each other */
    while (!fth_views_stopped(dump->output) && fth_accesses_range(dump->accesses, &range)) {
        bool alike = count && range.length == first.length && range.offset > last.offset &&
                     (count == 1 ||
                      range.offset - last.offset == (last.offset - first.offset) / (count - 1));
        if (!alike) {
            put_alike(sink, &first, &last, count);
            first = range;
            count = 0;
        }
        last = range;
        count++;
    }
    put_alike(sink, &first, &last, count);
    put_second(dump);
}

void fth_views_dump_access(struct fth_dump *dump)
{
    for (size_t i = 0; i < dump->access->operation_count; i++)
        put_operation(&dump->output->sink, &dump->access->operations[i]);
    if (!dump->ranges)
        return;
    put_ranges(dump);
    fth_views_dump_blocks(dump);
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

static void put_second_json(struct fth_dump *dump)
{
    struct fth_sink *sink = &dump->output->sink;
    const struct fth_access *access = dump->access;
    struct fth_json json;
    if (access->second.file) {
        PUT(sink, ",\"second_file\":");
        fth_json_open(&json, sink, 0);
        fth_json_text(&json, access->second.file);
        PUT(sink, ",\"second_range\":");
        if (access->second.known) {
            fth_sink_char(sink, '[');
            fth_sink_unsigned(sink, access->second.range.offset);
            fth_sink_char(sink, ',');
            fth_sink_unsigned(sink, access->second.range.length);
            fth_sink_char(sink, ']');
        } else {
            PUT(sink, "null");
        }
    }
    if (access->position >= 0) {
        PUT(sink, ",\"position\":");
        fth_sink_integer(sink, access->position);
    }
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
    put_second_json(dump);
    fth_views_dump_blocks_json(dump);
    fth_views_dump_selected_json(dump);
    fth_views_dump_datatypes_json(dump);
}
