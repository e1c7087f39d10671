/* What this process wrote: into its buffer, and to the index of the server. */
#include "fs/client/publish.h"

#include "fs/client/copy_bytes.h"
#include "fs/client/make_room.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <string.h>

/* Over what this process wrote last, where nobody else knows the place of that. Returns how many
 * bytes. */
static size_t write_over(struct fth_client_file *file, uint64_t offset, const uint8_t *from,
                         size_t size)
{
    struct fth_interval own;
    if (!fth_intervals_within(&file->own, offset, offset + size, &own) || own.begin > offset ||
        own.state)
        return 0;
    fth_copy_bytes(fth_own_buffer_change(&fth_client.buffer, own.place), from, own.end - own.begin);
    return own.end - own.begin;
}

/* Returns how many bytes; 0: there is no room. */
static size_t append(struct fth_client_file *file, uint64_t offset, const uint8_t *from,
                     size_t size)
{
    struct fth_interval interval = {.begin = offset};
    uint8_t *to;
    size_t count = fth_own_buffer_take(&fth_client.buffer, size, &to, &interval.place);
    if (!count)
        return 0;
    fth_copy_bytes(to, from, count);
    interval.end = offset + count;
    fth_intervals_put(&file->own, &interval);
    return count;
}

bool fth_publish_write(struct fth_client_file *file, uint64_t offset, const void *bytes,
                       size_t size)
{
    const uint8_t *from = bytes;
    while (size) {
        size_t count = write_over(file, offset, from, size);
        if (!count)
            count = append(file, offset, from, size);
        if (!count && !fth_make_room())
            return false;
        offset += count;
        from += count;
        size -= count;
    }
    return true;
}

/* What was attached of [begin, end), before it was written over, is there again. */
static void restore_attached(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->attached, at, end, &interval);
         at = interval.end)
        fth_intervals_put(&file->own, &interval);
}

void fth_publish_drop(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->own, at, end, &interval);
         at = interval.end)
        if (!(interval.state & FTH_OWN_ATTACHED)) {
            fth_intervals_cut(&file->own, interval.begin, interval.end);
            restore_attached(file, interval.begin, interval.end);
        }
}

/* What of [begin, end) is new, in one message; nothing is sent where nothing is. */
static uint64_t put_new(const struct fth_client_file *file, uint64_t begin, uint64_t end,
                        struct fth_bytes *to)
{
    struct fth_interval interval;
    uint64_t count = 0, before = 0;
    for (uint64_t at = begin; fth_intervals_within(&file->own, at, end, &interval);
         at = interval.end) {
        if (interval.state & FTH_OWN_ATTACHED)
            continue;
        count++;
        if (!to)
            continue;
        fth_bytes_varint(to, interval.begin - before);
        fth_bytes_varint(to, interval.end - interval.begin);
        fth_bytes_varint(to, interval.place);
        before = interval.end;
    }
    return count;
}

/* Nothing where there are no locks. */
static void put_locked(const struct fth_client_file *file, uint64_t begin, uint64_t end,
                       struct fth_bytes *to)
{
    struct fth_interval lock;
    uint64_t before = 0;
    for (uint64_t at = begin; fth_intervals_within(&file->locked, at, end, &lock); at = lock.end) {
        fth_bytes_varint(to, lock.begin - before);
        fth_bytes_varint(to, lock.end - lock.begin);
        before = lock.end;
    }
}

static void mark(struct fth_client_file *file, uint64_t begin, uint64_t end, uint32_t state)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->own, at, end, &interval);
         at = interval.end) {
        interval.state |= state;
        fth_intervals_put(&file->own, &interval);
    }
}

static void keep(struct fth_intervals *kept, const struct fth_client_file *file, uint64_t begin,
                 uint64_t end)
{
    struct fth_interval interval;
    for (uint64_t at = begin; fth_intervals_within(&file->own, at, end, &interval);
         at = interval.end)
        if (interval.state & FTH_OWN_SHOWN)
            fth_intervals_put(kept, &interval);
}

/* The server may know the places of these bytes, and may know those of older ones still: it may
 * have died before or behind it noted them. */
static void doubt(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    mark(file, begin, end, FTH_OWN_SHOWN);
    keep(&file->doubtful, file, begin, end);
}

bool fth_publish(struct fth_client_file *file, uint64_t begin, uint64_t end)
{
    struct fth_view view;
    uint64_t count = put_new(file, begin, end, NULL);
    if (!count)
        return true;
    fth_client_begin_request(FTH_MESSAGE_ATTACH, file);
    fth_bytes_varint(&fth_client.connection.out, count);
    put_new(file, begin, end, &fth_client.connection.out);
    put_locked(file, begin, end, &fth_client.connection.out);
    if (!fth_connection_ask(&fth_client.connection, &view)) {
        if (errno != ENOLCK)
            doubt(file, begin, end);
        return false;
    }
    mark(file, begin, end, FTH_OWN_ATTACHED | FTH_OWN_SHOWN);
    keep(&file->attached, file, begin, end);
    fth_intervals_cut(&file->doubtful, begin, end);
    fth_intervals_cut(&file->seen, begin, end); /* it is not what others have any more */
    return true;
}
