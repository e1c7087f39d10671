/* Sections that come later: the file is copied up to its END, so that whoever is killed leaves the
 * old one or the new one. */
#include "trace/file/append.h"

#include "trace/file/container.h"
#include "trace/file/temporary.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* Where END begins; -1: that is no whole trace. */
static off_t end_of(int file)
{
    struct stat facts;
    struct fth_section end;
    if (fstat(file, &facts) != 0 || facts.st_size < (off_t)(FTH_HEADER_BYTES + sizeof end))
        return -1;
    off_t at = facts.st_size - (off_t)sizeof end;
    if (pread(file, &end, sizeof end, at) != (ssize_t)sizeof end || end.kind != FTH_SECTION_END)
        return -1;
    return at;
}

static int copy(int from, int to, off_t end)
{
    for (off_t at = 0; at < end;)
        if (sendfile(to, from, &at, (size_t)(end - at)) <= 0)
            return -1;
    return 0;
}

static int write_longer(int from, int to, const char *path, const void *sections, size_t length,
                        struct fth_error **error)
{
    struct fth_section end = {.kind = FTH_SECTION_END};
    off_t at = end_of(from);
    if (at < 0)
        return fth_fail(error, "'%s' is not a complete trace", path);
    if (copy(from, to, at))
        return fth_fail_errno(error, "cannot copy '%s'", path);
    fth_section_seal(&end, XXH64(NULL, 0, FTH_SECTION_END));
    if (fth_write_at(to, sections, length, (uint64_t)at, path, error))
        return -1;
    return fth_write_at(to, &end, sizeof end, (uint64_t)at + length, path, error);
}

void fth_trace_append_forget(const char *path, long pid)
{
    char *temporary = fth_temporary_name(path, pid);
    unlink(temporary);
    free(temporary);
}

int fth_trace_append(const char *path, const void *sections, size_t length,
                     struct fth_error **error)
{
    char *temporary = fth_temporary_name(path, getpid());
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : fth_temporary_open(path, temporary);
    int result = to < 0 ? fth_fail_errno(error, "cannot add to '%s'", path)
                        : write_longer(from, to, path, sections, length, error);
    if (to >= 0 && close(to) != 0 && result == 0)
        result = fth_fail_errno(error, "cannot write '%s'", temporary);
    if (result == 0 && rename(temporary, path) != 0)
        result = fth_fail_errno(error, "cannot rename '%s'", temporary);
    if (result && to >= 0)
        unlink(temporary);
    if (from >= 0)
        close(from);
    free(temporary);
    return result;
}
