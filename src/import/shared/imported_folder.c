/* Files of a spill folder that an importer makes: see the header. */
#include "import/shared/imported_folder.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/statfs.h>
#include <unistd.h>

/* Bytes: a short program's calls are fewer, and there is room for the files of many programs. As
 * many files on a disk take longer than all else that is done for such programs. */
enum { MOST_SMALL = 32 << 10 };

static bool is_short(const struct fth_imported_folder *folder, int file)
{
    struct statfs facts;
    return fstatfs(file, &facts) != 0 ||
           (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize < folder->least_free;
}

static bool write_all(int file, const uint8_t *from, size_t length, uint64_t at, uint64_t size)
{
    while (length) {
        ssize_t written = pwrite(file, from, length, (off_t)at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        at += (uint64_t)written;
        length -= (size_t)written;
    }
    return !size || ftruncate(file, (off_t)size) == 0;
}

static bool write_file(const char *path, const void *bytes, size_t length, uint64_t at,
                       uint64_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool good = file >= 0 && write_all(file, bytes, length, at, size);
    if (file >= 0)
        good = close(file) == 0 && good;
    return good;
}

/* False: it is to be on disk. */
static bool write_to_memory(struct fth_imported_folder *folder, const char *name, const void *bytes,
                            size_t length, uint64_t at, uint64_t size)
{
    char *path = fth_text_format("%s/%s", folder->memory, name);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    bool good = file >= 0 && !is_short(folder, file) && write_all(file, bytes, length, at, size);
    if (file >= 0)
        good = close(file) == 0 && good;
    if (!good)
        unlink(path);
    free(path);
    return good;
}

void fth_imported_folder_write(struct fth_imported_folder *folder, const char *name,
                               enum fth_imported_place place, const void *bytes, size_t length,
                               uint64_t at, uint64_t size)
{
    bool is_small = place == FTH_IMPORTED_TO_MEMORY && length <= MOST_SMALL;
    if (folder->failed ||
        (is_small && folder->memory && write_to_memory(folder, name, bytes, length, at, size)))
        return;
    char *path = fth_text_format("%s/%s", folder->path, name);
    if (!write_file(path, bytes, length, at, size)) {
        fth_fail_errno(folder->error, "cannot write '%s'", path);
        folder->failed = true;
    }
    free(path);
}
