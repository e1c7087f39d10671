/* What is known of files and folders, and set. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int ask(const struct fth_mount_place *place, struct stat *facts)
{
    return place->file >= 0 ? fstat(place->file, facts)
                            : fstatat(place->directory, place->name, facts, AT_SYMLINK_NOFOLLOW);
}

static void get_facts(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *info)
{
    struct fth_mount_place place;
    struct stat facts;
    (void)info;
    bool reached = fth_mount_reach(fth_mount_node(number), &place);
    int failed = !reached || ask(&place, &facts);
    if (reached)
        fth_mount_done(&place);
    if (failed)
        fuse_reply_err(request, errno);
    else
        fuse_reply_attr(request, &facts, 0);
}

static int set_mode(const struct fth_mount_place *place, mode_t mode)
{
    if (place->file >= 0)
        return fchmod(place->file, mode);
    if (S_ISLNK(place->node->type)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return fchmodat(place->directory, place->name, mode, 0);
}

static int set_owner(const struct fth_mount_place *place, uid_t user, gid_t group)
{
    return place->file >= 0
               ? fchown(place->file, user, group)
               : fchownat(place->directory, place->name, user, group, AT_SYMLINK_NOFOLLOW);
}

static struct timespec time_of(int set, int set_now, int to_set, struct timespec given)
{
    if (to_set & set_now)
        return (struct timespec){.tv_nsec = UTIME_NOW};
    return to_set & set ? given : (struct timespec){.tv_nsec = UTIME_OMIT};
}

static int set_times(const struct fth_mount_place *place, const struct stat *facts, int to_set)
{
    const struct timespec times[2] = {
        time_of(FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW, to_set, facts->st_atim),
        time_of(FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW, to_set, facts->st_mtim)};
    return place->file >= 0 ? futimens(place->file, times)
                            : utimensat(place->directory, place->name, times, AT_SYMLINK_NOFOLLOW);
}

/* By who has it open to write, as that may be all who may. */
static int set_length(struct fth_mount_node *node, off_t length)
{
    struct fth_mount_handle *handle = fth_mount_writer(node);
    int file = handle ? handle->file : fth_mount_open(node, O_WRONLY);
    if (file < 0)
        return -1;
    int failed = ftruncate(file, length), error = errno;
    if (handle)
        fth_mount_let_go(handle);
    else if (close(file) && !failed)
        return -1;
    errno = error;
    return failed;
}

static int set(struct fth_mount_place *place, const struct stat *facts, int to_set)
{
    uid_t user = to_set & FUSE_SET_ATTR_UID ? facts->st_uid : (uid_t)-1;
    gid_t group = to_set & FUSE_SET_ATTR_GID ? facts->st_gid : (gid_t)-1;
    if (to_set & FUSE_SET_ATTR_MODE && set_mode(place, facts->st_mode & 07777))
        return -1;
    if (to_set & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID) && set_owner(place, user, group))
        return -1;
    if (to_set & FUSE_SET_ATTR_SIZE && set_length(place->node, facts->st_size))
        return -1;
    return to_set & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME) ? set_times(place, facts, to_set)
                                                                : 0;
}

static void set_facts(fuse_req_t request, fuse_ino_t number, struct stat *facts, int to_set,
                      struct fuse_file_info *info)
{
    struct fth_mount_place place;
    struct stat after;
    (void)info;
    bool reached = fth_mount_reach(fth_mount_node(number), &place);
    int failed = !reached || set(&place, facts, to_set) || ask(&place, &after);
    if (reached)
        fth_mount_done(&place);
    if (failed)
        fuse_reply_err(request, errno);
    else
        fuse_reply_attr(request, &after, 0);
}

static void may_access(fuse_req_t request, fuse_ino_t number, int mode)
{
    struct fth_mount_place place;
    bool reached = fth_mount_reach(fth_mount_node(number), &place);
    int failed = !reached || faccessat(place.directory, place.name, mode, 0);
    if (reached)
        fth_mount_done(&place);
    fuse_reply_err(request, failed ? errno : 0);
}

static void get_room(fuse_req_t request, fuse_ino_t number)
{
    struct statvfs room;
    (void)number;
    if (fstatvfs(fth_mount_node(FUSE_ROOT_ID)->folder, &room))
        fuse_reply_err(request, errno);
    else
        fuse_reply_statfs(request, &room);
}

void fth_mount_add_facts(struct fuse_lowlevel_ops *operations)
{
    operations->getattr = get_facts;
    operations->setattr = set_facts;
    operations->access = may_access;
    operations->statfs = get_room;
}
