/* Locks on files: what a process holds, from acquisitions, releases, and descriptors that are
 * closed: closing any descriptor of a file gives up all record locks that the process has on it. */
#include "base/intern.h"
#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "order/build/builder.h"

#include <errno.h>
#include <string.h>

enum { MOST_FILES = 4096, MOST_HELD = 4096, FROM_POSITION = 1 };

/* ---- files ---- */

/* Index of the path in builder->operations->locks.files plus 1, 0: none. */
static uint32_t file_of(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    struct fth_order_operations *operations = builder->operations;
    if (!handle || !handle->path || handle->number >= FTH_BUILDER_MOST_HANDLES)
        return 0;
    builder->locks.files = fth_reach(builder->locks.files, &builder->locks.file_room,
                                     (uint32_t)handle->number, sizeof *builder->locks.files);
    const char *path = handle->identity.path ? handle->identity.path : handle->path;
    uint32_t *known = &builder->locks.files[handle->number], number;
    if (*known)
        return *known;
    if (operations->locks.file_count < MOST_FILES)
        number = fth_intern(&builder->locks.names, path, strlen(path));
    else if (!fth_intern_find(&builder->locks.names, path, strlen(path), &number))
        return 0;
    if (number == operations->locks.file_count) {
        FTH_GROW(operations->locks.files, operations->locks.file_count);
        operations->locks.files[operations->locks.file_count++] = fth_text_copy(path);
    }
    *known = number + 1;
    return *known;
}

/* A descriptor that was read from, written to or moved stands where only who follows positions
 * knows. */
void fth_builder_moved(struct fth_order_builder *builder)
{
    const struct fth_handle *handle = builder->call->handle;
    if (!handle || handle->number >= FTH_BUILDER_MOST_HANDLES)
        return;
    builder->locks.moved = fth_reach(builder->locks.moved, &builder->locks.moved_room,
                                     (uint32_t)handle->number, sizeof *builder->locks.moved);
    builder->locks.moved[handle->number] = true;
}

/* -1: not known. */
static int64_t where_it_stands(const struct fth_order_builder *builder,
                               const struct fth_handle *handle)
{
    if (builder->locks.position_known)
        return builder->locks.position;
    bool at_begin =
        handle->bytes_read == 0 && handle->bytes_written == 0 && !handle->duplicate &&
        !(handle->status_flags & FTH_APPEND) &&
        !(handle->number < builder->locks.moved_room && builder->locks.moved[handle->number]);
    return at_begin ? 0 : -1;
}

/* ---- what is held ---- */

/* What a descriptor was copied from, as far as this process knows. */
static const struct fth_handle *original_of(const struct fth_handle *handle)
{
    while (handle->duplicate && handle->parent)
        handle = handle->parent;
    return handle;
}

static void add_lock(struct fth_order_builder *builder, struct fth_order_lock lock)
{
    struct fth_order_operations *operations = builder->operations;
    FTH_GROW(operations->locks.all, operations->locks.count);
    operations->locks.all[operations->locks.count++] = lock;
}

static void hold(struct fth_order_builder *builder, struct fth_order_lock lock)
{
    if (builder->locks.held_count == MOST_HELD)
        return;
    FTH_GROW(builder->locks.held, builder->locks.held_count);
    builder->locks.held[builder->locks.held_count++] = lock;
}

static bool same_space(const struct fth_order_lock *one, const struct fth_order_lock *other)
{
    return one->file == other->file && one->space == other->space;
}

/* What is held of the range is given up when the operation begins; what is held beside it stays. */
static void give_up(struct fth_order_builder *builder, const struct fth_order_lock *range,
                    uint32_t operation)
{
    size_t kept = 0, count = builder->locks.held_count;
    struct fth_order_lock *held = builder->locks.held;
    builder->locks.held = NULL;
    builder->locks.held_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct fth_order_lock lock = held[i];
        if (!same_space(&lock, range) || lock.from >= range->to || lock.to <= range->from) {
            hold(builder, lock);
            continue;
        }
        struct fth_order_lock part = lock, released = lock;
        if (lock.from < range->from) {
            part.to = range->from;
            hold(builder, part);
        }
        if (lock.to > range->to) {
            part = lock;
            part.from = range->to;
            hold(builder, part);
        }
        released.from = lock.from > range->from ? lock.from : range->from;
        released.to = lock.to < range->to ? lock.to : range->to;
        released.acquired = false;
        released.vague |= range->vague;
        released.closed = range->closed;
        released.operation = operation;
        released.time = builder->call ? builder->call->start : INT64_MAX;
        add_lock(builder, released);
        kept++;
    }
    free(held);
}

/* ---- calls ---- */

/* Of those that only stand for a place in the file system (O_PATH) none has locks, nor does closing
 * one give any up. */
static bool is_path_only(const struct fth_handle *handle)
{
    return (original_of(handle)->creation_flags & FTH_PATH_ONLY) != 0;
}

/* A lock on its file may be held under one of these. */
static bool has_other_names(const struct fth_handle *handle)
{
    return handle->identity.inode && handle->identity.links > 1;
}

bool fth_builder_holds(struct fth_order_builder *builder, const struct fth_handle *handle)
{
    if (!builder->locks.held_count || !handle || is_path_only(handle))
        return false;
    if (has_other_names(handle))
        return true;
    uint32_t file = file_of(builder, handle);
    for (size_t i = 0; file && i < builder->locks.held_count; i++)
        if (builder->locks.held[i].file == file - 1)
            return true;
    return false;
}

static uint32_t add_operation(struct fth_order_builder *builder,
                              const struct fth_order_semantics *semantics, struct fth_event begin)
{
    return fth_order_operations_add(
        builder->operations, fth_builder_operation(builder, semantics, FTH_SYNC_LOCK, begin));
}

const struct fth_handle *fth_builder_closed(const struct fth_order_builder *builder)
{
    const struct fth_call *call = builder->call;
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].kind == FTH_HANDLE_CLOSED)
            return call->uses[i].handle;
    return NULL;
}

/* Whatever is held, of any file: what is given up later is so at the latest then. `closes_one`: by
 * the close of one descriptor, of whose file nobody knows the name: record locks only. */
static void give_up_each(struct fth_order_builder *builder, uint32_t operation, bool closes_one)
{
    for (size_t i = 0; i < builder->locks.held_count;) {
        struct fth_order_lock all = builder->locks.held[i];
        all.from = 0;
        all.to = UINT64_MAX;
        all.closed = closes_one;
        if (closes_one && all.space != FTH_LOCK_OF_RECORD)
            i++;
        else
            give_up(builder, &all, operation);
    }
}

/* Of the file of a descriptor that is closed. Locks of flock and of open file descriptions belong
 * to the descriptor, and to its duplicates. */
void fth_builder_close(struct fth_order_builder *builder,
                       const struct fth_order_semantics *semantics, struct fth_event begin)
{
    const struct fth_handle *handle = fth_builder_closed(builder);
    uint32_t file = file_of(builder, handle), operation = add_operation(builder, semantics, begin);
    fth_builder_complete(builder, operation);
    fth_builder_frame_of_call(builder)->gives_up_last = true;
    fth_builder_close_descriptor(builder, handle, operation);
    if (handle && is_path_only(handle))
        return;
    for (int space = 0; file && space < FTH_LOCK_SPACES; space++) {
        struct fth_order_lock all = {
            .file = file - 1, .space = (uint8_t)space, .to = UINT64_MAX, .closed = true};
        bool owns = space == FTH_LOCK_OF_RECORD;
        for (size_t i = 0; !owns && i < builder->locks.held_count; i++)
            owns = builder->locks.held[i].handle == handle->number &&
                   builder->locks.held[i].space == space && builder->locks.held[i].file == all.file;
        if (owns)
            give_up(builder, &all, operation);
    }
    if (has_other_names(handle))
        give_up_each(builder, operation, true);
}

void fth_builder_close_unnamed(struct fth_order_builder *builder,
                               const struct fth_order_semantics *semantics, struct fth_event begin)
{
    uint32_t operation = add_operation(builder, semantics, begin);
    fth_builder_close_unnamed_descriptors(builder, operation);
    give_up_each(builder, operation, false);
}

static bool range_of(const struct fth_order_builder *builder, const struct fth_handle *handle,
                     const struct fth_lock_event *event, struct fth_order_lock *lock)
{
    int64_t stands = event->whence == FROM_POSITION ? where_it_stands(builder, handle) : 0;
    int64_t start, from, to;
    if ((event->whence != 0 && event->whence != FROM_POSITION) || stands < 0 ||
        __builtin_add_overflow(stands, event->start, &start))
        return false;
    from = start;
    if (event->length < 0 && __builtin_add_overflow(from, event->length, &from))
        return false;
    if (from < 0 || __builtin_add_overflow(start, event->length, &to))
        return false;
    lock->from = (uint64_t)from;
    lock->to = event->length == 0 ? UINT64_MAX : event->length < 0 ? (uint64_t)start : (uint64_t)to;
    return lock->from < lock->to;
}

bool fth_builder_lock_event(const struct fth_order_builder *builder,
                            const struct fth_order_semantics *semantics,
                            struct fth_lock_event *event)
{
    int64_t error = builder->call->error_number;
    bool tells = error == EAGAIN || error == EACCES ||
                 (error == EINTR && semantics->lock.whole_file); /* which may have lost a lock */
    return fth_call_lock(builder->trace, builder->call, event) && builder->call->handle &&
           (event->operation != FTH_LOCK_REFUSED || tells);
}

bool fth_builder_asks_lock(const struct fth_order_builder *builder,
                           const struct fth_order_semantics *semantics)
{
    const struct fth_call *call = builder->call;
    bool tells =
        !call->error_number || call->error_number == EAGAIN || call->error_number == EACCES;
    const char *command = semantics->command >= 0 && tells && call->handle
                              ? fth_command_of(builder->trace, call)
                              : NULL;
    return fth_command_asks_lock(command);
}

static void ask(struct fth_order_builder *builder, const struct fth_order_semantics *semantics,
                uint32_t operation)
{
    const struct fth_handle *original = original_of(builder->call->handle);
    uint32_t file = file_of(builder, builder->call->handle);
    builder->locks.locked = original;
    if (file)
        add_lock(builder,
                 (struct fth_order_lock){.file = file - 1,
                                         .original = original->number,
                                         .operation = operation,
                                         .space = semantics->lock.whole_file ? FTH_LOCK_OF_FILE
                                                                             : FTH_LOCK_OF_RECORD,
                                         .asks = true,
                                         .descriptor = UINT32_MAX,
                                         .to = UINT64_MAX,
                                         .time = builder->call->end});
}

void fth_builder_ask_lock(struct fth_order_builder *builder,
                          const struct fth_order_semantics *semantics, struct fth_event begin)
{
    uint32_t operation = add_operation(builder, semantics, begin);
    fth_builder_complete(builder, operation);
    ask(builder, semantics, operation);
}

const struct fth_handle *fth_order_locked(const struct fth_order_builder *builder)
{
    return builder->locks.locked;
}

/* Who does not get a lock learns that somebody has it. flock gives up what the descriptor holds
 * before it asks for something else: when that is refused nothing is held. */
void fth_builder_lock(struct fth_order_builder *builder,
                      const struct fth_order_semantics *semantics,
                      const struct fth_lock_event *event, struct fth_event begin)
{
    const struct fth_handle *handle = builder->call->handle;
    uint32_t file = file_of(builder, handle), operation = add_operation(builder, semantics, begin);
    fth_builder_complete(builder, operation);
    struct fth_order_lock lock = {
        .file = file - 1,
        .handle = handle->number,
        .operation = operation,
        .acquired = true,
        .shared = event->shared,
        .space = semantics->lock.whole_file ? FTH_LOCK_OF_FILE
                 : event->of_description    ? FTH_LOCK_OF_DESCRIPTION
                                            : FTH_LOCK_OF_RECORD,
        .closes_on_exec = (handle->status_flags & FTH_CLOSE_ON_EXEC) != 0,
        .descriptor = fth_builder_descriptor(builder, handle),
        .time = builder->call->end,
        .since = builder->call->start,
    };
    if (!file)
        return;
    const struct fth_handle *original = original_of(handle);
    builder->locks.locked = original;
    lock.original = original->number;
    lock.opened = original->made_at;
    lock.inherited = original->origin != FTH_HANDLE_MADE || original->made_at < 0;
    if (event->operation == FTH_LOCK_REFUSED)
        ask(builder, semantics, operation);
    if (event->operation == FTH_LOCK_REFUSED && !semantics->lock.whole_file)
        return;
    if (!range_of(builder, handle, event, &lock)) {
        fth_order_operation_to_change(builder->operations, operation)->flags |=
            FTH_SYNC_FREED; /* for the finding */
        lock.vague = true;
        lock.from = 0;
        lock.to = UINT64_MAX;
    }
    give_up(builder, &lock, operation);
    if (event->operation != FTH_LOCK_ACQUIRED) {
        /* whoever shares the open file description holds it no longer either, nor does the program
         * before exec */
        lock.acquired = false;
        lock.touches = true;
        lock.time = builder->call->start;
        if (lock.inherited || lock.descriptor != UINT32_MAX)
            add_lock(builder, lock);
        return;
    }
    add_lock(builder, lock);
    hold(builder, lock);
}

/* What a process holds at its end it gives up then. */
void fth_builder_end_locks(struct fth_order_builder *builder)
{
    const struct fth_process *process = fth_trace_process(builder->trace, builder->proc);
    bool becomes_program = process->how_ended && strcmp(process->how_ended, "exec") == 0;
    int64_t end = process->end;
    for (size_t i = 0; i < builder->locks.held_count; i++) {
        struct fth_order_lock lock = builder->locks.held[i];
        uint32_t timeline = fth_order_operation(builder->operations, lock.operation).begin.timeline;
        struct fth_event last = {
            timeline,
            builder->operations->steps[timeline - builder->operations->first_timeline] - 1};
        lock.operation = fth_order_operations_add(
            builder->operations, (struct fth_order_operation){.begin = last,
                                                              .end = {FTH_NO_TIMELINE, 0},
                                                              .member = FTH_NO_MEMBER,
                                                              .kind = FTH_SYNC_LOCK});
        lock.acquired = false;
        lock.kept = becomes_program && !lock.closes_on_exec;
        lock.time = end;
        add_lock(builder, lock);
    }
    builder->locks.held_count = 0;
}
