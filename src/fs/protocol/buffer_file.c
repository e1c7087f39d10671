/* Reading from the buffers of clients. */
#include "fs/protocol/buffer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OPEN = 256 };

static bool map_all(struct fth_buffer_file *buffer)
{
    struct stat status;
    if (fstat(buffer->file, &status) || status.st_size < FTH_BUFFER_HEAD)
        return false;
    if (buffer->map && (size_t)status.st_size == buffer->length)
        return true;
    if (buffer->map)
        munmap(buffer->map, buffer->length);
    buffer->length = (size_t)status.st_size;
    void *map = mmap(NULL, buffer->length, PROT_READ, MAP_SHARED, buffer->file, 0);
    buffer->map = map == MAP_FAILED ? NULL : map;
    return buffer->map != NULL;
}

bool fth_buffer_file_open(struct fth_buffer_file *buffer, int folder, uint32_t client)
{
    char name[32];
    snprintf(name, sizeof name, "buffers/%u", client);
    *buffer =
        (struct fth_buffer_file){.file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
    if (buffer->file < 0)
        return false;
    if (map_all(buffer))
        return true;
    fth_buffer_file_close(buffer);
    errno = EIO;
    return false;
}

static bool same_generation(const struct fth_buffer_file *buffer, uint64_t place, uint64_t bytes)
{
    const uint32_t *generations = (const uint32_t *)buffer->map;
    uint32_t first = fth_place_segment(place), last = fth_place_segment(place + bytes - 1);
    for (uint32_t segment = first; segment <= last; segment++)
        if ((__atomic_load_n(&generations[segment], __ATOMIC_ACQUIRE) & 0xffffff) !=
            place >> FTH_PLACE_SHIFT)
            return false;
    return true;
}

bool fth_buffer_file_holds(struct fth_buffer_file *buffer, uint64_t place, uint64_t bytes)
{
    uint64_t offset = fth_place_offset(place);
    if (!bytes || offset < FTH_BUFFER_HEAD || bytes > UINT64_C(1) << FTH_PLACE_SHIFT)
        return false;
    if (offset + bytes > buffer->length && (!map_all(buffer) || offset + bytes > buffer->length))
        return false;
    return fth_place_segment(place + bytes - 1) < FTH_BUFFER_SEGMENTS &&
           same_generation(buffer, place, bytes);
}

bool fth_buffer_file_copy(struct fth_buffer_file *buffer, uint64_t place, void *to, size_t bytes)
{
    if (!fth_buffer_file_holds(buffer, place, bytes))
        return false;
    memcpy(to, buffer->map + fth_place_offset(place), bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return same_generation(buffer, place, bytes);
}

void fth_buffer_file_close(struct fth_buffer_file *buffer)
{
    if (buffer->map)
        munmap(buffer->map, buffer->length);
    if (buffer->file > 0)
        close(buffer->file);
    *buffer = (struct fth_buffer_file){.map = NULL};
}

struct fth_buffer_file *fth_buffer_file_of(struct fth_keyed *open, int folder, uint32_t client)
{
    if (fth_keyed_count(open) > MOST_OPEN)
        fth_buffer_file_close_all(open);
    struct fth_buffer_file *buffer = fth_keyed_get(open, &client, sizeof client);
    return buffer->map || fth_buffer_file_open(buffer, folder, client) ? buffer : NULL;
}

void fth_buffer_file_close_all(struct fth_keyed *open)
{
    size_t size = open->size;
    for (uint32_t i = 0; i < fth_keyed_count(open); i++)
        fth_buffer_file_close(fth_keyed_item(open, i));
    fth_keyed_free(open);
    *open = (struct fth_keyed){.size = size};
}
