/* Places for mounts: see the header. */
#include "cmd/fs/fs_mount_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- unmounting ---- */

/* How many of ours are there, one over the other? Where others are mounted over them, those are not
 * counted, unless `hidden`. -1: it cannot be seen. */
static int count_in(const char *mounted, const char *path, bool hidden)
{
    FILE *mounts = setmntent(mounted, "re");
    struct mntent *mount;
    int count = mounts ? 0 : -1;
    while (mounts && (mount = getmntent(mounts)))
        if (strcmp(mount->mnt_dir, path) == 0)
            count = strcmp(mount->mnt_type, "fuse.fathom-fs") == 0 ? count + 1 : hidden ? count : 0;
    if (mounts)
        endmntent(mounts);
    return count;
}

static int count_ours(const char *path)
{
    return count_in("/proc/self/mounts", path, false);
}

bool fth_cmd_fs_place_is_mounted(const char *path, pid_t process)
{
    char mounted[64];
    snprintf(mounted, sizeof mounted, "/proc/%ld/mounts", (long)process);
    return count_in(mounted, path, true) != 0;
}

/* Without rights over the system, a program of FUSE does it. */
static bool unmount_by_program(const char *path, bool at_once)
{
    char *const arguments[] = {"fusermount3",         "-q",         "-u",
                               at_once ? "-z" : "--", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, *arguments, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!failed && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return !failed && !status;
}

static bool unmount(const char *path, bool at_once)
{
    if (umount2(path, UMOUNT_NOFOLLOW | (at_once ? MNT_DETACH : 0)) == 0)
        return true;
    return errno == EPERM && unmount_by_program(path, at_once);
}

void fth_cmd_fs_place_clear(const char *path)
{
    for (int left = count_ours(path); left > 0 && unmount(path, true); left--) {
    }
}

bool fth_cmd_fs_place_leave(const char *path, bool asks)
{
    enum { TRIES = 6 };
    const struct timespec pause = {.tv_nsec = 20000000};
    if (count_ours(path) <= 0)
        return true;
    for (int i = 0; asks && i < TRIES; i++) {
        if (unmount(path, false))
            return true;
        nanosleep(&pause, NULL);
    }
    unmount(path, true);
    return !asks;
}

/* ---- finding ---- */

static bool contains(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    return strncmp(folder, path, length) == 0 && (!path[length] || path[length] == '/');
}

bool fth_cmd_fs_place_resolve(const char *prefix, char path[PATH_MAX])
{
    char parent[PATH_MAX], resolved[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", prefix);
    char *base = strrchr(parent, '/');
    *base++ = 0;
    if (strcmp(base, ".") == 0 || strcmp(base, "..") == 0) {
        errno = EINVAL;
        return false;
    }
    if (!realpath(*parent ? parent : "/", resolved))
        return false;
    if (snprintf(path, PATH_MAX, "%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, base) <
        PATH_MAX)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool has_files(const char *path)
{
    DIR *entries = opendir(path);
    struct dirent *entry;
    bool has = false;
    while (entries && !has && (entry = readdir(entries)))
        has = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (entries)
        closedir(entries);
    return has;
}

static const char *check(const struct fth_fs_instance *instance, const char *path)
{
    if (contains(path, instance->under_path) || contains(instance->under_path, path))
        return "the folder below and PREFIX are the same, or one is in the other";
    if (contains(path, instance->path))
        return "the folder of the instance is in it";
    return NULL;
}

/* false: errno is set. */
static bool open_fuse(void)
{
    int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (device >= 0)
        close(device);
    return device >= 0;
}

/* NULL: it may be tried. */
static const char *why_not(const struct fth_fs_instance *instance, char path[PATH_MAX])
{
    if (!instance->rules.model_count)
        return "it is for programs that know nothing of the file system (--model)";
    if (!*instance->prefix)
        return "PREFIX is the folder below itself (--at has another one)";
    return fth_cmd_fs_place_resolve(instance->prefix, path) ? check(instance, path)
                                                            : strerror(errno);
}

bool fth_cmd_fs_place_find(const struct fth_fs_instance *instance, bool is_wanted,
                           struct fth_cmd_fs_place *place, char *why, size_t room)
{
    struct stat facts;
    const char *reason = why_not(instance, place->path);
    if (reason) {
        snprintf(why, room, "%s", reason);
        return false;
    }
    if (!open_fuse()) {
        snprintf(why, room, "/dev/fuse cannot be opened: %s", strerror(errno));
        return false;
    }
    fth_cmd_fs_place_clear(place->path);
    place->was_made = mkdir(place->path, 0700) == 0;
    if (!place->was_made && errno != EEXIST)
        snprintf(why, room, "the folder cannot be made: %s", strerror(errno));
    else if (lstat(place->path, &facts))
        snprintf(why, room, "%s", strerror(errno));
    else if (!S_ISDIR(facts.st_mode))
        snprintf(why, room, "it is not a folder");
    else if (!is_wanted && has_files(place->path))
        snprintf(why, room, "there are files, which nobody would see (--mount yes hides them)");
    else
        return true;
    return false;
}
