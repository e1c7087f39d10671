/* The file that a disk is measured with: one without a name, and places in it at random. */
#include "measure/disk_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int fth_disk_open_unnamed(const char *folder, int flags)
{
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);
    if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
        return descriptor;
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.fathom-measure-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkostemp(path, O_CLOEXEC | flags);
    if (descriptor >= 0)
        unlink(path);
    return descriptor;
}

/* Marsaglia's xorshift: the same places on every run. */
uint64_t fth_disk_draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

uint64_t fth_disk_place(struct fth_disk_file *file, uint64_t bytes, uint64_t behind)
{
    return fth_disk_draw(&file->random) % ((file->size - behind) / bytes) * bytes;
}
