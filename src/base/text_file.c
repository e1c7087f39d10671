/* What comes through a pipe is read to its end before anybody sees it, as far as it may be long. */
#include "base/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static int too_long(const char *path, size_t most, struct fth_error **error)
{
    return fth_fail(error, "'%s' is longer than %zu bytes", path, most);
}

static bool write_all(int file, const char *bytes, size_t length)
{
    for (ssize_t written; length; bytes += written, length -= (size_t)written)
        if ((written = write(file, bytes, length)) < 0)
            return false;
    return true;
}

/* Copies what comes into a file in memory; returns that, or -1 and *error. */
static int take_all(int from, const char *path, size_t most, struct fth_error **error)
{
    char bytes[4096];
    ssize_t length;
    size_t taken = 0;
    int to = memfd_create("text", MFD_CLOEXEC);
    bool good = to >= 0;
    while (good && (length = read(from, bytes, sizeof bytes)) != 0) {
        if (length < 0 && errno == EINTR)
            continue;
        taken += length > 0 ? (size_t)length : 0;
        if (taken > most) {
            close(to);
            return too_long(path, most, error);
        }
        good = length > 0 && write_all(to, bytes, (size_t)length);
    }
    if (good && lseek(to, 0, SEEK_SET) == 0)
        return to;
    fth_fail_errno(error, "cannot read '%s'", path);
    if (to >= 0)
        close(to);
    return -1;
}

/* A pipe between two commands, which somebody writes to: not one with a name of its own, which
 * nobody may ever write to. */
static bool is_unnamed_pipe(int file, const struct stat *facts)
{
    struct statfs system;
    return S_ISFIFO(facts->st_mode) && fstatfs(file, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a named pipe" : "a device";
}

/* The descriptor that is to be read; `file` is closed where that is another one. */
static int choose(int file, const char *path, size_t most, struct fth_error **error)
{
    struct stat facts;
    int chosen = -1;
    if (fstat(file, &facts) != 0)
        fth_fail_errno(error, "cannot read '%s'", path);
    else if (S_ISREG(facts.st_mode) && (uintmax_t)facts.st_size <= most)
        return file;
    else if (S_ISREG(facts.st_mode))
        too_long(path, most, error);
    else if (is_unnamed_pipe(file, &facts) || S_ISSOCK(facts.st_mode) || isatty(file))
        chosen = take_all(file, path, most, error);
    else
        fth_fail(error, "'%s' is %s, not a text file", path, kind_of(facts.st_mode));
    close(file);
    return chosen;
}

FILE *fth_text_file(const char *path, size_t most, struct fth_error **error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* nobody may write to a named pipe */
    if (file < 0 || fcntl(file, F_SETFL, 0) != 0) {
        fth_fail_errno(error, "cannot open '%s'", path);
        if (file >= 0)
            close(file);
        return NULL;
    }
    file = choose(file, path, most, error);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    if (!stream && file >= 0) {
        fth_fail_errno(error, "cannot read '%s'", path);
        close(file);
    }
    return stream;
}
