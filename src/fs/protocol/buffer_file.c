/* Reading from the buffers of clients. */
#include "fs/protocol/buffer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPEN = 256 };

bool fth_buffer_file_open(struct fth_buffer_file *buffer, int folder, uint32_t client)
{
    char name[32];
    snprintf(name, sizeof name, "buffers/%u", client);
    buffer->file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (buffer->file >= 0)
        return true;
    buffer->file = 0;
    return false;
}

bool fth_buffer_file_may_hold(const struct fth_buffer_file *buffer, uint64_t bytes)
{
    enum { BLOCK = 512 };
    struct stat facts;
    return bytes <= FTH_BUFFER_SEGMENT ||
           (fstat(buffer->file, &facts) == 0 && bytes / BLOCK <= (uint64_t)facts.st_blocks);
}

/* false: there are not so many. */
static bool read_all(const struct fth_buffer_file *buffer, uint64_t offset, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t count =
            pread(buffer->file, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (!count || (count < 0 && errno != EINTR))
            return false;
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

static bool is_generation_of(const struct fth_buffer_file *buffer, uint64_t place, uint64_t bytes)
{
    enum { AT_ONCE = 16 };
    uint32_t found[AT_ONCE], last = fth_place_segment(place + bytes - 1);
    for (uint32_t first = fth_place_segment(place); first <= last; first += AT_ONCE) {
        uint32_t count = last - first < AT_ONCE ? last - first + 1 : AT_ONCE;
        if (!read_all(buffer, first * sizeof *found, found, count * sizeof *found))
            return false;
        for (uint32_t i = 0; i < count; i++)
            if ((found[i] & 0xffffff) != place >> FTH_PLACE_SHIFT)
                return false;
    }
    return true;
}

/* A segment gets its next generation before its bytes are written over: those that were copied
 * before it had another one are what they were. */
bool fth_buffer_file_copy(const struct fth_buffer_file *buffer, uint64_t place, void *to,
                          size_t bytes)
{
    uint64_t offset = fth_place_offset(place);
    if (!bytes || offset < FTH_BUFFER_HEAD || bytes > UINT64_C(1) << FTH_PLACE_SHIFT ||
        fth_place_segment(place + bytes - 1) >= FTH_BUFFER_SEGMENTS ||
        !read_all(buffer, offset, to, bytes))
        return false;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return is_generation_of(buffer, place, bytes);
}

void fth_buffer_file_close(struct fth_buffer_file *buffer)
{
    if (buffer->file > 0)
        close(buffer->file);
    buffer->file = 0;
}

struct fth_buffer_file *fth_buffer_file_of(struct fth_keyed *open, int folder, uint32_t client)
{
    if (fth_keyed_count(open) > MOST_OPEN)
        fth_buffer_file_close_all(open);
    struct fth_buffer_file *buffer = fth_keyed_get(open, &client, sizeof client);
    return buffer->file > 0 || fth_buffer_file_open(buffer, folder, client) ? buffer : NULL;
}

void fth_buffer_file_close_all(struct fth_keyed *open)
{
    size_t size = open->size;
    for (uint32_t i = 0; i < fth_keyed_count(open); i++)
        fth_buffer_file_close(fth_keyed_item(open, i));
    fth_keyed_free(open);
    *open = (struct fth_keyed){.size = size};
}
