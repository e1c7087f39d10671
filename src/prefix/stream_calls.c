/* Streams: those of libc, with its buffers. What libc does underneath them comes here as well
 * (interpose/reach/stdio_tables.h). */
#include "prefix/bytes_of_files.h"
#include "prefix/publishing.h"
#include "prefix/prefix_calls.h"
#include "prefix/descriptors.h"
#include "prefix/file_ends.h"
#include "prefix/giving.h"
#include "prefix/model_choice.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- opening ---- */

static FILE *(*real_fopen)(const char *, const char *),
    *(*real_freopen)(const char *, const char *, FILE *), *(*real_fdopen)(int, const char *),
    *(*real_tmpfile)(void);

/* NULL: its descriptor cannot be used. */
static FILE *adopt(FILE *stream, const char *mode)
{
    if (!stream || !fth_prefix.is_on)
        return stream;
    int descriptor = stream->_fileno;
    enum fth_prefix_cut cut = *mode == 'w' ? FTH_IS_CUT : FTH_NOT_CUT;
    return descriptor < 0 || fth_prefix_adopt(descriptor, cut) >= 0 ? stream : NULL;
}

/* libc opens the file, and cuts it off, by itself: whether it may is asked before. */
static bool may_open(const char *path, const char *mode)
{
    static const int flags_of[] = {O_CREAT | O_TRUNC, O_CREAT};
    const char *known = *mode ? strchr("wa", *mode) : NULL;
    return !known || fth_prefix_may_open(AT_FDCWD, path,
                                         flags_of[*known == 'a'] | (strchr(mode, 'x') ? O_EXCL : 0));
}

/* Without 'm', which asks libc to map the file. */
static const char *without_map(const char *mode, char room[32])
{
    const char *end = strchr(mode, ',');
    const char *map = strchr(mode, 'm');
    if (!map || (end && map > end) || strlen(mode) >= 32)
        return mode;
    char *to = room;
    for (const char *from = mode; *from; from++)
        if (from != map)
            *to++ = *from;
    *to = 0;
    return room;
}

/* As open_new of opens.c, by the mode x of libc. NULL: it is there, or cannot be opened. */
static FILE *open_new(const char *path, const char *mode)
{
    char alone[32];
    int before = errno;
    const char *end = strchrnul(mode, ','), *exclusive = strchrnul(mode, 'x');
    if (!fth_prefix.is_on || *mode != 'w' || exclusive < end || strlen(mode) + 2 > sizeof alone)
        return NULL;
    snprintf(alone, sizeof alone, "wx%s", mode + 1);
    FILE *made = real_fopen(path, alone);
    if (!made)
        errno = before;
    return made;
}

static FILE *in_place_of_fopen(const char *path, const char *mode)
{
    char room[PATH_MAX], plain[32];
    fth_prefix_start();
    path = fth_prefix_path(path, room);
    if (fth_prefix.is_on)
        mode = without_map(mode, plain);
    if (!may_open(path, mode))
        return NULL;
    FILE *made = open_new(path, mode);
    return made ? adopt(made, "") : adopt(real_fopen(path, mode), mode);
}

static FILE *in_place_of_freopen(const char *path, const char *mode, FILE *stream)
{
    char room[PATH_MAX];
    int descriptor = stream->_fileno;
    path = fth_prefix_path(path, room);
    /* what the stream has buffered goes to the file that it leaves */
    if (path && fth_prefix_file(descriptor)) {
        fflush_unlocked(stream);
        fth_prefix_closes(descriptor);
    }
    if (path && !may_open(path, mode)) {
        real_freopen("", "r", stream); /* which closes it */
        errno = EINVAL;
        return NULL;
    }
    return adopt(real_freopen(path, mode, stream), path ? mode : "");
}

/* libc sets O_APPEND where the system says that it is not set. */
static FILE *in_place_of_fdopen(int descriptor, const char *mode)
{
    FILE *stream = real_fdopen(descriptor, mode);
    int before = errno;
    if (!stream || !fth_prefix_ours(descriptor))
        return stream;
    long flags = syscall(SYS_fcntl, descriptor, F_GETFL, 0);
    if (flags & O_APPEND) {
        syscall(SYS_fcntl, descriptor, F_SETFL, flags & ~O_APPEND);
        fth_prefix_set_flags(descriptor, fth_prefix_flags(descriptor) | O_APPEND);
    }
    errno = before;
    return stream;
}

static FILE *in_place_of_tmpfile(void)
{
    fth_prefix_start();
    return adopt(real_tmpfile(), "");
}

static int (*real_fflush)(FILE *);

static int in_place_of_fflush(FILE *stream)
{
    int result = real_fflush(stream);
    if (result || !fth_prefix.is_on)
        return result;
    struct fth_client_file *file = stream ? fth_prefix_ours(stream->_fileno) : NULL;
    if ((stream && !file) || !fth_prefix_publishes(file, FTH_AT_SYNC))
        return result;
    uint64_t signals = fth_prefix_enter();
    bool done = file ? fth_prefix_publish(file, stream->_fileno) : fth_prefix_publish_all();
    fth_prefix_leave(signals);
    return done ? result : EOF;
}

/* ---- underneath ---- */

static ssize_t (*real_IO_file_read)(FILE *, void *, ssize_t),
    (*real_IO_file_write)(FILE *, const void *, ssize_t);
static off64_t (*real_IO_file_seek)(FILE *, off64_t, int);
static int (*real_IO_file_close)(FILE *), (*real_IO_file_stat)(FILE *, void *);

static ssize_t in_place_of_IO_file_read(FILE *stream, void *to, ssize_t size)
{
    if (!fth_prefix_ours(stream->_fileno))
        return real_IO_file_read(stream, to, size);
    return fth_prefix_read(stream->_fileno, &(struct iovec){to, (size_t)size}, 1,
                           FTH_PREFIX_AT_POSITION);
}

enum { IS_ERROR = 0x20 }; /* in _flags (libio.h) */

/* As libc's: how much was written, and where that is not all, the stream has an error. libc knows
 * the position where it is not asked again. */
static ssize_t in_place_of_IO_file_write(FILE *stream, const void *from, ssize_t size)
{
    ssize_t done = 0;
    if (!fth_prefix_ours(stream->_fileno))
        return real_IO_file_write(stream, from, size);
    while (done < size) {
        ssize_t count = fth_prefix_write(
            stream->_fileno, &(struct iovec){(char *)from + done, (size_t)(size - done)}, 1,
            FTH_PREFIX_AT_POSITION, 0);
        if (count < 0) {
            stream->_flags |= IS_ERROR;
            break;
        }
        done += count;
    }
    if (stream->_offset >= 0)
        stream->_offset += done;
    return done;
}

static off64_t in_place_of_IO_file_seek(FILE *stream, off64_t distance, int whence)
{
    return fth_prefix_ours(stream->_fileno) ? fth_prefix_seek(stream->_fileno, distance, whence)
                                            : real_IO_file_seek(stream, distance, whence);
}

static int in_place_of_IO_file_close(FILE *stream)
{
    int failed = fth_prefix_closes(stream->_fileno), error = errno;
    int result = real_IO_file_close(stream);
    if (!failed)
        return result;
    errno = error;
    return -1;
}

static int in_place_of_IO_file_stat(FILE *stream, void *to)
{
    int result = real_IO_file_stat(stream, to);
    struct stat *facts = to;
    struct fth_client_file *file = fth_prefix_ours(stream->_fileno);
    if (result || !file)
        return result;
    uint64_t signals = fth_prefix_enter();
    if (fth_prefix_file(stream->_fileno) == file)
        facts->st_size = fth_prefix_end(file, stream->_fileno);
    fth_prefix_leave(signals);
    return result;
}

/* ---- printing to a descriptor, which libc does past its streams ---- */

static int (*real_vdprintf)(int, const char *, va_list),
    (*real_vdprintf_chk)(int, int, const char *, va_list);

static int print(int descriptor, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again), done = 0;
    va_end(again);
    if (length < 0)
        return -1;
    size_t room = ((size_t)length + 4096) / 4096 * 4096;
    char *text = (char *)syscall(SYS_mmap, NULL, room, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED)
        return -1;
    vsnprintf(text, room, format, arguments);
    while (done >= 0 && done < length) {
        ssize_t count =
            fth_prefix_write(descriptor, &(struct iovec){text + done, (size_t)(length - done)}, 1,
                             FTH_PREFIX_AT_POSITION, 0);
        done = count < 0 ? -1 : done + (int)count;
    }
    syscall(SYS_munmap, text, room);
    return done;
}

static int in_place_of_vdprintf(int descriptor, const char *format, va_list arguments)
{
    return fth_prefix_ours(descriptor) ? print(descriptor, format, arguments)
                                       : real_vdprintf(descriptor, format, arguments);
}

static int in_place_of_vdprintf_chk(int descriptor, int level, const char *format,
                                    va_list arguments)
{
    return fth_prefix_ours(descriptor) ? print(descriptor, format, arguments)
                                       : real_vdprintf_chk(descriptor, level, format, arguments);
}

const struct fth_prefix_call fth_prefix_stream_calls[] = {
    FTH_PREFIX_ROW(fopen, fopen),
    FTH_PREFIX_ROW(fopen64, fopen),
    FTH_PREFIX_ROW(freopen, freopen),
    FTH_PREFIX_ROW(freopen64, freopen),
    FTH_PREFIX_ROW(fdopen, fdopen),
    FTH_PREFIX_ROW(tmpfile, tmpfile),
    FTH_PREFIX_ROW(tmpfile64, tmpfile),
    FTH_PREFIX_ROW(fflush, fflush),
    FTH_PREFIX_ROW(fflush_unlocked, fflush),
    FTH_PREFIX_ROW(_IO_file_read, IO_file_read),
    FTH_PREFIX_ROW(_IO_file_write, IO_file_write),
    FTH_PREFIX_ROW(_IO_file_seek, IO_file_seek),
    FTH_PREFIX_ROW(_IO_file_close, IO_file_close),
    FTH_PREFIX_ROW(_IO_file_stat, IO_file_stat),
    FTH_PREFIX_ROW(vdprintf, vdprintf),
    FTH_PREFIX_ROW(__vdprintf_chk, vdprintf_chk),
    {NULL, NULL, NULL}};
