/* Locks on files: what a process holds, from acquisitions, releases, and descriptors that are
 * closed: closing any descriptor of a file gives up all record locks that the process has on it. */
#include "base/intern.h"
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>

enum { MOST_HANDLES = 1 << 24, MOST_FILES = 4096, MOST_HELD = 4096, FROM_POSITION = 1 };

/* ---- files ---- */

/* Index of the path in feeder->deeds->files plus 1, 0: none. */
static uint32_t file_of(struct fth_order_feeder *feeder, const struct fth_handle *handle)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    if (!handle || !handle->path || handle->number >= MOST_HANDLES)
        return 0;
    feeder->files = fth_reach(feeder->files, &feeder->file_room, (uint32_t)handle->number,
                              sizeof *feeder->files);
    const char *path = handle->identity.path ? handle->identity.path : handle->path;
    uint32_t *known = &feeder->files[handle->number];
    for (uint32_t i = 0; !*known && i < deeds->file_count; i++)
        if (strcmp(deeds->files[i], path) == 0)
            *known = i + 1;
    if (!*known && deeds->file_count < MOST_FILES) {
        FTH_GROW(deeds->files, deeds->file_count);
        deeds->files[deeds->file_count++] = strdup(path);
        *known = deeds->file_count;
    }
    return *known;
}

void fth_order_unbound(struct fth_order_feeder *feeder, const char *path)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    FTH_GROW(deeds->unbindings, deeds->unbinding_count);
    deeds->unbindings[deeds->unbinding_count++] =
        (struct fth_order_unbinding){fth_hash_text(path), feeder->call->start};
}

/* A descriptor that was read from, written to or moved stands where only who follows positions
 * knows. */
void fth_feeder_moved(struct fth_order_feeder *feeder)
{
    const struct fth_handle *handle = feeder->call->handle;
    if (!handle || handle->number >= MOST_HANDLES)
        return;
    feeder->moved = fth_reach(feeder->moved, &feeder->moved_room, (uint32_t)handle->number,
                              sizeof *feeder->moved);
    feeder->moved[handle->number] = true;
}

/* -1: not known. */
static int64_t where_it_stands(const struct fth_order_feeder *feeder,
                               const struct fth_handle *handle)
{
    if (feeder->stands_told)
        return feeder->stands;
    bool at_begin = handle->bytes_read == 0 && handle->bytes_written == 0 && !handle->duplicate &&
                    !(handle->status_flags & FTH_APPEND) &&
                    !(handle->number < feeder->moved_room && feeder->moved[handle->number]);
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

static void add_lock(struct fth_order_feeder *feeder, struct fth_order_lock lock)
{
    struct fth_order_deeds *deeds = feeder->deeds;
    FTH_GROW(deeds->locks, deeds->lock_count);
    deeds->locks[deeds->lock_count++] = lock;
}

static void hold(struct fth_order_feeder *feeder, struct fth_order_lock lock)
{
    if (feeder->held_count == MOST_HELD)
        return;
    FTH_GROW(feeder->held, feeder->held_count);
    feeder->held[feeder->held_count++] = lock;
}

static bool same_space(const struct fth_order_lock *one, const struct fth_order_lock *other)
{
    return one->file == other->file && one->space == other->space;
}

/* What is held of the range is given up when the deed begins; what is held beside it stays. */
static void give_up(struct fth_order_feeder *feeder, const struct fth_order_lock *range,
                    uint32_t deed)
{
    size_t kept = 0, count = feeder->held_count;
    struct fth_order_lock *held = feeder->held;
    feeder->held = NULL;
    feeder->held_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct fth_order_lock lock = held[i];
        if (!same_space(&lock, range) || lock.from >= range->to || lock.to <= range->from) {
            hold(feeder, lock);
            continue;
        }
        struct fth_order_lock part = lock, released = lock;
        if (lock.from < range->from) {
            part.to = range->from;
            hold(feeder, part);
        }
        if (lock.to > range->to) {
            part = lock;
            part.from = range->to;
            hold(feeder, part);
        }
        released.from = lock.from > range->from ? lock.from : range->from;
        released.to = lock.to < range->to ? lock.to : range->to;
        released.acquired = false;
        released.deed = deed;
        released.time = feeder->call ? feeder->call->start : INT64_MAX;
        add_lock(feeder, released);
        kept++;
    }
    free(held);
}

/* ---- calls ---- */

/* A lock on its file may be held under one of these. */
static bool has_other_names(const struct fth_handle *handle)
{
    return handle->identity.inode && handle->identity.links > 1;
}

bool fth_feeder_holds(struct fth_order_feeder *feeder, const struct fth_handle *handle)
{
    if (!feeder->held_count || !handle)
        return false;
    if (has_other_names(handle))
        return true;
    uint32_t file = file_of(feeder, handle);
    for (size_t i = 0; file && i < feeder->held_count; i++)
        if (feeder->held[i].file == file - 1)
            return true;
    return false;
}

static uint32_t add_deed(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin)
{
    return fth_order_deeds_add(feeder->deeds, fth_feeder_deed(feeder, sense, FTH_DEED_LOCK, begin));
}

const struct fth_handle *fth_feeder_closed(const struct fth_order_feeder *feeder)
{
    const struct fth_call *call = feeder->call;
    for (size_t i = 0; i < call->use_count; i++)
        if (call->uses[i].deed == FTH_HANDLE_CLOSED)
            return call->uses[i].handle;
    return NULL;
}

/* Whatever is held, of any file: what is given up later is so at the latest then. */
static void give_up_each(struct fth_order_feeder *feeder, uint32_t deed, bool only_records)
{
    for (size_t i = 0; i < feeder->held_count;) {
        struct fth_order_lock all = feeder->held[i];
        all.from = 0;
        all.to = UINT64_MAX;
        if (only_records && all.space != FTH_LOCK_OF_RECORD)
            i++;
        else
            give_up(feeder, &all, deed);
    }
}

/* Of the file of a descriptor that is closed. Locks of flock and of open file descriptions belong
 * to the descriptor, and to its duplicates. */
void fth_feeder_close(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                      struct fth_event begin)
{
    const struct fth_handle *handle = fth_feeder_closed(feeder);
    uint32_t file = file_of(feeder, handle), deed = add_deed(feeder, sense, begin);
    fth_feeder_close_pipe(feeder, handle, deed);
    for (int space = 0; file && space < FTH_LOCK_SPACES; space++) {
        struct fth_order_lock all = {.file = file - 1, .space = (uint8_t)space, .to = UINT64_MAX};
        bool owns = space == FTH_LOCK_OF_RECORD;
        for (size_t i = 0; !owns && i < feeder->held_count; i++)
            owns = feeder->held[i].handle == handle->number && feeder->held[i].space == space &&
                   feeder->held[i].file == all.file;
        if (owns)
            give_up(feeder, &all, deed);
    }
    if (has_other_names(handle))
        give_up_each(feeder, deed, true);
}

void fth_feeder_close_unnamed(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                              struct fth_event begin)
{
    feeder->closed_unnamed = true;
    give_up_each(feeder, add_deed(feeder, sense, begin), false);
}

static bool range_of(const struct fth_order_feeder *feeder, const struct fth_handle *handle,
                     const struct fth_lock_event *event, struct fth_order_lock *lock)
{
    int64_t stands = event->whence == FROM_POSITION ? where_it_stands(feeder, handle) : 0;
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

bool fth_feeder_lock_event(const struct fth_order_feeder *feeder, struct fth_lock_event *event)
{
    return fth_call_lock(feeder->trace, feeder->call, event) && feeder->call->handle &&
           event->deed != FTH_LOCK_REFUSED;
}

void fth_feeder_lock(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     const struct fth_lock_event *event, struct fth_event begin)
{
    const struct fth_handle *handle = feeder->call->handle;
    uint32_t file = file_of(feeder, handle), deed = add_deed(feeder, sense, begin);
    fth_feeder_complete(feeder, deed);
    struct fth_order_lock lock = {
        .file = file - 1,
        .handle = handle->number,
        .deed = deed,
        .acquired = true,
        .shared = event->shared,
        .space = sense->whole_file       ? FTH_LOCK_OF_FILE
                 : event->of_description ? FTH_LOCK_OF_DESCRIPTION
                                         : FTH_LOCK_OF_RECORD,
        .time = feeder->call->end,
    };
    if (!file)
        return;
    const struct fth_handle *original = original_of(handle);
    lock.opened = original->made_at;
    lock.inherited = original->origin != FTH_HANDLE_MADE || original->made_at < 0;
    if (!range_of(feeder, handle, event, &lock)) {
        feeder->deeds->deeds[deed].flags |= FTH_DEED_FREED; /* where is not known */
        return;
    }
    give_up(feeder, &lock, deed);
    if (event->deed != FTH_LOCK_ACQUIRED) {
        /* whoever shares the open file description holds it no longer either */
        lock.acquired = false;
        lock.touches = true;
        if (lock.inherited && lock.space != FTH_LOCK_OF_RECORD)
            add_lock(feeder, lock);
        return;
    }
    add_lock(feeder, lock);
    hold(feeder, lock);
}

/* What a process holds at its end it gives up then. */
void fth_feeder_end_locks(struct fth_order_feeder *feeder)
{
    int64_t end = fth_trace_process(feeder->trace, feeder->proc)->end;
    for (size_t i = 0; i < feeder->held_count; i++) {
        struct fth_order_lock lock = feeder->held[i];
        uint32_t strand = feeder->deeds->deeds[lock.deed].begin.strand;
        struct fth_event last = {strand,
                                 feeder->deeds->steps[strand - feeder->deeds->first_strand] - 1};
        lock.deed =
            fth_order_deeds_add(feeder->deeds, (struct fth_order_deed){.begin = last,
                                                                       .end = {FTH_NO_STRAND, 0},
                                                                       .member = FTH_NO_MEMBER,
                                                                       .kind = FTH_DEED_LOCK});
        lock.acquired = false;
        lock.time = end;
        add_lock(feeder, lock);
    }
    feeder->held_count = 0;
}
