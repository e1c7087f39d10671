/* From calls of streams to the descriptors below: see the header. */
#include "repeat/what/standard_streams.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { LAST_STANDARD = 2 /* stderr */ };

static void note(struct fth_standard_streams *streams, int64_t slot, int64_t descriptor)
{
    if (slot < 0 || descriptor < 0 || descriptor > LAST_STANDARD)
        return;
    int64_t *known = fth_keyed_get(&streams->descriptors, &slot, sizeof slot);
    if (!*known)
        *known = descriptor + 1;
}

/* The slot of the stream that the call is about, and that no call has opened, but one that leads it
 * elsewhere; -1: none. */
static int64_t stream_of(const struct fth_standard_streams *streams, const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++) {
        const struct fth_handle *handle = call->uses[i].handle;
        if (handle->handle_class && !strcmp(handle->handle_class, "stream") &&
            (handle->origin == FTH_HANDLE_THERE ||
             fth_keyed_has(&streams->reopened, &handle->value, sizeof handle->value)))
            return handle->value;
    }
    return call->stream;
}

/* A stream that leads elsewhere now stands on the same descriptor. */
static void note_reopened(struct fth_standard_streams *streams, const struct fth_call *call,
                          int64_t slot)
{
    if (!strcmp(call->function->kind, "open") && !call->error_number && slot >= 0 &&
        call->result.type == FTH_VALUE_HANDLE && call->result.integer == slot)
        *(bool *)fth_keyed_get(&streams->reopened, &slot, sizeof slot) = true;
}

static void take_stream_call(struct fth_standard_streams *streams, const struct fth_call *call)
{
    const struct fth_row *row = fth_trace_row(streams->trace, call->function);
    int64_t slot = stream_of(streams, call);
    note_reopened(streams, call, slot);
    streams->slots[call->thread] = slot + 1;
    streams->reads[call->thread] = call->reads;
    if (row->flags & FTH_CALL_ON_STDIN)
        note(streams, slot, 0);
    if (row->flags & FTH_CALL_ON_STDOUT)
        note(streams, slot, 1);
    bool asks = !strcmp(row->kind, "control") && row->field_count == 1 &&
                call->result.type == FTH_VALUE_HANDLE && !call->error_number;
    if (asks)
        note(streams, slot, call->result.integer);
}

/* What a stream does with its descriptor. A stream that reads may write what others have. */
static void take_step(struct fth_standard_streams *streams, const struct fth_call *call)
{
    const struct fth_row *row = fth_trace_row(streams->trace, call->function);
    bool is_step = row->flags & FTH_CALL_BY_HAND && call->depth > 0 && row->field_count &&
                   call->arguments[0].type == FTH_VALUE_HANDLE &&
                   (call->reads ? streams->reads[call->thread]
                                : call->writes && !streams->reads[call->thread]);
    if (is_step)
        note(streams, streams->slots[call->thread] - 1, call->arguments[0].integer);
}

void fth_standard_streams_open(struct fth_standard_streams *streams, const struct fth_trace *trace)
{
    *streams = (struct fth_standard_streams){
        .trace = trace, .descriptors.size = sizeof(int64_t), .reopened.size = sizeof(bool)};
}

void fth_standard_streams_take(struct fth_standard_streams *streams, const struct fth_call *call)
{
    streams->slots =
        fth_reach(streams->slots, &streams->slot_limit, call->thread, sizeof *streams->slots);
    streams->reads =
        fth_reach(streams->reads, &streams->read_limit, call->thread, sizeof *streams->reads);
    if (fth_layer_is(call->function->layer, FTH_LAYER_STREAMS))
        take_stream_call(streams, call);
    else if (fth_layer_is(call->function->layer, FTH_LAYER_SYSTEM))
        take_step(streams, call);
}

struct fth_keyed fth_standard_streams_close(struct fth_standard_streams *streams)
{
    struct fth_keyed found = streams->descriptors;
    free(streams->slots);
    free(streams->reads);
    fth_keyed_free(&streams->reopened);
    *streams = (struct fth_standard_streams){0};
    return found;
}
