/* Open files and their bytes. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { KEPT = O_ACCMODE | O_SYNC | O_DSYNC };

/* NULL: errno is set, and the descriptor, if it is one, is closed. */
static struct fth_mount_handle *take(struct fth_mount_node *node, int file,
                                     struct fuse_file_info *info)
{
    bool writes = (info->flags & O_ACCMODE) != O_RDONLY;
    struct fth_mount_handle *handle = file < 0 ? NULL : fth_mount_handle(node, file, writes);
    info->fh = (uintptr_t)handle;
    info->direct_io = 1;
    return handle;
}

/* The file is known to be the right one before it is cut off. */
static int open_file(struct fth_mount_node *node, int flags)
{
    int file = fth_mount_open(node, flags & KEPT);
    if (file < 0 || !(flags & O_TRUNC) || ftruncate(file, 0) == 0)
        return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

static void open_known(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    struct fth_mount_node *node = fth_mount_node(number);
    struct fth_mount_handle *handle = take(node, open_file(node, info->flags), info);
    if (!handle)
        fuse_reply_err(request, errno);
    else if (fuse_reply_open(request, info))
        fth_mount_close(node, handle);
}

/* Made by this call; or by another one before, and may be opened: 0. */
static int make_new(const struct fth_mount_node *parent, const char *name, mode_t mode, int flags,
                    int *file)
{
    enum { ALONE = O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
    *file = openat(parent->folder, name, (flags & KEPT) | ALONE, mode);
    return *file >= 0 || (errno == EEXIST && !(flags & O_EXCL)) ? 0 : -1;
}

/* The node of what is open, or with -1 is to be opened. Takes the descriptor. NULL: errno is
 * set. */
static struct fth_mount_handle *open_made(struct fth_mount_node *node, int file,
                                          struct fuse_file_info *info)
{
    if (file < 0)
        return take(node, open_file(node, info->flags), info);
    if (fth_mount_is_of(file, node))
        return take(node, file, info);
    close(file);
    errno = ESTALE;
    return NULL;
}

static void create(fuse_req_t request, fuse_ino_t number, const char *name, mode_t mode,
                   struct fuse_file_info *info)
{
    struct fth_mount_node *parent = fth_mount_node(number), *node;
    struct fuse_entry_param entry = {.attr_timeout = 0};
    int file;
    if (make_new(parent, name, mode, info->flags, &file)) {
        fuse_reply_err(request, errno);
        return;
    }
    node = fth_mount_look_up(parent, name, &entry.attr);
    if (!node) {
        int error = errno;
        if (file >= 0)
            close(file);
        fuse_reply_err(request, error);
        return;
    }
    struct fth_mount_handle *handle = open_made(node, file, info);
    entry.ino = (fuse_ino_t)node;
    if (!handle)
        fuse_reply_err(request, errno);
    else if (!fuse_reply_create(request, &entry, info))
        return;
    else
        fth_mount_close(node, handle);
    fth_mount_forget(node, 1);
}

static void read_bytes(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset,
                       struct fuse_file_info *info)
{
    char *buffer = malloc(size ? size : 1);
    (void)number;
    ssize_t count = -1;
    if (buffer)
        count = pread(fth_mount_handle_of(info)->file, buffer, size, offset);
    if (count < 0)
        fuse_reply_err(request, errno);
    else
        fuse_reply_buf(request, buffer, (size_t)count);
    free(buffer);
}

/* Where the file ends is known here, not by the kernel. */
static ssize_t put(int file, int flags, const char *buffer, size_t size, off_t offset)
{
    const struct iovec bytes = {(void *)buffer, size};
    return flags & O_APPEND ? pwritev2(file, &bytes, 1, -1, RWF_APPEND)
                            : pwrite(file, buffer, size, offset);
}

static void write_bytes(fuse_req_t request, fuse_ino_t number, const char *buffer, size_t size,
                        off_t offset, struct fuse_file_info *info)
{
    (void)number;
    ssize_t count = put(fth_mount_handle_of(info)->file, info->flags, buffer, size, offset);
    if (count < 0)
        fuse_reply_err(request, errno);
    else
        fuse_reply_write(request, (size_t)count);
}

/* Somebody closes a descriptor, which is the last one of a process, or not: nobody here knows. That
 * gives up its locks, and to give up a lock publishes under every model, so what an ended program
 * has written is never kept back by others that have the file open. */
static int publish(int file)
{
    struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_OFD_SETLK, &all);
}

static void flush(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    int error = publish(fth_mount_handle_of(info)->file) ? errno : 0;
    fth_mount_unlock(fth_mount_node(number), info->lock_owner);
    fuse_reply_err(request, error);
}

static void release(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    struct fth_mount_node *node = fth_mount_node(number);
    fth_mount_unlock_handle(node, fth_mount_handle_of(info));
    fth_mount_close(node, fth_mount_handle_of(info));
    fuse_reply_err(request, 0);
}

static void sync_bytes(fuse_req_t request, fuse_ino_t number, int only_bytes,
                       struct fuse_file_info *info)
{
    int file = fth_mount_handle_of(info)->file;
    (void)number;
    fuse_reply_err(request, (only_bytes ? fdatasync(file) : fsync(file)) ? errno : 0);
}

static void reserve(fuse_req_t request, fuse_ino_t number, int mode, off_t offset, off_t length,
                    struct fuse_file_info *info)
{
    (void)number;
    fuse_reply_err(request,
                   fallocate(fth_mount_handle_of(info)->file, mode, offset, length) ? errno : 0);
}

/* SEEK_DATA and SEEK_HOLE. */
static void seek(fuse_req_t request, fuse_ino_t number, off_t offset, int whence,
                 struct fuse_file_info *info)
{
    int file = fth_mount_open(fth_mount_node(number), O_RDONLY);
    off_t found = file < 0 ? -1 : lseek(file, offset, whence);
    int error = errno;
    (void)info;
    if (file >= 0)
        close(file);
    if (found < 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_lseek(request, found);
}

void fth_mount_add_bytes(struct fuse_lowlevel_ops *operations)
{
    operations->open = open_known;
    operations->create = create;
    operations->read = read_bytes;
    operations->write = write_bytes;
    operations->flush = flush;
    operations->release = release;
    operations->fsync = sync_bytes;
    operations->fallocate = reserve;
    operations->lseek = seek;
}
