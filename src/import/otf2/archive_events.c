/* Events of OTF2 archives: those between the entry and the exit of a region belong to it.
 * Operations that do not block are not followed: the region that starts one is only a region. */
#ifdef FATHOM_OTF2
#include "import/otf2/archive_events.h"

/* Each callback begins with these. */
#define FTH_EVENT                                                                                  \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place, void *data,                    \
        OTF2_AttributeList *attributes
#define FTH_IGNORE_EVENT                                                                           \
    do {                                                                                           \
        (void)location;                                                                            \
        (void)place;                                                                               \
        (void)attributes;                                                                          \
    } while (0)

/* When a location began is not in an archive: it is known to be there from its first event. */
static void begin_location(struct fth_archive_reading *reading)
{
    struct fth_imported_process *process = &reading->process->facts;
    reading->stream = fth_imported_thread(reading->run, process, process->pid, reading->time);
    if (reading->time < process->start)
        process->start = reading->time;
}

/* Times never go back. */
static int64_t time_of(struct fth_archive_reading *reading, OTF2_TimeStamp time)
{
    int64_t now = fth_archive_time(&reading->archive, time);
    if (now > reading->time)
        reading->time = now;
    if (!reading->stream)
        begin_location(reading);
    if (reading->time > reading->process->facts.last)
        reading->process->facts.last = reading->time;
    if (reading->time > reading->run->end)
        reading->run->end = reading->time;
    return reading->time;
}

static struct fth_archive_frame *frame_of(void *data, OTF2_TimeStamp time)
{
    time_of(data, time);
    return fth_archive_frame(data);
}

static OTF2_CallbackCode code_of(const struct fth_archive_reading *reading)
{
    return reading->run->folder.failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_enter(FTH_EVENT, OTF2_RegionRef region)
{
    FTH_IGNORE_EVENT;
    fth_archive_enter(data, time_of(data, time), region);
    return code_of(data);
}

static OTF2_CallbackCode take_leave(FTH_EVENT, OTF2_RegionRef region)
{
    FTH_IGNORE_EVENT;
    (void)region;
    fth_archive_leave(data, time_of(data, time));
    return code_of(data);
}

/* ---- messages ---- */

static OTF2_CallbackCode take_send(FTH_EVENT, uint32_t receiver, OTF2_CommRef comm, uint32_t tag,
                                   uint64_t length)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->has_message = true;
    frame->to = receiver;
    frame->comm = comm;
    frame->tag = tag;
    frame->sent = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_receive(FTH_EVENT, uint32_t sender, OTF2_CommRef comm, uint32_t tag,
                                      uint64_t length)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->has_message = true;
    frame->from = sender;
    frame->comm = comm;
    frame->tag = tag;
    frame->received = length;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_collective(FTH_EVENT, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                         uint32_t root, uint64_t sent, uint64_t received)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    (void)operation;
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->has_collective = true;
    frame->comm = comm;
    frame->root = root;
    frame->sent = sent;
    frame->received = received;
    return OTF2_CALLBACK_SUCCESS;
}

/* ---- files ---- */

static OTF2_CallbackCode take_create(FTH_EVENT, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode,
                                     OTF2_IoCreationFlag creation, OTF2_IoStatusFlag status)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->made = handle;
    frame->open_mode = mode;
    frame->open_creation = creation;
    frame->open_status = status;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_duplicate(FTH_EVENT, OTF2_IoHandleRef old, OTF2_IoHandleRef new,
                                        OTF2_IoStatusFlag status)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->used = old;
    frame->made = new;
    frame->open_status = status;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_destroy(FTH_EVENT, OTF2_IoHandleRef handle)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (frame)
        frame->closed = handle;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_delete(FTH_EVENT, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    (void)paradigm;
    if (frame)
        frame->deleted = file;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_seek(FTH_EVENT, OTF2_IoHandleRef handle, int64_t distance,
                                   OTF2_IoSeekOption whence, uint64_t position)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    if (!frame)
        return OTF2_CALLBACK_SUCCESS;
    frame->used = handle;
    frame->has_sought = true;
    frame->distance = distance;
    frame->whence = whence;
    frame->position = position > INT64_MAX ? -1 : (int64_t)position;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_status(FTH_EVENT, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    (void)status;
    if (frame)
        frame->used = handle;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_begin(FTH_EVENT, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
                                    OTF2_IoOperationFlag flags, uint64_t asked, uint64_t id)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    struct fth_archive_reading *reading = data;
    (void)mode;
    (void)id;
    if (flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING) {
        reading->asynchronous++;
    } else if (frame && frame->used == UINT32_MAX) { /* of a call that copies, the first file */
        frame->used = handle;
        frame->asked = asked;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_complete(FTH_EVENT, OTF2_IoHandleRef handle, uint64_t moved,
                                       uint64_t id)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    (void)id;
    if (frame && frame->used == handle && !frame->has_moved) {
        frame->has_moved = true;
        frame->moved = moved;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_lock(FTH_EVENT, OTF2_IoHandleRef handle, OTF2_LockType type)
{
    FTH_IGNORE_EVENT;
    struct fth_archive_frame *frame = frame_of(data, time);
    (void)type;
    if (frame)
        frame->used = handle;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_unknown(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t place, void *data, OTF2_AttributeList *attributes)
{
    FTH_IGNORE_EVENT;
    (void)time;
    ((struct fth_archive_reading *)data)->other_records++;
    return OTF2_CALLBACK_SUCCESS;
}

OTF2_EvtReaderCallbacks *fth_archive_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetUnknownCallback(all, take_unknown);
    OTF2_EvtReaderCallbacks_SetEnterCallback(all, take_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all, take_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, take_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, take_receive);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, take_collective);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(all, take_create);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(all, take_duplicate);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(all, take_destroy);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(all, take_delete);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(all, take_seek);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(all, take_status);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(all, take_begin);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(all, take_complete);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(all, take_lock);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(all, take_lock);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(all, take_lock);
    return all;
}
#endif
