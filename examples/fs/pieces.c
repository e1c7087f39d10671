/* Reading a range piece by piece. */
#include "pieces.h"

#include <string.h>
#include <unistd.h>

static ssize_t read_here(struct fth_fs_file *file, void *buffer, size_t size, uint64_t offset)
{
    return fth_fs_seek(file, (int64_t)offset, SEEK_SET) < 0 ? -1 : fth_fs_read(file, buffer, size);
}

/* What lies before a piece of somebody else. Zeros stand where nobody wrote. */
static int fill_gap(struct fth_fs_file *file, char *to, size_t size, uint64_t offset)
{
    ssize_t count = size ? read_here(file, to, size, offset) : 0;
    if (count >= 0)
        memset(to + count, 0, size - (size_t)count);
    return count < 0 ? -1 : 0;
}

ssize_t pieces_read(struct fth_fs_file *file, const struct fth_fs_interval *owners, int count,
                    void *buffer, size_t size, int64_t offset)
{
    uint32_t self = fth_fs_self().client;
    uint64_t at = (uint64_t)offset, end = at + size;
    for (int i = 0; i < count && owners[i].begin < end; i++) {
        uint64_t begin = owners[i].begin > at ? owners[i].begin : at;
        uint64_t behind = owners[i].end < end ? owners[i].end : end;
        char *to = (char *)buffer + (begin - (uint64_t)offset);
        if (owners[i].owner.client == self || begin >= behind)
            continue; /* its own bytes are read with the gaps */
        if (fill_gap(file, (char *)buffer + (at - (uint64_t)offset), begin - at, at) ||
            fth_fs_read_peer(file, &owners[i].owner, begin, behind - begin, to) < 0)
            return -1;
        at = behind;
    }
    ssize_t rest =
        at < end ? read_here(file, (char *)buffer + (at - (uint64_t)offset), end - at, at) : 0;
    return rest < 0 ? -1 : (ssize_t)(at - (uint64_t)offset) + rest;
}
