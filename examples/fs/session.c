/* Session consistency: a close attaches, an open queries the whole file, and reads use what it
 * said. */
#include "model.h"
#include "pieces.h"

#include <stdlib.h>
#include <unistd.h>

struct model_file {
    struct fth_fs_file *file;
    struct fth_fs_interval *owners;
    int count;
};

struct model_file *model_open(const char *path)
{
    struct model_file *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->file = fth_fs_open(path);
    if (made->file && !fth_fs_query_file(made->file, &made->owners, &made->count))
        return made;
    if (made->file)
        fth_fs_close(made->file);
    free(made);
    return NULL;
}

ssize_t model_write(struct model_file *file, const void *buffer, size_t size, int64_t offset)
{
    return fth_fs_seek(file->file, offset, SEEK_SET) < 0 ? -1
                                                         : fth_fs_write(file->file, buffer, size);
}

ssize_t model_read(struct model_file *file, void *buffer, size_t size, int64_t offset)
{
    return pieces_read(file->file, file->owners, file->count, buffer, size, offset);
}

int model_sync(struct model_file *file)
{
    (void)file; /* others see it when they open the file after the close */
    return 0;
}

int model_close(struct model_file *file)
{
    int failed = fth_fs_attach_file(file->file);
    failed |= fth_fs_close(file->file);
    free(file->owners);
    free(file);
    return failed;
}
