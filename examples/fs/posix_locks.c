/* POSIX consistency by locks: each access is locked first. Locks do not wait: who has lost one
 * before it has written, as another process wants the same bytes, takes it again. */
#include "model.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct model_file {
    struct fth_fs_file *file;
};

struct model_file *model_open(const char *path)
{
    struct model_file *made = malloc(sizeof *made);
    if (made && !(made->file = fth_fs_open(path))) {
        free(made);
        return NULL;
    }
    return made;
}

static int lock(struct model_file *file, size_t size, int64_t offset, enum fth_fs_lock type)
{
    return fth_fs_acquire_lock(file->file, (uint64_t)offset, size, type) ||
                   fth_fs_seek(file->file, offset, SEEK_SET) < 0
               ? -1
               : 0;
}

ssize_t model_write(struct model_file *file, const void *buffer, size_t size, int64_t offset)
{
    ssize_t count;
    do
        count = lock(file, size, offset, FTH_FS_LOCK_WRITE)
                    ? -1
                    : fth_fs_write(file->file, buffer, size);
    while (count < 0 && errno == ENOLCK);
    return count;
}

ssize_t model_read(struct model_file *file, void *buffer, size_t size, int64_t offset)
{
    return lock(file, size, offset, FTH_FS_LOCK_READ) ? -1 : fth_fs_read(file->file, buffer, size);
}

int model_sync(struct model_file *file)
{
    (void)file; /* everything is visible already */
    return 0;
}

int model_close(struct model_file *file)
{
    int failed = fth_fs_release_lock_file(file->file);
    failed |= fth_fs_close(file->file);
    free(file);
    return failed;
}
