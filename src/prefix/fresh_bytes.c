/* What is not attached yet. */
#include "prefix/fresh_bytes.h"

#include "prefix/prefix_paths.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* NULL: there is no room for it, so nobody will be told. */
static struct fth_unsaved_file *line_of(struct fth_client_file *file, int descriptor)
{
    char link[48], name[PATH_MAX];
    if (file->unsaved)
        return file->unsaved;
    if (!fth_client.unsaved)
        fth_client.unsaved =
            fth_unsaved_make(fth_client.instance.folder, fth_client.connection.number);
    if (!fth_client.unsaved)
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
    name[length > 0 ? length : 0] = 0;
    fth_prefix_path_back(name, sizeof name);
    file->unsaved = fth_unsaved_add(fth_client.unsaved, name);
    return file->unsaved;
}

void fth_fresh_put(struct fth_client_file *file, int descriptor, uint64_t begin, uint64_t end)
{
    struct fth_unsaved_file *line = line_of(file, descriptor);
    if (line)
        fth_unsaved_put(line, begin, end);
    if (!fth_fresh_has(file)) {
        file->fresh_begin = begin;
        file->fresh_end = end;
    }
    file->fresh_begin = begin < file->fresh_begin ? begin : file->fresh_begin;
    file->fresh_end = end > file->fresh_end ? end : file->fresh_end;
}

void fth_fresh_cut(struct fth_client_file *file, uint64_t length)
{
    file->fresh_end = file->fresh_end < length ? file->fresh_end : length;
    if (file->unsaved && file->unsaved->end > length)
        file->unsaved->end = length;
    if (!fth_fresh_has(file))
        fth_fresh_clear(file);
}

void fth_fresh_clear(struct fth_client_file *file)
{
    file->fresh_begin = file->fresh_end = 0;
    if (file->unsaved)
        fth_unsaved_clear(file->unsaved);
}
