/* Commit consistency: a sync or a close attaches what was written; each read queries. */
#include "model.h"
#include "pieces.h"

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

ssize_t model_write(struct model_file *file, const void *buffer, size_t size, int64_t offset)
{
    return fth_fs_seek(file->file, offset, SEEK_SET) < 0 ? -1
                                                         : fth_fs_write(file->file, buffer, size);
}

ssize_t model_read(struct model_file *file, void *buffer, size_t size, int64_t offset)
{
    struct fth_fs_interval *owners;
    int count;
    if (fth_fs_query(file->file, (uint64_t)offset, size, &owners, &count))
        return -1;
    ssize_t done = pieces_read(file->file, owners, count, buffer, size, offset);
    free(owners);
    return done;
}

int model_sync(struct model_file *file)
{
    return fth_fs_attach_file(file->file);
}

int model_close(struct model_file *file)
{
    int failed = fth_fs_attach_file(file->file);
    failed |= fth_fs_close(file->file);
    free(file);
    return failed;
}
