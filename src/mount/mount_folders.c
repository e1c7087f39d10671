/* Reading folders. */
#include "mount/mount.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder that somebody reads. */
struct listing {
    DIR *entries;
    pthread_mutex_t lock;
    off_t at;               /* where `entries` stands */
    struct dirent *pending; /* was read, and found no room */
};

static struct listing *listing_of(const struct fuse_file_info *info)
{
    return (struct listing *)(uintptr_t)info->fh;
}

static void open_listing(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    struct listing *listing = calloc(1, sizeof *listing);
    int file = listing
                   ? openat(fth_mount_node(number)->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                   : -1;
    if (file < 0 || !(listing->entries = fdopendir(file))) {
        int error = listing ? errno : ENOMEM;
        if (file >= 0)
            close(file);
        free(listing);
        fuse_reply_err(request, error);
        return;
    }
    pthread_mutex_init(&listing->lock, NULL);
    info->fh = (uintptr_t)listing;
    fuse_reply_open(request, info);
}

/* Entries from `offset` on, as many as there is room for. -1: errno is set. */
static ssize_t fill(fuse_req_t request, struct listing *listing, char *buffer, size_t room,
                    off_t offset)
{
    size_t used = 0;
    if (offset != listing->at) {
        seekdir(listing->entries, offset);
        listing->at = offset;
        listing->pending = NULL;
    }
    for (;;) {
        errno = 0;
        struct dirent *entry = listing->pending ? listing->pending : readdir(listing->entries);
        if (!entry)
            return errno && !used ? -1 : (ssize_t)used;
        struct stat facts = {.st_ino = entry->d_ino, .st_mode = DTTOIF(entry->d_type)};
        size_t size = fuse_add_direntry(request, buffer + used, room - used, entry->d_name, &facts,
                                        entry->d_off);
        listing->pending = size > room - used ? entry : NULL;
        if (listing->pending)
            return (ssize_t)used;
        used += size;
        listing->at = entry->d_off;
    }
}

static void read_listing(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset,
                         struct fuse_file_info *info)
{
    struct listing *listing = listing_of(info);
    char *buffer = malloc(size ? size : 1);
    (void)number;
    if (!buffer) {
        fuse_reply_err(request, ENOMEM);
        return;
    }
    pthread_mutex_lock(&listing->lock);
    ssize_t used = fill(request, listing, buffer, size, offset);
    int error = errno;
    pthread_mutex_unlock(&listing->lock);
    if (used < 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_buf(request, buffer, (size_t)used);
    free(buffer);
}

static void close_listing(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    struct listing *listing = listing_of(info);
    (void)number;
    closedir(listing->entries);
    pthread_mutex_destroy(&listing->lock);
    free(listing);
    fuse_reply_err(request, 0);
}

static void sync_listing(fuse_req_t request, fuse_ino_t number, int only_bytes,
                         struct fuse_file_info *info)
{
    (void)number;
    (void)only_bytes;
    fuse_reply_err(request, fsync(dirfd(listing_of(info)->entries)) ? errno : 0);
}

void fth_mount_add_folders(struct fuse_lowlevel_ops *operations)
{
    operations->opendir = open_listing;
    operations->readdir = read_listing;
    operations->releasedir = close_listing;
    operations->fsyncdir = sync_listing;
}
