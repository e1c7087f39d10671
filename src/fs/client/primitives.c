/* The primitives of <fathom/fs.h>: core, synchronization, locks. */
#include <fathom/fs.h>

#include "base/memory.h"
#include "fs/client/client.h"
#include "fs/client/publish.h"
#include "fs/client/read_pieces.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/file_names.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

struct fth_fs_file {
    struct fth_client_file *file;
    uint64_t position;
};

/* Takes the lock for a handle. */
static bool enter(const struct fth_fs_file *handle)
{
    if (!handle) {
        errno = EBADF;
        return false;
    }
    return fth_client_enter();
}

static int leave(bool done)
{
    fth_client_leave();
    return done ? 0 : -1;
}

/* The range of a call; false: it reaches behind what a file can have. */
static bool range(uint64_t offset, uint64_t size, uint64_t *end)
{
    *end = offset + size;
    if (offset <= INT64_MAX && size <= INT64_MAX - offset)
        return true;
    errno = EINVAL;
    return false;
}

EXPORTED struct fth_fs_file *fth_fs_open(const char *path)
{
    char name[PATH_MAX];
    if (!fth_client_enter())
        return NULL;
    struct fth_fs_file *handle = NULL;
    if (fth_file_name_of(path, fth_client.instance.prefix, name)) {
        handle = fth_new(1, sizeof *handle);
        handle->file = fth_client_file(name);
        handle->file->handles++;
    }
    fth_client_leave();
    return handle;
}

EXPORTED int fth_fs_close(struct fth_fs_file *handle)
{
    if (!enter(handle))
        return -1;
    struct fth_client_file *file = handle->file;
    if (!--file->handles) {
        fth_publish_drop(file, 0, INT64_MAX);
        fth_intervals_free(&file->seen);
        if (file->below >= 0)
            close(file->below);
        file->below = -1;
    }
    free(handle);
    return leave(true);
}

static bool is_locked(const struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval lock;
    return fth_intervals_within(&file->locked, begin, end, &lock);
}

/* A lock that was lost has to be acquired again before anything is done in its range. */
static bool may_access(const struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval lock;
    if (!fth_intervals_within(&file->lost, begin, end, &lock))
        return true;
    errno = ENOLCK;
    return false;
}

/* A request under a lock has failed: as far as this process knows, its server does not hear it any
 * more, and others may have the lock by now. */
static void lose_locks(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval lock;
    for (uint64_t at = begin; fth_intervals_within(&file->locked, at, end, &lock); at = lock.end)
        fth_intervals_put(&file->lost, &lock);
    fth_intervals_cut(&file->locked, begin, end);
}

/* Others have the lock, or had it, and what they wrote stands: not even what this process has
 * written under it goes there. */
static void drop_locked(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval lock;
    for (uint64_t at = begin; fth_intervals_within(&file->locked, at, end, &lock); at = lock.end)
        fth_publish_drop(file, lock.begin, lock.end);
    lose_locks(file, begin, end);
    fth_client_tell_of_lock(file);
    errno = ENOLCK;
}

static bool publish(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    bool done = fth_publish(file, begin, end);
    if (!done && errno == ENOLCK)
        drop_locked(file, begin, end);
    return done;
}

static void give_up_locks(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    fth_intervals_cut(&file->locked, begin, end);
    fth_intervals_cut(&file->lost, begin, end);
}

/* What is written under a lock others see, or nobody does. */
static bool publish_locked(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    if (publish(file, begin, end))
        return true;
    int error = errno;
    fth_publish_drop(file, begin, end);
    if (error != ENOLCK)
        lose_locks(file, 0, INT64_MAX);
    errno = error;
    return false;
}

static bool query_locked(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    if (fth_read_pieces_query(file, begin, end))
        return true;
    int error = errno;
    lose_locks(file, 0, INT64_MAX);
    errno = error;
    return false;
}

EXPORTED ssize_t fth_fs_write(struct fth_fs_file *handle, const void *buffer, size_t size)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    uint64_t begin = handle->position;
    bool done = range(begin, size, &end) && may_access(handle->file, begin, end) &&
                fth_client_ready() && fth_publish_write(handle->file, begin, buffer, size);
    if (done && is_locked(handle->file, begin, end))
        done = publish_locked(handle->file, begin, end);
    if (done)
        handle->position = end;
    return leave(done) ? -1 : (ssize_t)size;
}

EXPORTED ssize_t fth_fs_read(struct fth_fs_file *handle, void *buffer, size_t size)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    uint64_t begin = handle->position;
    ssize_t count = -1;
    bool locked = is_locked(handle->file, begin, begin + size);
    if (range(begin, size, &end) && may_access(handle->file, begin, end) &&
        (!locked || query_locked(handle->file, begin, end)))
        count = fth_read_pieces(handle->file, begin, buffer, size, locked);
    if (count > 0)
        handle->position += (uint64_t)count;
    fth_client_leave();
    return count;
}

static struct fth_fs_address address_of(uint32_t client)
{
    return (struct fth_fs_address){fth_server_of(client), client & FTH_CLIENTS_MOST};
}

static uint32_t client_of(const struct fth_fs_address *address)
{
    return address->server << FTH_SERVER_SHIFT | address->client;
}

EXPORTED ssize_t fth_fs_read_peer(struct fth_fs_file *handle, const struct fth_fs_address *peer,
                                  uint64_t offset, size_t size, void *buffer)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    bool done = range(offset, size, &end);
    if (done && !fth_read_pieces_peer(handle->file, client_of(peer), offset, buffer, size))
        done = fth_read_pieces_query(handle->file, offset, end) &&
               fth_read_pieces_peer(handle->file, client_of(peer), offset, buffer, size);
    return leave(done) ? -1 : (ssize_t)size;
}

EXPORTED int64_t fth_fs_seek(struct fth_fs_file *handle, int64_t offset, int whence)
{
    int64_t base, position = -1;
    if (!enter(handle))
        return -1;
    base = whence == SEEK_CUR   ? (int64_t)handle->position
           : whence == SEEK_END ? (int64_t)fth_read_pieces_end(handle->file)
                                : 0;
    if ((whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) ||
        __builtin_add_overflow(base, offset, &position) || position < 0) {
        errno = EINVAL;
        position = -1;
    } else {
        handle->position = (uint64_t)position;
    }
    fth_client_leave();
    return position;
}

EXPORTED int64_t fth_fs_tell(struct fth_fs_file *handle)
{
    if (!enter(handle))
        return -1;
    int64_t position = (int64_t)handle->position;
    fth_client_leave();
    return position;
}

EXPORTED int fth_fs_stat(struct fth_fs_file *handle, struct stat *status)
{
    struct fth_view view;
    if (!enter(handle))
        return -1;
    fth_client_begin_request(FTH_MESSAGE_STAT, handle->file);
    bool done = fth_connection_ask(&fth_client.connection, &view);
    if (done) {
        handle->file->seen_end = fth_view_varint(&view);
        memset(status, 0, sizeof *status);
        status->st_size = (off_t)fth_read_pieces_end(handle->file);
    }
    return leave(done);
}

EXPORTED int fth_fs_flush(struct fth_fs_file *handle)
{
    struct fth_view view;
    if (!enter(handle))
        return -1;
    bool done = fth_client_flush_own(handle->file);
    if (done && handle->file->attached.count) {
        fth_client_begin_request(FTH_MESSAGE_FLUSH_OWN, handle->file);
        done = fth_connection_ask(&fth_client.connection, &view);
    }
    return leave(done);
}

EXPORTED int fth_fs_attach(struct fth_fs_file *handle, uint64_t offset, uint64_t size)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    return leave(range(offset, size, &end) && publish(handle->file, offset, end));
}

EXPORTED int fth_fs_attach_file(struct fth_fs_file *handle)
{
    return enter(handle) ? leave(publish(handle->file, 0, INT64_MAX)) : -1;
}

/* Makes the array that a query gives. */
static void list_seen(const struct fth_client_file *file, uint64_t begin, uint64_t end,
                      struct fth_fs_interval **owners, int *count)
{
    struct fth_interval seen;
    size_t made = 0;
    *owners = NULL;
    for (uint64_t at = begin; fth_intervals_within(&file->seen, at, end, &seen); at = seen.end) {
        struct fth_fs_interval *last = made ? &(*owners)[made - 1] : NULL;
        struct fth_fs_address owner = address_of(seen.owner);
        if (last && last->end == seen.begin && last->owner.server == owner.server &&
            last->owner.client == owner.client) {
            last->end = seen.end;
            continue;
        }
        FTH_GROW(*owners, made);
        (*owners)[made++] = (struct fth_fs_interval){seen.begin, seen.end, owner};
    }
    *count = (int)made;
}

static int query(struct fth_client_file *file, uint64_t begin, uint64_t end,
                 struct fth_fs_interval **owners, int *count)
{
    bool done = fth_read_pieces_query(file, begin, end);
    if (done)
        list_seen(file, begin, end, owners, count);
    return leave(done);
}

EXPORTED int fth_fs_query(struct fth_fs_file *handle, uint64_t offset, uint64_t size,
                          struct fth_fs_interval **owners, int *count)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    return range(offset, size, &end) ? query(handle->file, offset, end, owners, count)
                                     : leave(false);
}

EXPORTED int fth_fs_query_file(struct fth_fs_file *handle, struct fth_fs_interval **owners,
                               int *count)
{
    return enter(handle) ? query(handle->file, 0, INT64_MAX, owners, count) : -1;
}

/* What was attached of the range is only this process's again. */
static void mark_detached(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    fth_intervals_cut(&file->attached, begin, end);
    fth_intervals_cut(&file->doubtful, begin, end);
    for (uint64_t at = begin; fth_intervals_within(&file->own, at, end, &interval);
         at = interval.end) {
        interval.state &= ~(uint32_t)FTH_OWN_ATTACHED;
        fth_intervals_put(&file->own, &interval);
    }
    if (!file->handles)
        fth_publish_drop(file, 0, INT64_MAX);
}

static bool detach(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    struct fth_view view;
    if (!fth_intervals_within(&file->attached, begin, end, &interval) &&
        !fth_intervals_within(&file->doubtful, begin, end, &interval))
        return true;
    fth_client_begin_request(FTH_MESSAGE_DETACH, file);
    fth_bytes_varint(&fth_client.connection.out, begin);
    fth_bytes_varint(&fth_client.connection.out, end);
    if (!fth_connection_ask(&fth_client.connection, &view))
        return false;
    mark_detached(file, begin, end);
    return true;
}

EXPORTED int fth_fs_detach(struct fth_fs_file *handle, uint64_t offset, uint64_t size)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    return leave(range(offset, size, &end) && detach(handle->file, offset, end));
}

EXPORTED int fth_fs_detach_file(struct fth_fs_file *handle)
{
    return enter(handle) ? leave(detach(handle->file, 0, INT64_MAX)) : -1;
}

EXPORTED int fth_fs_detach_client(void)
{
    struct fth_view view;
    bool any = false;
    if (!fth_client_enter())
        return -1;
    for (size_t i = 0; i < fth_client.file_count; i++)
        any |= fth_client.files[i]->attached.count || fth_client.files[i]->doubtful.count;
    if (!any)
        return leave(true);
    fth_connection_begin(&fth_client.connection, FTH_MESSAGE_DETACH_ALL);
    bool done = fth_connection_ask(&fth_client.connection, &view);
    for (size_t i = 0; done && i < fth_client.file_count; i++)
        mark_detached(fth_client.files[i], 0, INT64_MAX);
    return leave(done);
}

EXPORTED int fth_fs_acquire_lock(struct fth_fs_file *handle, uint64_t offset, uint64_t size,
                                 enum fth_fs_lock type)
{
    struct fth_view view;
    uint64_t end;
    if (!enter(handle))
        return -1;
    if (!range(offset, size, &end) || !size)
        return leave(size == 0);
    fth_client_begin_request(FTH_MESSAGE_LOCK, handle->file);
    fth_bytes_varint(&fth_client.connection.out, offset);
    fth_bytes_varint(&fth_client.connection.out, end);
    fth_bytes_varint(&fth_client.connection.out, type == FTH_FS_LOCK_WRITE);
    bool done = fth_connection_ask(&fth_client.connection, &view);
    if (done) {
        fth_intervals_cut(&handle->file->lost, offset, end);
        fth_intervals_put(&handle->file->locked,
                          &(struct fth_interval){.begin = offset, .end = end, .place = offset});
    } else { /* the server may do it later, behind locks of others */
        int error = errno;
        lose_locks(handle->file, offset, end);
        errno = error;
    }
    return leave(done);
}

/* Without a request: the token stays here until another process asks for it. */
EXPORTED int fth_fs_release_lock(struct fth_fs_file *handle, uint64_t offset, uint64_t size)
{
    uint64_t end;
    if (!enter(handle))
        return -1;
    bool done = range(offset, size, &end);
    if (done)
        give_up_locks(handle->file, offset, end);
    return leave(done);
}

EXPORTED int fth_fs_release_lock_file(struct fth_fs_file *handle)
{
    if (!enter(handle))
        return -1;
    give_up_locks(handle->file, 0, INT64_MAX);
    return leave(true);
}

EXPORTED int fth_fs_release_lock_client(void)
{
    if (!fth_client_enter())
        return -1;
    for (size_t i = 0; i < fth_client.file_count; i++)
        give_up_locks(fth_client.files[i], 0, INT64_MAX);
    return leave(true);
}

EXPORTED struct fth_fs_address fth_fs_self(void)
{
    struct fth_fs_address self = {0, 0};
    if (fth_client_enter()) {
        self = address_of(fth_client.connection.number);
        fth_client_leave();
    }
    return self;
}
