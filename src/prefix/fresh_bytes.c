/* What is not attached yet. */
#include "prefix/fresh_bytes.h"

#include "prefix/descriptor_table.h"
#include "prefix/prefix_paths.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* NULL: there is no room for one. */
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

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

bool fth_prefix_fresh_is_due(const struct fth_client_file *file)
{
    return fth_prefix_publishes(file, FTH_AT_BOUND) && fth_prefix_fresh_has(file) &&
           now() - file->fresh_since >= fth_client.instance.within;
}

bool fth_prefix_seen_is_due(struct fth_client_file *file)
{
    if (!fth_prefix_fetches(file, FTH_AT_BOUND) ||
        now() - file->seen_since < fth_client.instance.within)
        return false;
    file->seen_since = now();
    return true;
}

void fth_prefix_fresh_put(struct fth_client_file *file, int descriptor, uint64_t begin, uint64_t end)
{
    struct fth_unsaved_file *line = line_of(file, descriptor);
    if (line)
        fth_unsaved_put(line, begin, end);
    if (!fth_prefix_fresh_has(file)) {
        file->fresh_begin = begin;
        file->fresh_end = end;
        file->fresh_since = fth_prefix_publishes(file, FTH_AT_BOUND) ? now() : 0;
    }
    file->fresh_begin = begin < file->fresh_begin ? begin : file->fresh_begin;
    file->fresh_end = end > file->fresh_end ? end : file->fresh_end;
}

void fth_prefix_fresh_cut(struct fth_client_file *file, uint64_t length)
{
    file->fresh_end = file->fresh_end < length ? file->fresh_end : length;
    if (file->unsaved && file->unsaved->end > length)
        file->unsaved->end = length;
    if (!fth_prefix_fresh_has(file))
        fth_prefix_fresh_clear(file);
}

void fth_prefix_fresh_clear(struct fth_client_file *file)
{
    file->fresh_begin = file->fresh_end = 0;
    if (file->unsaved)
        fth_unsaved_clear(file->unsaved);
}

int fth_prefix_writer_of(const struct fth_client_file *file, int descriptor)
{
    if (fth_prefix_file(descriptor) == file && fth_prefix_writes(descriptor))
        return descriptor;
    return fth_prefix_file(file->writer) == file ? file->writer : -1;
}

void fth_prefix_tell_times(struct fth_client_file *file, int descriptor)
{
    static const struct timespec now[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
    int writer = fth_prefix_writer_of(file, descriptor);
    if (file->is_written && writer >= 0)
        syscall(SYS_utimensat, writer, NULL, now, 0);
    file->is_written = false;
}
