/* An event stands at the entry of its call, or at the exit: a handle is there when the call that
 * makes it returns. Failed calls have none. */
#ifdef FATHOM_OTF2
#include "export/otf2/io_events.h"

#include "base/memory.h"

#include <fcntl.h>
#include <string.h>

/* ---- handles ---- */

/* Handles of objects in a file stand for the file: datasets, groups, attributes. NULL: it has
 * nothing to do with files. */
static const struct fth_handle *of_file(const struct fth_handle *handle)
{
    while (handle && handle->name && handle->path && !handle->duplicate && handle->parent &&
           !strcmp(handle->parent->handle_class, handle->handle_class))
        handle = handle->parent;
    if (!handle || handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN || (!handle->path && !handle->type))
        return NULL;
    return handle;
}

static struct fth_otf2_known *define(struct fth_otf2_io *io, const struct fth_handle *handle,
                                     bool created);

/* What it belongs to. A duplicate belongs to what the original does. */
static OTF2_IoHandleRef parent_of(struct fth_otf2_io *io, const struct fth_handle *handle)
{
    const struct fth_handle *parent = handle->parent;
    for (const struct fth_handle *at = handle; at->duplicate && at->parent; at = at->parent)
        parent = at->parent->parent;
    parent = of_file(parent);
    return parent && parent != handle ? define(io, parent, false)->number
                                      : OTF2_UNDEFINED_IO_HANDLE;
}

/* The first time that it is seen. */
static struct fth_otf2_known *define(struct fth_otf2_io *io, const struct fth_handle *handle,
                                     bool created)
{
    uint32_t number = (uint32_t)handle->number;
    io->known = fth_reach(io->known, &io->known_limit, number, sizeof *io->known);
    if (!io->known[number].is_defined) {
        OTF2_IoHandleRef parent = parent_of(io, handle);
        io->known[number] = (struct fth_otf2_known){
            .number = fth_otf2_define_handle(io->definitions, handle, created, parent),
            .status = fth_otf2_status(handle),
            .is_defined = true,
            .is_parallel = fth_exported_communicators_find(&io->definitions->communicators,
                                                           handle->group) != UINT32_MAX,
        };
    }
    return &io->known[number];
}

static void put_opened(struct fth_otf2_io *io, struct fth_otf2_location *location,
                       const struct fth_handle *handle)
{
    const struct fth_handle *original = handle->duplicate ? of_file(handle->parent) : NULL;
    const struct fth_handle *file = of_file(handle);
    if (!file || file != handle || file->origin != FTH_HANDLE_MADE)
        return;
    OTF2_IoHandleRef old = original ? define(io, original, false)->number : 0;
    bool is_new = file->number >= io->known_limit || !io->known[file->number].is_defined;
    const struct fth_otf2_known *known = define(io, file, true);
    struct fth_otf2_event event = {
        .kind = original ? FTH_OTF2_DUPLICATE : FTH_OTF2_CREATE,
        .handle = original ? old : known->number,
        .other = known->number,
        .mode = fth_otf2_access_mode(file),
        .flags = file->creation_flags,
        .status = known->status,
    };
    if (is_new)
        fth_otf2_put_at_end(location, &event);
}

static void put_deleted(struct fth_otf2_io *io, struct fth_otf2_location *location, size_t proc,
                        const char *layer, const char *path, bool is_directory)
{
    struct fth_otf2_event event = {
        .kind = FTH_OTF2_DELETE,
        .handle = fth_otf2_file(io->definitions, proc, path, is_directory),
        .mode = fth_otf2_paradigm(io->definitions, layer),
    };
    fth_otf2_put_at_end(location, &event);
}

/* Not if it was opened more often than it was closed. */
static void put_closed(struct fth_otf2_io *io, struct fth_otf2_location *location,
                       const struct fth_call *call, const struct fth_handle *handle)
{
    const struct fth_handle *file = of_file(handle);
    bool is_gone = handle->closed_by == call->number && handle->closed_thread == call->thread;
    if (!file || file != handle || !is_gone)
        return;
    struct fth_otf2_event event = {.kind = FTH_OTF2_DESTROY,
                                   .handle = define(io, file, false)->number};
    fth_otf2_put_at_end(location, &event);
    if (file->status_flags & FTH_DELETE_ON_CLOSE && file->path)
        put_deleted(io, location, file->proc, file->layer, file->path, false);
}

static void put_uses(struct fth_otf2_io *io, struct fth_otf2_location *location,
                     const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_CLOSED)
            put_closed(io, location, call, call->uses[i].handle);
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_OPENED)
            put_opened(io, location, call->uses[i].handle);
}

/* ---- operations ---- */

static uint64_t bytes_or_unknown(bool known, uint64_t bytes)
{
    return known && bytes != FTH_NO_BYTES ? bytes : OTF2_UNDEFINED_UINT64;
}

static void put_blocking(struct fth_otf2_io *io, struct fth_otf2_location *location,
                         const struct fth_call *call, const struct fth_handle *handle,
                         OTF2_IoOperationMode mode)
{
    const struct fth_handle *file = of_file(handle);
    if (!file)
        return;
    const struct fth_otf2_known *known = define(io, file, false);
    bool is_collective = call->collective && known->is_parallel;
    bool is_flush = mode == OTF2_IO_OPERATION_MODE_FLUSH;
    struct fth_otf2_event event = {
        .kind = FTH_OTF2_BEGIN,
        .handle = known->number,
        .mode = mode,
        .flags = is_collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : OTF2_IO_OPERATION_FLAG_NONE,
        .bytes = bytes_or_unknown(!is_flush, call->bytes_asked),
        .id = io->operations++,
    };
    fth_otf2_put(location, call->start, &event);
    event.kind = FTH_OTF2_COMPLETE;
    event.bytes = bytes_or_unknown(!is_flush && call->bytes_known, call->bytes);
    fth_otf2_put_at_end(location, &event);
}

/* The other file of a call that copies. */
static const struct fth_handle *other_handle(const struct fth_call *call)
{
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].handle != call->handle && of_file(call->uses[i].handle))
            return call->uses[i].handle;
    return NULL;
}

static void put_transfer(struct fth_otf2_io *io, struct fth_otf2_location *location,
                         const struct fth_call *call)
{
    if (call->reads)
        put_blocking(io, location, call, call->handle, OTF2_IO_OPERATION_MODE_READ);
    if (call->writes)
        put_blocking(io, location, call, call->handle, OTF2_IO_OPERATION_MODE_WRITE);
    if (call->copies)
        put_blocking(io, location, call, other_handle(call),
                     call->writes ? OTF2_IO_OPERATION_MODE_READ : OTF2_IO_OPERATION_MODE_WRITE);
}

/* ---- operations that other calls complete ---- */

static void start(struct fth_otf2_io *io, struct fth_otf2_location *location,
                  const struct fth_call *call, const struct fth_operation *operation,
                  const struct fth_handle *handle)
{
    const struct fth_handle *file = of_file(handle);
    if (!file || (!operation->reads && !operation->writes))
        return;
    const struct fth_otf2_known *known = define(io, file, false);
    struct fth_otf2_event event = {
        .kind = FTH_OTF2_BEGIN,
        .handle = known->number,
        .mode = operation->writes ? OTF2_IO_OPERATION_MODE_WRITE : OTF2_IO_OPERATION_MODE_READ,
        .flags = OTF2_IO_OPERATION_FLAG_NON_BLOCKING |
                 (operation->collective && known->is_parallel ? OTF2_IO_OPERATION_FLAG_COLLECTIVE
                                                              : OTF2_IO_OPERATION_FLAG_NONE),
        .bytes = bytes_or_unknown(true, operation->bytes_asked),
        .id = io->operations++,
    };
    fth_otf2_put(location, call->start, &event);
    event.kind = FTH_OTF2_ISSUED;
    fth_otf2_put_at_end(location, &event);
    io->in_flight =
        fth_reach(io->in_flight, &io->in_flight_limit, io->in_flight_count, sizeof *io->in_flight);
    io->in_flight[io->in_flight_count++] = (struct fth_otf2_in_flight){
        .operation = operation->number, .id = event.id, .handle = known->number};
}

static bool begins(const struct fth_operation *operation, const struct fth_call *call)
{
    return operation->begin.thread == call->thread && operation->begin.number == call->number;
}

/* False: the call starts none. */
static bool put_started(struct fth_otf2_io *io, struct fth_otf2_location *location,
                        const struct fth_export_part *part, const struct fth_call *call)
{
    size_t count, first;
    if (!part->accesses || !call->function->starts)
        return false;
    const struct fth_operation *operations = fth_accesses_in_flight(part->accesses, &count);
    for (first = count; first && begins(&operations[first - 1], call);)
        first--;
    for (size_t i = first; i < count; i++)
        start(io, location, call, &operations[i],
              i - first < call->block_count ? call->blocks[i - first].handle : call->handle);
    return first < count;
}

static void put_end(struct fth_otf2_location *location, const struct fth_otf2_in_flight *own,
                    const struct fth_operation *operation)
{
    struct fth_otf2_event event = {
        .kind = operation->how == FTH_OPERATION_CANCELLED ? FTH_OTF2_CANCELLED : FTH_OTF2_COMPLETE,
        .handle = own->handle,
        .bytes = bytes_or_unknown(operation->bytes_known, operation->bytes),
        .id = own->id,
    };
    if (operation->how != FTH_OPERATION_FAILED)
        fth_otf2_put_at_end(location, &event);
}

static void put_completed(struct fth_otf2_io *io, struct fth_otf2_location *location,
                          const struct fth_access *access)
{
    for (size_t i = 0; i < access->operation_count; i++)
        for (uint32_t k = 0; k < io->in_flight_count; k++)
            if (io->in_flight[k].operation == access->operations[i].number) {
                put_end(location, &io->in_flight[k], &access->operations[i]);
                io->in_flight[k] = io->in_flight[--io->in_flight_count];
                break;
            }
}

/* Those that the call found incomplete. */
static void put_tested(struct fth_otf2_io *io, struct fth_otf2_location *location,
                       const struct fth_export_part *part, const struct fth_call *call)
{
    size_t count;
    const struct fth_operation *operations = fth_accesses_in_flight(part->accesses, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < io->in_flight_count; k++) {
            struct fth_otf2_in_flight *own = &io->in_flight[k];
            bool is_it = own->operation == operations[i].number &&
                         operations[i].tests > own->tests &&
                         operations[i].last_test.thread == call->thread &&
                         operations[i].last_test.number == call->number;
            struct fth_otf2_event event = {
                .kind = FTH_OTF2_TEST, .handle = own->handle, .id = own->id};
            if (is_it)
                fth_otf2_put_at_end(location, &event);
            if (is_it)
                own->tests = operations[i].tests;
        }
}

/* ---- positions, flags, locks ---- */

static const struct fth_value *argument(const struct fth_call *call, const char *role)
{
    for (size_t i = 0; i < call->function->parameter_count; i++)
        if (!strcmp(call->function->parameters[i].role, role))
            return &call->arguments[i];
    return NULL;
}

/* By the end of the name of the constant: MPI has its own. */
static bool find_whence(const char *name, uint32_t *whence)
{
    static const char *const ends[] = {
        [OTF2_IO_SEEK_FROM_START] = "_SET", [OTF2_IO_SEEK_FROM_CURRENT] = "_CUR",
        [OTF2_IO_SEEK_FROM_END] = "_END",   [OTF2_IO_SEEK_DATA] = "_DATA",
        [OTF2_IO_SEEK_HOLE] = "_HOLE",
    };
    const char *end = name ? strrchr(name, '_') : NULL;
    for (uint32_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(end, ends[i])) {
            *whence = i;
            return true;
        }
    return false;
}

/* Where a position is in the file: those of MPI count etypes of the view. False: it is not known,
 * or there are holes. */
static bool find_byte(const struct fth_access *access, uint64_t *byte)
{
    const struct fth_file_view *view = access->view;
    if (access->position < 0)
        return false;
    *byte = (uint64_t)access->position;
    if (!view)
        return true;
    if (!view->etype || !view->filetype || view->filetype->size != view->filetype->extent ||
        view->filetype->true_lower_bound != 0 ||
        view->filetype->true_upper_bound != view->filetype->size)
        return false;
    *byte = (uint64_t)view->displacement + *byte * (uint64_t)view->etype->size;
    return true;
}

static void put_seek(struct fth_otf2_io *io, struct fth_otf2_location *location,
                     const struct fth_export_part *part, const struct fth_call *call)
{
    const struct fth_handle *file = of_file(call->handle);
    const struct fth_value *distance = argument(call, "distance"),
                           *whence = argument(call, "whence");
    struct fth_otf2_event event = {.kind = FTH_OTF2_SEEK};
    if (!file || !distance || !whence || !part->access || !find_byte(part->access, &event.id) ||
        !find_whence(whence->text, &event.mode))
        return;
    event.handle = define(io, file, false)->number;
    event.bytes = (uint64_t)distance->integer;
    fth_otf2_put_at_end(location, &event);
}

static void put_status(struct fth_otf2_io *io, struct fth_otf2_location *location,
                       const struct fth_call *call)
{
    const struct fth_handle *file = of_file(call->handle);
    if (!file || file->number >= io->known_limit || !io->known[file->number].is_defined)
        return;
    struct fth_otf2_known *known = &io->known[file->number];
    struct fth_otf2_event event = {
        .kind = FTH_OTF2_STATUS, .handle = known->number, .status = fth_otf2_status(file)};
    if (known->status != event.status)
        fth_otf2_put_at_end(location, &event);
    known->status = event.status;
}

static void put_lock(struct fth_otf2_io *io, struct fth_otf2_location *location,
                     const struct fth_call *call)
{
    static const enum fth_otf2_event_kind kinds[] = {
        [FTH_LOCK_ACQUIRED] = FTH_OTF2_ACQUIRE,
        [FTH_LOCK_REFUSED] = FTH_OTF2_TRY,
        [FTH_LOCK_RELEASED] = FTH_OTF2_RELEASE,
    };
    const struct fth_handle *file = of_file(call->handle);
    struct fth_lock_event lock;
    if (!file || !fth_call_lock(io->definitions->of->trace, call, &lock) ||
        (lock.operation == FTH_LOCK_REFUSED && lock.waits))
        return;
    struct fth_otf2_known *known = define(io, file, false);
    if (lock.operation == FTH_LOCK_ACQUIRED)
        known->lock_is_shared = lock.shared;
    bool is_shared = lock.operation == FTH_LOCK_RELEASED ? known->lock_is_shared : lock.shared;
    struct fth_otf2_event event = {.kind = kinds[lock.operation],
                                   .handle = known->number,
                                   .mode = is_shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE};
    fth_otf2_put_at_end(location, &event);
}

/* ---- a call ---- */

static void put_delete(struct fth_otf2_io *io, struct fth_otf2_location *location,
                       const struct fth_call *call)
{
    const struct fth_value *flags = argument(call, "flags at");
    bool is_directory = flags && flags->integer & AT_REMOVEDIR;
    if (call->file && !call->function->inside_file)
        put_deleted(io, location, call->proc, call->function->layer, call->file, is_directory);
}

void fth_otf2_put_io(struct fth_otf2_io *io, struct fth_otf2_location *location,
                     const struct fth_export_part *part, const struct fth_call *call)
{
    const char *kind = call->function->kind;
    bool is_control = !strcmp(kind, "control");
    bool started = put_started(io, location, part, call);
    put_uses(io, location, call);
    if (part->access && part->access->operation_count)
        put_completed(io, location, part->access);
    else if (!started && !call->error_number)
        put_transfer(io, location, call);
    if (part->access && !strcmp(kind, "test"))
        put_tested(io, location, part, call);
    if (is_control || !strcmp(kind, "lock"))
        put_lock(io, location, call);
    if (call->error_number)
        return;
    if (is_control)
        put_status(io, location, call);
    else if (!strcmp(kind, "seek"))
        put_seek(io, location, part, call);
    else if (!strcmp(kind, "delete"))
        put_delete(io, location, call);
    else if (!strcmp(kind, "sync") && !started)
        put_blocking(io, location, call, call->handle, OTF2_IO_OPERATION_MODE_FLUSH);
}

void fth_otf2_io_free(struct fth_otf2_io *io)
{
    free(io->known);
    free(io->in_flight);
    *io = (struct fth_otf2_io){0};
}
#endif
