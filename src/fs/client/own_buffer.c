/* Appending to the buffer of this client. */
#include "fs/client/own_buffer.h"

#include "base/memory.h"
#include "fs/protocol/buffer_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FEW = 8 /* segments of a buffer at first */ };

uint32_t fth_own_buffer_segments(const struct fth_own_buffer *buffer)
{
    return buffer->most + 1;
}

static size_t map_length(const struct fth_own_buffer *buffer)
{
    return FTH_BUFFER_HEAD + (size_t)fth_own_buffer_segments(buffer) * FTH_BUFFER_SEGMENT;
}

/* Reserves bytes of the file and maps them at their address. */
static bool map_piece(struct fth_own_buffer *buffer, size_t offset, size_t bytes)
{
    int error;
    do
        error = posix_fallocate(buffer->file, (off_t)offset, (off_t)bytes);
    while (error == EINTR);
    if (error) {
        errno = error;
        return false;
    }
    return mmap(buffer->map + offset, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                buffer->file, (off_t)offset) != MAP_FAILED;
}

/* Only those generations that there may be take room. */
static bool map_head(struct fth_own_buffer *buffer)
{
    size_t used = fth_own_buffer_segments(buffer) * sizeof(uint32_t);
    return ftruncate(buffer->file, FTH_BUFFER_HEAD) == 0 && map_piece(buffer, 0, used) &&
           mmap(buffer->map, FTH_BUFFER_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                buffer->file, 0) != MAP_FAILED;
}

bool fth_own_buffer_make(struct fth_own_buffer *buffer, int folder, uint32_t client,
                         uint64_t most_bytes)
{
    char name[32];
    /* one is filled while the reserve is empty */
    uint64_t most = most_bytes ? (most_bytes - 1) / FTH_BUFFER_SEGMENT + 1 : 1;
    snprintf(name, sizeof name, "buffers/%u", client);
    *buffer = (struct fth_own_buffer){
        .file = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600),
        .most = (uint32_t)(most >= FTH_BUFFER_SEGMENTS ? FTH_BUFFER_SEGMENTS - 1 : most),
        .used = FTH_BUFFER_SEGMENT};
    if (buffer->file < 0)
        return false;
    void *map = mmap(NULL, map_length(buffer), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map != MAP_FAILED) {
        buffer->map = map;
        if (map_head(buffer)) {
            buffer->reserve = buffer->most;
            buffer->enough = buffer->most < FEW ? buffer->most : FEW;
            buffer->unused = fth_new(fth_own_buffer_segments(buffer), sizeof *buffer->unused);
            return true;
        }
    }
    int error = errno;
    unlinkat(folder, name, 0);
    close(buffer->file);
    fth_own_buffer_leave(buffer);
    errno = error;
    return false;
}

/* Fills another segment from now on. false: there is none. */
static bool next_segment(struct fth_own_buffer *buffer)
{
    if (buffer->unused_count) {
        buffer->current = buffer->unused[--buffer->unused_count];
    } else {
        size_t offset = FTH_BUFFER_HEAD + (size_t)buffer->made * FTH_BUFFER_SEGMENT;
        if (buffer->made == buffer->enough || !map_piece(buffer, offset, FTH_BUFFER_SEGMENT))
            return false;
        buffer->current = buffer->made++;
    }
    buffer->used = 0;
    return true;
}

/* Behind the last byte, from the next page on. */
static size_t rest(const struct fth_own_buffer *buffer, size_t *begin)
{
    enum { PAGE = 4096 };
    size_t used = (buffer->used + PAGE - 1) / PAGE * PAGE;
    *begin = FTH_BUFFER_HEAD + (size_t)buffer->current * FTH_BUFFER_SEGMENT + used;
    return FTH_BUFFER_SEGMENT - used;
}

/* Nothing more goes into a segment whose room cannot be had again. */
static void take_back_rest(struct fth_own_buffer *buffer)
{
    size_t begin, bytes = rest(buffer, &begin);
    if (!bytes || map_piece(buffer, begin, bytes))
        buffer->cut = 0;
    else
        buffer->used = FTH_BUFFER_SEGMENT;
}

size_t fth_own_buffer_take(struct fth_own_buffer *buffer, size_t want, uint8_t **to,
                           uint64_t *place)
{
    if (buffer->cut == buffer->current + 1)
        take_back_rest(buffer);
    if (buffer->used == FTH_BUFFER_SEGMENT && !next_segment(buffer))
        return 0;
    size_t left = FTH_BUFFER_SEGMENT - buffer->used, count = want < left ? want : left;
    uint64_t offset =
        FTH_BUFFER_HEAD + (uint64_t)buffer->current * FTH_BUFFER_SEGMENT + buffer->used;
    uint64_t generation = ((const uint32_t *)buffer->map)[buffer->current] & 0xffffff;
    *to = buffer->map + offset;
    *place = generation << FTH_PLACE_SHIFT | offset;
    buffer->used += (uint32_t)count;
    return count;
}

uint8_t *fth_own_buffer_change(const struct fth_own_buffer *buffer, uint64_t place)
{
    return buffer->map + fth_place_offset(place);
}

const uint8_t *fth_own_buffer_at(const struct fth_own_buffer *buffer, uint64_t place)
{
    return fth_own_buffer_change(buffer, place);
}

bool fth_own_buffer_grow(struct fth_own_buffer *buffer)
{
    if (buffer->enough == buffer->most)
        return false;
    buffer->enough = buffer->enough < buffer->most / 2 ? 2 * buffer->enough : buffer->most;
    return true;
}

static bool is_unused(const struct fth_own_buffer *buffer, uint32_t segment)
{
    for (uint32_t i = 0; i < buffer->unused_count; i++)
        if (buffer->unused[i] == segment)
            return true;
    return false;
}

/* Whoever has the place of bytes in it finds another generation. */
static void age(struct fth_own_buffer *buffer, uint32_t segment)
{
    __atomic_add_fetch(&((uint32_t *)buffer->map)[segment], 1, __ATOMIC_SEQ_CST);
}

uint32_t fth_own_buffer_recycle(struct fth_own_buffer *buffer, const uint32_t *live)
{
    uint32_t recycled = 0;
    for (uint32_t segment = 0; segment < fth_own_buffer_segments(buffer); segment++) {
        bool is_made = segment < buffer->made || segment == buffer->most;
        if (live[segment] || !is_made || segment == buffer->current || segment == buffer->reserve ||
            segment + 1 == buffer->cut || is_unused(buffer, segment))
            continue;
        age(buffer, segment);
        buffer->unused[buffer->unused_count++] = segment;
        recycled++;
    }
    return recycled;
}

bool fth_own_buffer_use_reserve(struct fth_own_buffer *buffer, uint32_t emptied)
{
    size_t offset = FTH_BUFFER_HEAD + (size_t)buffer->reserve * FTH_BUFFER_SEGMENT;
    if (!map_piece(buffer, offset, FTH_BUFFER_SEGMENT))
        return false;
    if (buffer->cut == buffer->reserve + 1)
        buffer->cut = 0;
    age(buffer, buffer->reserve);
    buffer->current = buffer->reserve;
    buffer->used = 0;
    buffer->reserve = emptied;
    return true;
}

void fth_own_buffer_end(struct fth_own_buffer *buffer)
{
    size_t begin, bytes = rest(buffer, &begin);
    if (buffer->map && !buffer->cut && bytes &&
        fallocate(buffer->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
                  (off_t)bytes) == 0)
        buffer->cut = buffer->current + 1;
}

void fth_own_buffer_leave(struct fth_own_buffer *buffer)
{
    if (buffer->map)
        munmap(buffer->map, map_length(buffer));
    free(buffer->unused);
    *buffer = (struct fth_own_buffer){.map = NULL};
}
