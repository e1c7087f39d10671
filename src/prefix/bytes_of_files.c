/* Bytes of files of the file system. */
#include "prefix/bytes_of_files.h"

#include "fs/client/publish.h"
#include "fs/client/read_pieces.h"
#include "prefix/file_ends.h"
#include "prefix/fresh_bytes.h"
#include "prefix/giving.h"
#include "prefix/program_memory.h"
#include "prefix/publishing.h"
#include "prefix/quick_reads.h"
#include "prefix/vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Asks who has what. What this process attached and nobody has any more is gone. */
static bool query(struct fth_client_file *file)
{
    file->wants_query = false;
    if (!fth_prefix_is_known(file)) {
        fth_intervals_free(&file->own);
        fth_intervals_free(&file->attached);
        fth_intervals_free(&file->seen);
        file->seen_end = 0;
        return true;
    }
    if (fth_read_pieces_query(file, 0, INT64_MAX)) {
        if (!file->seen.count)
            fth_intervals_free(&file->attached);
        return true;
    }
    file->wants_query = true;
    return false;
}

/* With its first descriptor a file may be another one of the same number: what was known of it is
 * asked for again. */
bool fth_prefix_opens(struct fth_client_file *file, bool truncated)
{
    if (!file->handles) {
        file->writer = -1;
        file->is_of_mpi = fth_prefix_mpi_opens;
    } else if (file->is_of_mpi && !fth_prefix_mpi_opens) {
        file->is_of_mpi = false;
        if (!fth_prefix_publish(file, -1))
            return false;
    }
    if (truncated && !fth_prefix_tell_length(file, -1, 0))
        return false;
    if (fth_prefix_publishes(file, FTH_AT_OPEN) && !fth_prefix_publish(file, -1))
        return false;
    if (fth_prefix_fetches(file, FTH_AT_OPEN))
        file->wants_query = true;
    return file->handles || query(file);
}

/* ---- reading ---- */

static ssize_t read_piece(struct fth_client_file *file, int descriptor, void *to, size_t size,
                          uint64_t offset)
{
    if (fth_prefix_fresh_is_due(file) && !fth_prefix_publish(file, descriptor))
        return -1;
    if (fth_prefix_fetches(file, FTH_AT_ACCESS) && fth_prefix_is_known(file)) {
        if (!fth_read_pieces_query(file, offset, offset + size))
            return -1;
    } else if ((file->wants_query || fth_prefix_seen_is_due(file)) && !query(file)) {
        return -1;
    }
    file->below = descriptor;
    ssize_t count = fth_read_pieces(file, offset, to, size, true);
    file->below = -1;
    if (count > 0)
        fth_prefix_open_window(file, offset);
    return count;
}

/* At the end of the file nothing is put anywhere. */
static ssize_t read_nowhere(struct fth_client_file *file, int descriptor, uint64_t offset)
{
    char byte;
    ssize_t got = read_piece(file, descriptor, &byte, 1, offset);
    if (got > 0)
        errno = EFAULT;
    return got > 0 ? -1 : got;
}

/* As much of the piece as there is memory for. */
static ssize_t read_to(struct fth_client_file *file, int descriptor, void *to, size_t size,
                       uint64_t offset)
{
    size_t there = fth_memory_there(to, size, true);
    return there || !size ? read_piece(file, descriptor, to, there, offset)
                          : read_nowhere(file, descriptor, offset);
}

static ssize_t read_all(struct fth_client_file *file, int descriptor, const struct iovec *pieces,
                        int count, uint64_t offset)
{
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        size_t size = pieces[i].iov_len < (size_t)(FTH_VECTOR_MOST - done)
                          ? pieces[i].iov_len
                          : FTH_VECTOR_MOST - (size_t)done;
        if (!size)
            continue;
        ssize_t got =
            read_to(file, descriptor, pieces[i].iov_base, size, offset + (uint64_t)done);
        if (got < 0)
            return done ? done : -1;
        done += got;
        if ((size_t)got < pieces[i].iov_len)
            break;
    }
    return done;
}

static int64_t move_position(int descriptor, int64_t distance)
{
    return syscall(SYS_lseek, descriptor, distance, SEEK_CUR);
}

static bool read_quickly(int descriptor, const struct iovec *pieces, int count, int64_t offset)
{
    const struct fth_client_file *file = fth_prefix_file(descriptor);
    return count == 1 && file &&
           fth_prefix_read_quickly(file, pieces->iov_base, pieces->iov_len, (uint64_t)offset);
}

static ssize_t read_from(int descriptor, const struct iovec *pieces, int count, int64_t bytes,
                         int64_t offset)
{
    if (read_quickly(descriptor, pieces, count, offset))
        return bytes;
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_file(descriptor); /* NULL: it was given meanwhile */
    ssize_t done = file ? read_all(file, descriptor, pieces, count, (uint64_t)offset)
                        : syscall(SYS_preadv2, descriptor, pieces, count, offset, 0, 0);
    fth_prefix_leave(signals);
    return done;
}

/* Takes the bytes from the position on before it reads them, so that nobody else takes them. */
static ssize_t read_from_position(int descriptor, const struct iovec *pieces, int count,
                                  int64_t bytes)
{
    int64_t behind = move_position(descriptor, bytes);
    if (behind < 0)
        return -1;
    ssize_t done = read_from(descriptor, pieces, count, bytes, behind - bytes);
    int error = errno;
    if (done < bytes)
        move_position(descriptor, (done < 0 ? 0 : done) - bytes);
    errno = error;
    return done;
}

ssize_t fth_prefix_read(int descriptor, const struct iovec *pieces, int count, int64_t offset)
{
    int64_t bytes = fth_vector_bytes(pieces, count), before = errno;
    if (bytes < 0)
        return -1;
    if (!fth_prefix_reads(descriptor)) {
        errno = EBADF;
        return -1;
    }
    if (!fth_vector_is_within(offset, bytes))
        return -1;
    ssize_t done = offset == FTH_PREFIX_AT_POSITION
                       ? read_from_position(descriptor, pieces, count, bytes)
                       : read_from(descriptor, pieces, count, bytes, offset);
    if (done >= 0)
        errno = (int)before;
    return done;
}

/* ---- writing ---- */

static bool is_ready(struct fth_client_file *file, int descriptor)
{
    if (!fth_client_ready())
        return false;
    if (!file->is_held)
        file->is_held = fth_prefix_hold(file, descriptor);
    return file->is_held;
}

static ssize_t write_all(struct fth_client_file *file, const struct iovec *pieces, int count,
                         uint64_t offset, int64_t bytes)
{
    ssize_t done = 0;
    for (int i = 0; i < count && done < bytes; i++) {
        size_t left = (size_t)(bytes - done),
               size = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        if (size && !fth_publish_write(file, offset + (uint64_t)done, pieces[i].iov_base, size))
            return done ? done : -1;
        done += (ssize_t)size;
    }
    return done;
}

/* Programs, libraries and scripts, as the system tells them from others. */
static bool begins_program(const struct iovec *piece)
{
    const char *bytes = piece->iov_base;
    return piece->iov_len >= 4 && fth_memory_there(bytes, 4, false) == 4 &&
           (memcmp(bytes, "\177ELF", 4) == 0 || memcmp(bytes, "#!", 2) == 0);
}

static ssize_t write_at(struct fth_client_file *file, int descriptor, const struct iovec *pieces,
                        int count, int64_t offset, int64_t bytes)
{
    if (!fth_vector_is_within(offset, bytes))
        return -1;
    file->writer = descriptor;
    fth_prefix.was_early = false;
    ssize_t done = write_all(file, pieces, count, (uint64_t)offset, bytes);
    if (done > 0)
        fth_prefix_fresh_put(file, descriptor, (uint64_t)offset, (uint64_t)(offset + done));
    file->is_written = true;
    if (!offset && count && begins_program(pieces))
        file->is_program = true;
    if (done > 0 &&
        (fth_prefix_publishes(file, FTH_AT_ACCESS) || fth_prefix_fresh_is_due(file) || fth_prefix.was_early) &&
        !fth_prefix_publish(file, descriptor))
        return -1;
    return done;
}

static bool appends(int descriptor, int flags)
{
    return (flags & RWF_APPEND) ||
           (!(flags & RWF_NOAPPEND) && fth_prefix_appends(descriptor));
}

static ssize_t append(struct fth_client_file *file, int descriptor, const struct iovec *pieces,
                      int count, int64_t bytes, bool moves)
{
    int64_t begin = fth_prefix_reserve(file, descriptor, bytes);
    ssize_t done = begin < 0 ? -1 : write_at(file, descriptor, pieces, count, begin, bytes);
    if (moves && done >= 0)
        syscall(SYS_lseek, descriptor, begin + done, SEEK_SET);
    return done;
}

static ssize_t write_from(struct fth_client_file *file, int descriptor, const struct iovec *pieces,
                          int count, int64_t bytes)
{
    int64_t behind = move_position(descriptor, bytes);
    if (behind < 0)
        return -1;
    ssize_t done = write_at(file, descriptor, pieces, count, behind - bytes, bytes);
    if (done < bytes)
        move_position(descriptor, (done < 0 ? 0 : done) - bytes);
    return done;
}

/* Of a file that was given to the system since the call began: EXDEV. */
static ssize_t write_ours(int descriptor, const struct iovec *pieces, int count, int64_t bytes,
                          int64_t offset, int flags)
{
    bool moves = offset == FTH_PREFIX_AT_POSITION;
    struct fth_client_file *file = fth_prefix_file(descriptor);
    if (!file)
        errno = EXDEV;
    if (!file || !is_ready(file, descriptor))
        return -1;
    return appends(descriptor, flags) ? append(file, descriptor, pieces, count, bytes, moves)
           : moves                    ? write_from(file, descriptor, pieces, count, bytes)
                                      : write_at(file, descriptor, pieces, count, offset, bytes);
}

ssize_t fth_prefix_write(int descriptor, const struct iovec *pieces, int count, int64_t offset,
                         int flags)
{
    int64_t bytes = fth_vector_bytes(pieces, count);
    int before = errno;
    if (bytes <= 0)
        return bytes < 0 ? -1 : fth_prefix_writes(descriptor) ? 0 : (errno = EBADF, -1);
    if (!fth_prefix_writes(descriptor)) {
        errno = EBADF;
        return -1;
    }
    bytes = fth_vector_usable(pieces, count, bytes);
    if (!bytes)
        return -1;
    uint64_t signals = fth_prefix_enter();
    ssize_t done = write_ours(descriptor, pieces, count, bytes, offset, flags);
    fth_prefix_leave(signals);
    if (done < 0 && errno == EXDEV && fth_prefix_give(descriptor))
        done = syscall(SYS_pwritev2, descriptor, pieces, count, offset, 0, flags);
    if (done >= 0)
        errno = before;
    return done;
}

/* ---- seeking ---- */

static int64_t seek_from_end(struct fth_client_file *file, int descriptor, int64_t distance,
                             int whence)
{
    int64_t end = fth_prefix_end(file, descriptor), to;
    if (end < 0)
        return -1;
    if (whence == SEEK_END) {
        if (__builtin_add_overflow(end, distance, &to)) {
            errno = EOVERFLOW;
            return -1;
        }
        return syscall(SYS_lseek, descriptor, to, SEEK_SET);
    }
    if (distance < 0 || distance >= end) {
        errno = ENXIO;
        return -1;
    }
    return syscall(SYS_lseek, descriptor, whence == SEEK_DATA ? distance : end, SEEK_SET);
}

int64_t fth_prefix_seek(int descriptor, int64_t distance, int whence)
{
    if (whence != SEEK_END && whence != SEEK_DATA && whence != SEEK_HOLE)
        return syscall(SYS_lseek, descriptor, distance, whence);
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_file(descriptor);
    int64_t position = file ? seek_from_end(file, descriptor, distance, whence)
                            : syscall(SYS_lseek, descriptor, distance, whence);
    fth_prefix_leave(signals);
    return position;
}

/* What is attached survives the process; to bring the file below to the disk would add nothing, as
 * its bytes are not there yet. */
bool fth_prefix_sync(int descriptor)
{
    bool done = true;
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *ours = fth_prefix_file(descriptor);
    if (!ours)
        done = syscall(SYS_fsync, descriptor) == 0;
    else if (fth_prefix_publishes(ours, FTH_AT_SYNC))
        done = fth_prefix_publish(ours, descriptor);
    if (ours && fth_prefix_fetches(ours, FTH_AT_SYNC))
        fth_prefix_fetch(ours);
    fth_prefix_leave(signals);
    return done;
}
