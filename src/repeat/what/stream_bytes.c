/* From the writes of streams to what they were given: see the header. */
#include "repeat/what/stream_bytes.h"

#include "base/memory.h"
#include "catalog/consistency_meaning.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { NONE = -1 };

struct stream {
    bool is_open;
    int64_t descriptor;   /* NONE: not known */
    uint32_t file_number; /* 0: not known */
    uint64_t pending;     /* bytes that calls have given, and that are not in the system */
};

/* The last outermost call of a thread. */
struct fth_stream_call {
    bool is_there, is_stream; /* it is of a stream */
    bool is_open;             /* what it leaves of its streams is still to be noted */
    bool reads, closes, empties;
    uint64_t number;
    uint32_t file_number;
    int64_t slot, opened; /* NONE: no stream */
    int64_t descriptor;   /* of the one that it opened */
    uint64_t late;        /* bytes that it puts into the buffer when that is empty */
    uint64_t emptied;     /* of those pending before it, which it has not handed over */
    int64_t end;
};

static bool is_kind(const struct fth_call *call, const char *kind)
{
    return !strcmp(call->function->kind, kind);
}

/* A write of a stream to the system. */
static bool is_write_of_stream(const struct fth_stream_bytes *bytes, const struct fth_call *call)
{
    return call->writes && call->function->parameter_count &&
           fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM) &&
           fth_trace_row(bytes->trace, call->function)->flags & FTH_CALL_BY_HAND;
}

static struct stream *stream_at(struct fth_stream_bytes *bytes, int64_t slot)
{
    struct stream *stream = fth_keyed_get(&bytes->streams, &slot, sizeof slot);
    if (!stream->is_open)
        *stream = (struct stream){.is_open = true, .descriptor = NONE};
    return stream;
}

/* ---- outermost calls ---- */

static void end_call(struct fth_stream_bytes *bytes, struct fth_stream_call *last)
{
    if (!last->is_open)
        return;
    last->is_open = false;
    bytes->open_calls--;
    if (last->slot != NONE) {
        struct stream *stream = stream_at(bytes, last->slot);
        /* another thread may have given bytes to the stream since it was emptied */
        if (last->empties)
            stream->pending -= last->emptied < stream->pending ? last->emptied : stream->pending;
        else
            stream->pending += last->late;
        stream->is_open = !last->closes;
    }
    if (last->opened != NONE) {
        struct stream *stream = stream_at(bytes, last->opened);
        *stream = (struct stream){true, last->descriptor, last->file_number, 0};
    }
}

static void find_handles(struct fth_stream_call *last, const struct fth_call *call)
{
    last->slot = call->stream >= 0 ? call->stream : NONE;
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        const char *word = handle->handle_class ? handle->handle_class : "";
        if (!strcmp(word, "fd") && handle->value >= 0)
            last->descriptor = handle->value;
        if (strcmp(word, "stream") != 0 || handle->value < 0)
            continue;
        if (call->uses[i].kind == FTH_HANDLE_OPENED)
            last->opened = handle->value;
        else
            last->slot = handle->value;
        last->closes |= call->uses[i].kind == FTH_HANDLE_CLOSED;
    }
}

/* Streams are those of the process: what other threads did to them before this call is noted before
 * it is. Nobody uses a stream before the call that opens it has ended, or opens one in a place
 * before it is free, whatever their times are rounded to. */
static void end_others(struct fth_stream_bytes *bytes, const struct fth_stream_call *now,
                       int64_t start)
{
    for (uint32_t i = 0; bytes->open_calls && i < bytes->call_limit; i++) {
        struct fth_stream_call *last = &bytes->calls[i];
        if (last == now || !last->is_open)
            continue;
        bool opened_it = now->slot != NONE && last->opened == now->slot,
             freed_it = now->opened != NONE && last->closes && last->slot == now->opened;
        if (last->end < start || opened_it || freed_it)
            end_call(bytes, last);
    }
}

static void begin_call(struct fth_stream_bytes *bytes, struct fth_stream_call *last,
                       const struct fth_call *call)
{
    last->is_there = true;
    last->number = call->number;
    last->is_stream = fth_layer_is(call->function->layer, FTH_LAYER_STREAMS);
    if (!last->is_stream)
        return;
    find_handles(last, call);
    end_others(bytes, last, call->start);
    last->end = call->end;
    last->is_open = last->slot != NONE || last->opened != NONE;
    bytes->open_calls += last->is_open;
    last->file_number = call->file_number;
    last->reads = call->reads;
    /* one of kind "seek" may only ask: if it empties the buffer, its write is in the trace */
    last->empties = last->closes || is_kind(call, "sync");
    if (last->slot == NONE)
        return;
    struct stream *stream = stream_at(bytes, last->slot);
    if (!stream->file_number)
        stream->file_number = call->file_number;
    last->emptied = stream->pending;
    if (!call->writes || !call->bytes_known || call->error_number)
        return;
    const struct fth_layer *layer = fth_trace_layer(bytes->trace, call->function->layer);
    if (layer && fth_layer_refills(layer, call->function->name))
        last->late = call->bytes;
    else
        stream->pending += call->bytes;
}

/* ---- what streams hand to the system ---- */

static bool is_same_file(const struct stream *stream, const struct fth_call *step)
{
    return !stream->file_number || !step->file_number || stream->file_number == step->file_number;
}

/* The stream of the call that does it, if it can be that. */
static bool is_of_call(struct fth_stream_bytes *bytes, const struct fth_stream_call *last,
                       const struct fth_call *step, int64_t descriptor)
{
    if (last->slot == NONE)
        return false;
    const struct stream *stream = stream_at(bytes, last->slot);
    if (stream->descriptor != NONE)
        return stream->descriptor == descriptor;
    /* who reads may write what other streams have in their buffers */
    return is_same_file(stream, step) && (!last->reads || stream->file_number);
}

static int64_t find_stream(struct fth_stream_bytes *bytes, const struct fth_stream_call *last,
                           const struct fth_call *step, int64_t descriptor)
{
    int64_t slot, by_file = NONE;
    if (is_of_call(bytes, last, step, descriptor))
        return last->slot;
    for (uint32_t i = 0; i < fth_keyed_count(&bytes->streams); i++) {
        const struct stream *stream = fth_keyed_item(&bytes->streams, i);
        memcpy(&slot, fth_keyed_key(&bytes->streams, i), sizeof slot);
        if (!stream->is_open || (stream->descriptor != NONE && stream->descriptor != descriptor))
            continue;
        if (stream->descriptor == descriptor)
            return slot;
        if (step->file_number && stream->file_number == step->file_number)
            by_file = slot;
    }
    return by_file;
}

static void add(struct fth_stream_bytes *bytes, const struct fth_stream_call *last, uint32_t thread,
                int64_t slot, uint64_t count)
{
    struct fth_unseen_list *found = &bytes->found;
    for (size_t i = found->count; i-- > 0 && found->count - i < 8;) {
        struct fth_unseen_bytes *item = &found->items[i];
        if (item->thread == thread && item->number == last->number && item->stream == slot) {
            item->bytes += count;
            return;
        }
    }
    FTH_GROW(found->items, found->count);
    found->items[found->count++] = (struct fth_unseen_bytes){thread, last->number, slot, count};
}

/* A stream that is handed over line by line takes the end of a line first. */
static void take_late(struct stream *stream, struct fth_stream_call *last, uint64_t handed)
{
    if (handed > stream->pending + last->late)
        return;
    stream->pending += last->late;
    last->late = 0;
}

static void take_step(struct fth_stream_bytes *bytes, struct fth_stream_call *last,
                      const struct fth_call *step, bool is_outermost)
{
    const struct fth_value *value = &step->arguments[0];
    if (value->type != FTH_VALUE_HANDLE || !step->bytes_known || step->error_number)
        return;
    int64_t slot = find_stream(bytes, last, step, value->integer);
    if (slot == NONE)
        return;
    struct stream *stream = stream_at(bytes, slot);
    stream->descriptor = value->integer;
    if (slot == last->slot)
        take_late(stream, last, step->bytes);
    uint64_t seen = stream->pending < step->bytes ? stream->pending : step->bytes;
    stream->pending -= seen;
    if (slot == last->slot)
        last->emptied -= seen < last->emptied ? seen : last->emptied;
    if (step->bytes > seen || is_outermost)
        add(bytes, last, step->thread, slot, step->bytes - seen);
}

/* ---- all ---- */

void fth_stream_bytes_open(struct fth_stream_bytes *bytes, const struct fth_trace *trace)
{
    *bytes = (struct fth_stream_bytes){.trace = trace, .streams.size = sizeof(struct stream)};
}

void fth_stream_bytes_take(struct fth_stream_bytes *bytes, const struct fth_call *call,
                           const struct fth_repeat_way *way)
{
    bytes->calls = fth_reach(bytes->calls, &bytes->call_limit, call->thread, sizeof *bytes->calls);
    struct fth_stream_call *last = &bytes->calls[call->thread];
    bool is_step = is_write_of_stream(bytes, call);
    if (way) {
        if (last->is_there)
            end_call(bytes, last);
        *last = (struct fth_stream_call){.slot = NONE, .opened = NONE, .descriptor = NONE};
        begin_call(bytes, last, call);
    }
    if (is_step && last->is_there && (last->is_stream || way))
        take_step(bytes, last, call, way != NULL);
}

static int in_order(const void *one, const void *other)
{
    const struct fth_unseen_bytes *a = one, *b = other;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->stream > b->stream) - (a->stream < b->stream);
}

struct fth_unseen_list fth_stream_bytes_close(struct fth_stream_bytes *bytes)
{
    struct fth_unseen_list found = bytes->found;
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, in_order);
    fth_keyed_free(&bytes->streams);
    free(bytes->calls);
    *bytes = (struct fth_stream_bytes){0};
    return found;
}

static bool is_before(const struct fth_unseen_bytes *item, const struct fth_call *call)
{
    return item->thread != call->thread ? item->thread < call->thread : item->number < call->number;
}

const struct fth_unseen_bytes *fth_unseen_before(const struct fth_unseen_list *list,
                                                 const struct fth_call *call, size_t *count)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&list->items[middle], call))
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < list->count && list->items[high].thread == call->thread &&
                     list->items[high].number == call->number;)
        high++;
    *count = high - low;
    return high > low ? &list->items[low] : NULL;
}
