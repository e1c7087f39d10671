/* Times never go back: those of calls may, where the trace has means of them. */
#ifdef FATHOM_OTF2
#include "export/otf2/location.h"

#include "base/memory.h"

static OTF2_TimeStamp pass(struct fth_otf2_location *location, int64_t time)
{
    if (time > location->time)
        location->time = time;
    return (OTF2_TimeStamp)location->time;
}

static void put_operation(OTF2_EvtWriter *writer, OTF2_TimeStamp time,
                          const struct fth_otf2_event *event)
{
    switch (event->kind) {
    case FTH_OTF2_BEGIN:
        OTF2_EvtWriter_IoOperationBegin(writer, NULL, time, event->handle,
                                        (OTF2_IoOperationMode)event->mode, event->flags,
                                        event->bytes, event->id);
        break;
    case FTH_OTF2_ISSUED:
        OTF2_EvtWriter_IoOperationIssued(writer, NULL, time, event->handle, event->id);
        break;
    case FTH_OTF2_TEST:
        OTF2_EvtWriter_IoOperationTest(writer, NULL, time, event->handle, event->id);
        break;
    case FTH_OTF2_COMPLETE:
        OTF2_EvtWriter_IoOperationComplete(writer, NULL, time, event->handle, event->bytes,
                                           event->id);
        break;
    case FTH_OTF2_CANCELLED:
        OTF2_EvtWriter_IoOperationCancelled(writer, NULL, time, event->handle, event->id);
        break;
    default:
        break;
    }
}

static void put_handle(OTF2_EvtWriter *writer, OTF2_TimeStamp time,
                       const struct fth_otf2_event *event)
{
    switch (event->kind) {
    case FTH_OTF2_CREATE:
        OTF2_EvtWriter_IoCreateHandle(writer, NULL, time, event->handle,
                                      (OTF2_IoAccessMode)event->mode, event->flags, event->status);
        break;
    case FTH_OTF2_DUPLICATE:
        OTF2_EvtWriter_IoDuplicateHandle(writer, NULL, time, event->handle, event->other,
                                         event->status);
        break;
    case FTH_OTF2_DESTROY:
        OTF2_EvtWriter_IoDestroyHandle(writer, NULL, time, event->handle);
        break;
    case FTH_OTF2_STATUS:
        OTF2_EvtWriter_IoChangeStatusFlags(writer, NULL, time, event->handle, event->status);
        break;
    case FTH_OTF2_SEEK:
        OTF2_EvtWriter_IoSeek(writer, NULL, time, event->handle, (int64_t)event->bytes,
                              (OTF2_IoSeekOption)event->mode, event->id);
        break;
    case FTH_OTF2_DELETE:
        OTF2_EvtWriter_IoDeleteFile(writer, NULL, time, (OTF2_IoParadigmRef)event->mode,
                                    event->handle);
        break;
    case FTH_OTF2_ACQUIRE:
        OTF2_EvtWriter_IoAcquireLock(writer, NULL, time, event->handle, (OTF2_LockType)event->mode);
        break;
    case FTH_OTF2_TRY:
        OTF2_EvtWriter_IoTryLock(writer, NULL, time, event->handle, (OTF2_LockType)event->mode);
        break;
    case FTH_OTF2_RELEASE:
        OTF2_EvtWriter_IoReleaseLock(writer, NULL, time, event->handle, (OTF2_LockType)event->mode);
        break;
    default:
        put_operation(writer, time, event);
        break;
    }
}

void fth_otf2_put(struct fth_otf2_location *location, int64_t at,
                  const struct fth_otf2_event *event)
{
    OTF2_EvtWriter *writer = location->writer;
    OTF2_TimeStamp time = pass(location, at);
    switch (event->kind) {
    case FTH_OTF2_SEND:
        OTF2_EvtWriter_MpiSend(writer, NULL, time, event->mode, event->handle, event->other,
                               event->bytes);
        break;
    case FTH_OTF2_RECEIVE:
        OTF2_EvtWriter_MpiRecv(writer, NULL, time, event->mode, event->handle, event->other,
                               event->bytes);
        break;
    case FTH_OTF2_COLLECTIVE_BEGIN:
        OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
        break;
    case FTH_OTF2_COLLECTIVE_END:
        OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time, (OTF2_CollectiveOp)event->mode,
                                        event->handle, event->other, event->bytes, event->id);
        break;
    default:
        put_handle(writer, time, event);
        break;
    }
}

void fth_otf2_put_at_end(struct fth_otf2_location *location, const struct fth_otf2_event *event)
{
    location->later = fth_reach(location->later, &location->later_limit, location->later_count,
                                sizeof *location->later);
    location->later[location->later_count++] = *event;
}

/* Messages that were received up to a time. At that time the calls may be to come that begin to
 * receive them: several calls have the same time where its unit is long. */
static void put_received(struct fth_otf2_location *location, int64_t time)
{
    while (location->receive_count && location->receives->end <= time) {
        const struct fth_otf2_receive *receive = location->receives;
        bool is_known = receive->event.handle != OTF2_UNDEFINED_COMM;
        if (!is_known && receive->end == time)
            return;
        location->receives++;
        location->receive_count--;
        if (is_known)
            fth_otf2_put(location, receive->end, &receive->event);
    }
}

static void leave(struct fth_otf2_location *location)
{
    const struct fth_otf2_frame *frame = &location->frames[--location->frame_count];
    put_received(location, frame->end);
    for (uint32_t i = frame->later; i < location->later_count; i++)
        fth_otf2_put(location, frame->end, &location->later[i]);
    location->later_count = frame->later;
    OTF2_EvtWriter_Leave(location->writer, NULL, pass(location, frame->end), frame->region);
}

void fth_otf2_leave_before(struct fth_otf2_location *location, const struct fth_call *call)
{
    while (location->frame_count) {
        const struct fth_otf2_frame *top = &location->frames[location->frame_count - 1];
        bool is_parent = call && call->parent == top->number && call->parent_thread == call->thread;
        if (is_parent || (call && top->depth < call->depth && top->end > call->start))
            break;
        leave(location);
    }
    put_received(location, call ? call->start : INT64_MAX);
}

void fth_otf2_enter(struct fth_otf2_location *location, const struct fth_call *call,
                    OTF2_RegionRef region)
{
    OTF2_EvtWriter_Enter(location->writer, NULL, pass(location, call->start), region);
    location->frames = fth_reach(location->frames, &location->frame_limit, location->frame_count,
                                 sizeof *location->frames);
    location->frames[location->frame_count++] = (struct fth_otf2_frame){
        .number = call->number,
        .end = call->end,
        .depth = call->depth,
        .region = region,
        .later = location->later_count,
    };
}

void fth_otf2_location_free(struct fth_otf2_location *location)
{
    free(location->frames);
    free(location->later);
}
#endif
