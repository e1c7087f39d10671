/* Locks. Those of flock are of an open file, which has a descriptor here. Those of fcntl are of an
 * owner, who has a descriptor of its own here for each file: its locks are of that descriptor
 * (F_OFD_SETLK), so they are in conflict with those of others and of preloaded programs. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

struct owned {
    const struct fth_mount_node *node;
    uint64_t owner;
    const struct fth_mount_handle *handle; /* that it used last */
    int file;
    unsigned users; /* calls that are under way */
    bool is_closed; /* by its owner, meanwhile */
    struct owned *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owned *all;

/* With the lock. */
static struct owned *find(const struct fth_mount_node *node, uint64_t owner)
{
    struct owned *owned = all;
    while (owned && (owned->node != node || owned->owner != owner || owned->is_closed))
        owned = owned->next;
    return owned;
}

static void remove_unused(void)
{
    for (struct owned **at = &all, *owned; (owned = *at);) {
        if (!owned->is_closed || owned->users) {
            at = &owned->next;
            continue;
        }
        *at = owned->next;
        close(owned->file);
        free(owned);
    }
}

/* To read and to write, if somebody may. */
static int open_for_locks(struct fth_mount_node *node)
{
    int file = fth_mount_open(node, O_RDWR);
    return file < 0 ? fth_mount_open(node, O_RDONLY) : file;
}

/* That of this owner; NULL: errno is set. */
static struct owned *begin(struct fth_mount_node *node, const struct fuse_file_info *info)
{
    pthread_mutex_lock(&lock);
    struct owned *owned = find(node, info->lock_owner);
    if (owned)
        owned->users++;
    pthread_mutex_unlock(&lock);
    if (owned)
        return owned;
    int file = open_for_locks(node);
    if (file < 0 || !(owned = malloc(sizeof *owned))) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    *owned =
        (struct owned){node, info->lock_owner, fth_mount_handle_of(info), file, 1, false, NULL};
    pthread_mutex_lock(&lock);
    struct owned *other = find(node, info->lock_owner); /* of another thread */
    if (other) {
        other->users++;
        owned->is_closed = true;
        owned->users = 0;
    }
    owned->next = all;
    all = owned;
    remove_unused();
    pthread_mutex_unlock(&lock);
    return other ? other : owned;
}

static void end(struct owned *owned)
{
    int before = errno;
    pthread_mutex_lock(&lock);
    owned->users--;
    remove_unused();
    pthread_mutex_unlock(&lock);
    errno = before;
}

/* Asks again and again, so that it can give up when it is interrupted. false: errno is set. */
static bool goes_on_waiting(fuse_req_t request, long *pause)
{
    enum { LONGEST = 20000000 /* ns */ };
    if (fuse_req_interrupted(request)) {
        errno = EINTR;
        return false;
    }
    nanosleep(&(struct timespec){.tv_nsec = *pause}, NULL);
    *pause = *pause * 2 > LONGEST ? LONGEST : *pause * 2;
    return true;
}

enum { FIRST_PAUSE = 200000 /* ns */ };

static void get_lock(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info,
                     struct flock *asked)
{
    struct owned *owned = begin(fth_mount_node(number), info);
    asked->l_pid = 0;
    int failed = !owned || fcntl(owned->file, F_OFD_GETLK, asked), error = errno;
    if (asked->l_pid < 0)
        asked->l_pid = 0; /* of an open file, not of a process */
    if (owned)
        end(owned);
    if (failed)
        fuse_reply_err(request, error);
    else
        fuse_reply_lock(request, asked);
}

static int set(fuse_req_t request, struct owned *owned, struct flock *wanted, bool waits)
{
    long pause = FIRST_PAUSE;
    wanted->l_pid = 0;
    while (fcntl(owned->file, F_OFD_SETLK, wanted))
        if ((errno != EAGAIN && errno != EACCES) || !waits || !goes_on_waiting(request, &pause))
            return -1;
    return 0;
}

static void set_lock(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info,
                     struct flock *wanted, int waits)
{
    struct owned *owned = begin(fth_mount_node(number), info);
    int failed = !owned || set(request, owned, wanted, waits), error = errno;
    if (owned) {
        pthread_mutex_lock(&lock);
        owned->handle = fth_mount_handle_of(info);
        pthread_mutex_unlock(&lock);
        end(owned);
    }
    fuse_reply_err(request, failed ? error : 0);
}

/* The kernel passes on the last close of an open file without waiting for it, so who asks for its
 * lock behind that may come here first. That is how long such a close may take. */
static bool may_be_closing(long pause)
{
    enum { LONGEST = 16 * FIRST_PAUSE };
    return pause <= LONGEST;
}

static void set_lock_of_file(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info,
                             int operation)
{
    long pause = FIRST_PAUSE;
    int failed;
    (void)number;
    while ((failed = flock(fth_mount_handle_of(info)->file, operation | LOCK_NB)) &&
           errno == EWOULDBLOCK && (!(operation & LOCK_NB) || may_be_closing(pause)) &&
           goes_on_waiting(request, &pause)) {
    }
    fuse_reply_err(request, failed ? errno : 0);
}

static void close_those(const struct fth_mount_node *node, const uint64_t *owner,
                        const struct fth_mount_handle *handle)
{
    pthread_mutex_lock(&lock);
    for (struct owned *owned = all; owned; owned = owned->next)
        if (owned->node == node && (owner ? owned->owner == *owner : owned->handle == handle))
            owned->is_closed = true;
    remove_unused();
    pthread_mutex_unlock(&lock);
}

void fth_mount_unlock(struct fth_mount_node *node, uint64_t owner)
{
    close_those(node, &owner, NULL);
}

void fth_mount_unlock_handle(struct fth_mount_node *node, const struct fth_mount_handle *handle)
{
    close_those(node, NULL, handle);
}

void fth_mount_add_locks(struct fuse_lowlevel_ops *operations)
{
    operations->getlk = get_lock;
    operations->setlk = set_lock;
    operations->flock = set_lock_of_file;
}
