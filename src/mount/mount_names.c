/* Names: made, removed, changed. */
#include "mount/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

static void look_up(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    fth_mount_answer_entry(request, fth_mount_node(parent), name);
}

static void forget(fuse_req_t request, fuse_ino_t number, uint64_t lookups)
{
    fth_mount_forget(fth_mount_node(number), lookups);
    fuse_reply_none(request);
}

static void forget_several(fuse_req_t request, size_t count, struct fuse_forget_data *forgotten)
{
    for (size_t i = 0; i < count; i++)
        fth_mount_forget(fth_mount_node(forgotten[i].ino), forgotten[i].nlookup);
    fuse_reply_none(request);
}

static void answer(fuse_req_t request, int result)
{
    fuse_reply_err(request, result ? errno : 0);
}

static void answer_made(fuse_req_t request, int result, fuse_ino_t parent, const char *name)
{
    if (result)
        fuse_reply_err(request, errno);
    else
        fth_mount_answer_entry(request, fth_mount_node(parent), name);
}

static void make_node(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                      dev_t device)
{
    int made = mknodat(fth_mount_node(parent)->folder, name, mode, device);
    answer_made(request, made, parent, name);
}

static void make_folder(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode)
{
    answer_made(request, mkdirat(fth_mount_node(parent)->folder, name, mode), parent, name);
}

static void make_symlink(fuse_req_t request, const char *target, fuse_ino_t parent,
                         const char *name)
{
    int made = symlinkat(target, fth_mount_node(parent)->folder, name);
    answer_made(request, made, parent, name);
}

static void make_link(fuse_req_t request, fuse_ino_t number, fuse_ino_t parent, const char *name)
{
    struct fth_mount_place place;
    if (!fth_mount_reach(fth_mount_node(number), &place)) {
        fuse_reply_err(request, errno);
        return;
    }
    int made = linkat(place.directory, place.name, fth_mount_node(parent)->folder, name, 0);
    fth_mount_done(&place);
    answer_made(request, made, parent, name);
}

static void unlink_file(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    answer(request, unlinkat(fth_mount_node(parent)->folder, name, 0));
}

static void remove_folder(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    answer(request, unlinkat(fth_mount_node(parent)->folder, name, AT_REMOVEDIR));
}

static void rename_entry(fuse_req_t request, fuse_ino_t parent, const char *name,
                         fuse_ino_t to_parent, const char *to_name, unsigned flags)
{
    answer(request, renameat2(fth_mount_node(parent)->folder, name,
                              fth_mount_node(to_parent)->folder, to_name, flags));
}

static void read_symlink(fuse_req_t request, fuse_ino_t number)
{
    struct fth_mount_place place;
    char target[PATH_MAX + 1];
    if (!fth_mount_reach(fth_mount_node(number), &place)) {
        fuse_reply_err(request, errno);
        return;
    }
    ssize_t length = readlinkat(place.directory, place.name, target, PATH_MAX);
    fth_mount_done(&place);
    if (length < 0) {
        fuse_reply_err(request, errno);
        return;
    }
    target[length] = 0;
    fuse_reply_readlink(request, target);
}

void fth_mount_add_names(struct fuse_lowlevel_ops *operations)
{
    operations->lookup = look_up;
    operations->forget = forget;
    operations->forget_multi = forget_several;
    operations->mknod = make_node;
    operations->mkdir = make_folder;
    operations->symlink = make_symlink;
    operations->link = make_link;
    operations->unlink = unlink_file;
    operations->rmdir = remove_folder;
    operations->rename = rename_entry;
    operations->readlink = read_symlink;
}
