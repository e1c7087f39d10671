/* Reading, writing, seeking, cutting off, copying. */
#include "prefix/bytes_of_files.h"
#include "prefix/publishing.h"
#include "prefix/prefix_calls.h"
#include "prefix/descriptors.h"
#include "prefix/file_ends.h"
#include "prefix/giving.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- one piece ---- */

static ssize_t (*real_read)(int, void *, size_t), (*real_write)(int, const void *, size_t),
    (*real_pread)(int, void *, size_t, off_t), (*real_pwrite)(int, const void *, size_t, off_t);

static bool is_no_offset(int64_t offset)
{
    if (offset >= 0)
        return false;
    errno = EINVAL;
    return true;
}

static ssize_t in_place_of_read(int file, void *to, size_t size)
{
    if (FTH_LIKELY(!fth_prefix_ours(file)))
        return real_read(file, to, size);
    return fth_prefix_read(file, &(struct iovec){to, size}, 1, FTH_PREFIX_AT_POSITION);
}

static ssize_t in_place_of_write(int file, const void *from, size_t size)
{
    if (FTH_LIKELY(!fth_prefix_ours(file)))
        return real_write(file, from, size);
    return fth_prefix_write(file, &(struct iovec){(void *)from, size}, 1, FTH_PREFIX_AT_POSITION,
                            0);
}

static ssize_t in_place_of_pread(int file, void *to, size_t size, off_t offset)
{
    if (FTH_LIKELY(!fth_prefix_ours(file)))
        return real_pread(file, to, size, offset);
    return is_no_offset(offset) ? -1 : fth_prefix_read(file, &(struct iovec){to, size}, 1, offset);
}

static ssize_t in_place_of_pwrite(int file, const void *from, size_t size, off_t offset)
{
    if (FTH_LIKELY(!fth_prefix_ours(file)))
        return real_pwrite(file, from, size, offset);
    return is_no_offset(offset)
               ? -1
               : fth_prefix_write(file, &(struct iovec){(void *)from, size}, 1, offset, 0);
}

/* ---- several ---- */

static ssize_t (*real_readv)(int, const struct iovec *, int),
    (*real_writev)(int, const struct iovec *, int),
    (*real_preadv)(int, const struct iovec *, int, off_t),
    (*real_pwritev)(int, const struct iovec *, int, off_t),
    (*real_preadv2)(int, const struct iovec *, int, off_t, int),
    (*real_pwritev2)(int, const struct iovec *, int, off_t, int);

static ssize_t in_place_of_readv(int file, const struct iovec *pieces, int count)
{
    return fth_prefix_ours(file) ? fth_prefix_read(file, pieces, count, FTH_PREFIX_AT_POSITION)
                                 : real_readv(file, pieces, count);
}

static ssize_t in_place_of_writev(int file, const struct iovec *pieces, int count)
{
    return fth_prefix_ours(file) ? fth_prefix_write(file, pieces, count, FTH_PREFIX_AT_POSITION, 0)
                                 : real_writev(file, pieces, count);
}

static ssize_t in_place_of_preadv(int file, const struct iovec *pieces, int count, off_t offset)
{
    if (!fth_prefix_ours(file))
        return real_preadv(file, pieces, count, offset);
    return is_no_offset(offset) ? -1 : fth_prefix_read(file, pieces, count, offset);
}

static ssize_t in_place_of_pwritev(int file, const struct iovec *pieces, int count, off_t offset)
{
    if (!fth_prefix_ours(file))
        return real_pwritev(file, pieces, count, offset);
    return is_no_offset(offset) ? -1 : fth_prefix_write(file, pieces, count, offset, 0);
}

enum { KNOWN_FLAGS = RWF_HIPRI | RWF_DSYNC | RWF_SYNC | RWF_APPEND };

static bool is_known(int flags, int64_t offset)
{
    if (flags & ~KNOWN_FLAGS)
        errno = EOPNOTSUPP;
    else if (offset >= FTH_PREFIX_AT_POSITION)
        return true;
    else
        errno = EINVAL;
    return false;
}

static ssize_t in_place_of_preadv2(int file, const struct iovec *pieces, int count, off_t offset,
                                   int flags)
{
    if (!fth_prefix_ours(file))
        return real_preadv2(file, pieces, count, offset, flags);
    return is_known(flags, offset) ? fth_prefix_read(file, pieces, count, offset) : -1;
}

static ssize_t in_place_of_pwritev2(int file, const struct iovec *pieces, int count, off_t offset,
                                    int flags)
{
    if (!fth_prefix_ours(file))
        return real_pwritev2(file, pieces, count, offset, flags);
    return is_known(flags, offset) ? fth_prefix_write(file, pieces, count, offset, flags) : -1;
}

/* ---- positions, ends ---- */

static off_t (*real_lseek)(int, off_t, int);
static int (*real_ftruncate)(int, off_t), (*real_truncate)(const char *, off_t),
    (*real_fallocate)(int, int, off_t, off_t), (*real_fsync)(int), (*real_fdatasync)(int),
    (*real_syncfs)(int), (*real_sync_file_range)(int, off64_t, off64_t, unsigned);
static void (*real_sync)(void);

static off_t in_place_of_lseek(int file, off_t distance, int whence)
{
    return fth_prefix_ours(file) ? fth_prefix_seek(file, distance, whence)
                                 : real_lseek(file, distance, whence);
}

static int in_place_of_ftruncate(int file, off_t length)
{
    if (!fth_prefix_ours(file))
        return real_ftruncate(file, length);
    if (length < 0 || !fth_prefix_writes(file)) {
        errno = EINVAL;
        return -1;
    }
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *ours = fth_prefix_file(file); /* NULL: it was given meanwhile */
    bool done = ours ? fth_prefix_truncate(ours, file, (uint64_t)length)
                     : syscall(SYS_ftruncate, file, length) == 0;
    fth_prefix_leave(signals);
    return done ? 0 : -1;
}

/* Through a descriptor that the program has: to close one of ours would give up the locks of fcntl
 * that it has on the file. false: it has none to write with, or may not write by this path. */
static bool truncate_open_file(const char *path, off_t length, int *result)
{
    char identity[FTH_IDENTITY_MOST];
    struct stat facts;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &facts, 0) || !S_ISREG(facts.st_mode) ||
        facts.st_dev != fth_prefix.device ||
        syscall(SYS_faccessat2, AT_FDCWD, path, W_OK, AT_EACCESS))
        return false;
    fth_prefix_identity(&facts, AT_FDCWD, path, identity);
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_find(identity);
    int writer = file ? fth_prefix_any_writer(file) : -1;
    if (writer >= 0)
        *result = fth_prefix_truncate(file, writer, (uint64_t)length) ? 0 : -1;
    fth_prefix_leave(signals);
    return writer >= 0;
}

/* Through a descriptor where it is a file of ours; with the errors of the system where that cannot
 * be. */
static int in_place_of_truncate(const char *path, off_t length)
{
    char room[PATH_MAX];
    int done;
    fth_prefix_start();
    path = fth_prefix_path(path, room);
    if (fth_prefix.is_on && length >= 0 && truncate_open_file(path, length, &done))
        return done;
    int file = !fth_prefix.is_on || length < 0
                   ? -1
                   : (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return real_truncate(path, length);
    file = fth_prefix_adopt(file, FTH_NOT_CUT);
    int result = file < 0                ? -1
                 : fth_prefix_file(file) ? in_place_of_ftruncate(file, length)
                                         : real_truncate(path, length);
    int error = errno;
    if (file >= 0) {
        if (fth_prefix_closes(file) && !result) {
            result = -1;
            error = errno;
        }
        syscall(SYS_close, file);
    }
    errno = error;
    return result;
}

static bool lengthen(int file, int64_t end)
{
    struct stat facts;
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *ours = fth_prefix_file(file); /* NULL: it was given meanwhile */
    int64_t now = ours ? fth_prefix_end(ours, file) : -1;
    bool done = now >= 0 && (now >= end || fth_prefix_truncate(ours, file, (uint64_t)end));
    if (!ours)
        done = fstat(file, &facts) == 0 &&
               (facts.st_size >= end || syscall(SYS_ftruncate, file, end) == 0);
    fth_prefix_leave(signals);
    return done;
}

/* Room is reserved below; the file becomes longer for those who see it here. */
static int reserve(int file, int mode, off_t offset, off_t bytes)
{
    int64_t end;
    if (mode & ~FALLOC_FL_KEEP_SIZE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    int result = real_fallocate(file, mode | FALLOC_FL_KEEP_SIZE, offset, bytes);
    if (result || mode & FALLOC_FL_KEEP_SIZE || __builtin_add_overflow(offset, bytes, &end))
        return result;
    return lengthen(file, end) ? 0 : -1;
}

static int in_place_of_fallocate(int file, int mode, off_t offset, off_t bytes)
{
    return fth_prefix_ours(file) ? reserve(file, mode, offset, bytes)
                                 : real_fallocate(file, mode, offset, bytes);
}

static int (*real_posix_fallocate)(int, off_t, off_t);

/* Where the folder below cannot reserve room, the end is all that it does. */
static int in_place_of_posix_fallocate(int file, off_t offset, off_t bytes)
{
    int64_t end;
    int before = errno;
    if (!fth_prefix_ours(file))
        return real_posix_fallocate(file, offset, bytes);
    if (offset < 0 || bytes <= 0)
        return EINVAL;
    if (__builtin_add_overflow(offset, bytes, &end))
        return EFBIG;
    if (!fth_prefix_writes(file))
        return EBADF;
    long failed = syscall(SYS_fallocate, file, FALLOC_FL_KEEP_SIZE, offset, bytes);
    int error = (failed && errno != EOPNOTSUPP) || !lengthen(file, end) ? errno : 0;
    errno = before;
    return error;
}

static bool synchronize_all(void)
{
    bool done = true;
    if (!fth_prefix.is_on)
        return true;
    uint64_t signals = fth_prefix_enter();
    if (fth_prefix_publishes(NULL, FTH_AT_SYNC))
        done = fth_prefix_publish_all();
    if (fth_prefix_fetches(NULL, FTH_AT_SYNC))
        fth_prefix_fetch_all();
    fth_prefix_leave(signals);
    return done;
}

static int in_place_of_fsync(int file)
{
    if (!fth_prefix_ours(file))
        return real_fsync(file);
    return fth_prefix_sync(file) ? 0 : -1;
}

static int in_place_of_fdatasync(int file)
{
    if (!fth_prefix_ours(file))
        return real_fdatasync(file);
    return fth_prefix_sync(file) ? 0 : -1;
}

static int in_place_of_sync_file_range(int file, off64_t offset, off64_t bytes, unsigned flags)
{
    if (!fth_prefix_ours(file))
        return real_sync_file_range(file, offset, bytes, flags);
    return fth_prefix_sync(file) ? 0 : -1;
}

static int in_place_of_syncfs(int file)
{
    return synchronize_all() ? real_syncfs(file) : -1;
}

static void in_place_of_sync(void)
{
    synchronize_all();
    real_sync();
}

/* ---- what the kernel would do with the bytes of the file below ---- */

static ssize_t (*real_copy_file_range)(int, off64_t *, int, off64_t *, size_t, unsigned),
    (*real_sendfile)(int, int, off_t *, size_t),
    (*real_splice)(int, off64_t *, int, off64_t *, size_t, unsigned);
static int (*real_ioctl)(int, unsigned long, void *);

static ssize_t refuse(int error)
{
    errno = error;
    return -1;
}

/* Programs read and write then. */
static ssize_t in_place_of_copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at,
                                           size_t size, unsigned flags)
{
    if (fth_prefix_ours(from) || fth_prefix_ours(to))
        return refuse(EXDEV);
    return real_copy_file_range(from, from_at, to, to_at, size, flags);
}

static ssize_t in_place_of_sendfile(int to, int from, off_t *from_at, size_t size)
{
    if (fth_prefix_ours(from) || fth_prefix_ours(to))
        return refuse(EINVAL);
    return real_sendfile(to, from, from_at, size);
}

static ssize_t in_place_of_splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t size,
                                  unsigned flags)
{
    if (fth_prefix_ours(from) || fth_prefix_ours(to))
        return refuse(EINVAL);
    return real_splice(from, from_at, to, to_at, size, flags);
}

/* Commands of file systems clone, compare and move bytes: 'f' and 'X' (linux/fs.h), 0x94 of
 * btrfs; those that every descriptor has are 'T'. */
static int in_place_of_ioctl(int file, unsigned long command, void *argument)
{
    unsigned type = command >> 8 & 0xff;
    bool from = type == 0x94 && fth_prefix_ours((int)(intptr_t)argument);
    if ((fth_prefix_ours(file) || from) && (type == 0x94 || type == 'X'))
        return (int)refuse(EOPNOTSUPP);
    return real_ioctl(file, command, argument);
}

const struct fth_prefix_call fth_prefix_data_calls[] = {
    FTH_PREFIX_ROW(read, read),
    FTH_PREFIX_ROW(__read, read),
    FTH_PREFIX_ROW(__read_chk, read),
    FTH_PREFIX_ROW(pread, pread),
    FTH_PREFIX_ROW(pread64, pread),
    FTH_PREFIX_ROW(__pread64, pread),
    FTH_PREFIX_ROW(__pread_chk, pread),
    FTH_PREFIX_ROW(__pread64_chk, pread),
    FTH_PREFIX_ROW(write, write),
    FTH_PREFIX_ROW(__write, write),
    FTH_PREFIX_ROW(pwrite, pwrite),
    FTH_PREFIX_ROW(pwrite64, pwrite),
    FTH_PREFIX_ROW(__pwrite64, pwrite),
    FTH_PREFIX_ROW(readv, readv),
    FTH_PREFIX_ROW(writev, writev),
    FTH_PREFIX_ROW(preadv, preadv),
    FTH_PREFIX_ROW(preadv64, preadv),
    FTH_PREFIX_ROW(pwritev, pwritev),
    FTH_PREFIX_ROW(pwritev64, pwritev),
    FTH_PREFIX_ROW(preadv2, preadv2),
    FTH_PREFIX_ROW(preadv64v2, preadv2),
    FTH_PREFIX_ROW(pwritev2, pwritev2),
    FTH_PREFIX_ROW(pwritev64v2, pwritev2),
    FTH_PREFIX_ROW(lseek, lseek),
    FTH_PREFIX_ROW(__lseek, lseek),
    FTH_PREFIX_ROW(lseek64, lseek),
    FTH_PREFIX_ROW(ftruncate, ftruncate),
    FTH_PREFIX_ROW(ftruncate64, ftruncate),
    FTH_PREFIX_ROW(truncate, truncate),
    FTH_PREFIX_ROW(truncate64, truncate),
    FTH_PREFIX_ROW(fallocate, fallocate),
    FTH_PREFIX_ROW(fallocate64, fallocate),
    FTH_PREFIX_ROW(posix_fallocate, posix_fallocate),
    FTH_PREFIX_ROW(posix_fallocate64, posix_fallocate),
    FTH_PREFIX_ROW(fsync, fsync),
    FTH_PREFIX_ROW(fdatasync, fdatasync),
    FTH_PREFIX_ROW(syncfs, syncfs),
    FTH_PREFIX_ROW(sync, sync),
    FTH_PREFIX_ROW(sync_file_range, sync_file_range),
    FTH_PREFIX_ROW(copy_file_range, copy_file_range),
    FTH_PREFIX_ROW(sendfile, sendfile),
    FTH_PREFIX_ROW(sendfile64, sendfile),
    FTH_PREFIX_ROW(splice, splice),
    FTH_PREFIX_ROW(ioctl, ioctl),
    {NULL, NULL, NULL}};
