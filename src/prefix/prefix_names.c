/* Names: all of it is a matter of the folder below, which only has other names. */
#include "prefix/prefix_calls.h"
#include "prefix/fresh_bytes.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A function whose path is changed. */
#define ONE(result, name, parameters, ...)                                                         \
    static result(*real_##name) parameters;                                                        \
    static result in_place_of_##name parameters                                                    \
    {                                                                                              \
        char room[PATH_MAX];                                                                       \
        path = fth_prefix_path(path, room);                                                        \
        return real_##name(__VA_ARGS__);                                                           \
    }
#define ONE_AT(result, name, parameters, ...)                                                      \
    static result(*real_##name) parameters;                                                        \
    static result in_place_of_##name parameters                                                    \
    {                                                                                              \
        char room[PATH_MAX];                                                                       \
        path = fth_prefix_path_at(directory, path, room);                                          \
        return real_##name(__VA_ARGS__);                                                           \
    }

/* clang-format off */
ONE(int, access, (const char *path, int mode),
    path, mode)
ONE_AT(int, faccessat, (int directory, const char *path, int mode, int flags),
    directory, path, mode, flags)
ONE(int, eaccess, (const char *path, int mode),
    path, mode)
ONE(int, euidaccess, (const char *path, int mode),
    path, mode)
ONE(int, statfs, (const char *path, void *facts),
    path, facts)
ONE(int, statfs64, (const char *path, void *facts),
    path, facts)
ONE(int, statfs_own, (const char *path, void *facts),
    path, facts)
ONE(int, statvfs, (const char *path, void *facts),
    path, facts)
ONE(int, statvfs64, (const char *path, void *facts),
    path, facts)
ONE(long, pathconf, (const char *path, int name),
    path, name)
ONE(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size),
    path, name, value, size)
ONE(ssize_t, lgetxattr, (const char *path, const char *name, void *value, size_t size),
    path, name, value, size)
ONE(ssize_t, listxattr, (const char *path, char *list, size_t size),
    path, list, size)
ONE(ssize_t, llistxattr, (const char *path, char *list, size_t size),
    path, list, size)
ONE(int, setxattr, (const char *path, const char *name, const void *value, size_t size, int flags),
    path, name, value, size, flags)
ONE(int, lsetxattr, (const char *path, const char *name, const void *value, size_t size, int flags),
    path, name, value, size, flags)
ONE(int, removexattr, (const char *path, const char *name),
    path, name)
ONE(int, lremovexattr, (const char *path, const char *name),
    path, name)
ONE_AT(int, name_to_handle_at, (int directory, const char *path, void *handle, int *mount, int flags),
    directory, path, handle, mount, flags)
ONE(int, mkdir, (const char *path, mode_t mode),
    path, mode)
ONE_AT(int, mkdirat, (int directory, const char *path, mode_t mode),
    directory, path, mode)
ONE(int, rmdir, (const char *path),
    path)
ONE(int, unlink, (const char *path),
    path)
ONE_AT(int, unlinkat, (int directory, const char *path, int flags),
    directory, path, flags)
ONE(int, remove, (const char *path),
    path)
ONE(int, mknod, (const char *path, mode_t mode, dev_t device),
    path, mode, device)
ONE_AT(int, mknodat, (int directory, const char *path, mode_t mode, dev_t device),
    directory, path, mode, device)
ONE(int, xmknod, (int version, const char *path, mode_t mode, dev_t *device),
    version, path, mode, device)
ONE_AT(int, xmknodat, (int version, int directory, const char *path, mode_t mode, dev_t *device),
    version, directory, path, mode, device)
ONE(int, mkfifo, (const char *path, mode_t mode),
    path, mode)
ONE_AT(int, mkfifoat, (int directory, const char *path, mode_t mode),
    directory, path, mode)
ONE(int, chmod, (const char *path, mode_t mode),
    path, mode)
ONE(int, lchmod, (const char *path, mode_t mode),
    path, mode)
ONE_AT(int, fchmodat, (int directory, const char *path, mode_t mode, int flags),
    directory, path, mode, flags)
ONE(int, chown, (const char *path, uid_t owner, gid_t group),
    path, owner, group)
ONE(int, lchown, (const char *path, uid_t owner, gid_t group),
    path, owner, group)
ONE_AT(int, fchownat, (int directory, const char *path, uid_t owner, gid_t group, int flags),
    directory, path, owner, group, flags)
ONE(int, lutimes, (const char *path, const void *times),
    path, times)
ONE(void *, opendir, (const char *path),
    path)
ONE(int, scandir, (const char *path, void *entries, void *filter, void *compare),
    path, entries, filter, compare)
ONE(int, scandir64, (const char *path, void *entries, void *filter, void *compare),
    path, entries, filter, compare)
ONE_AT(int, scandirat, (int directory, const char *path, void *entries, void *filter, void *compare),
    directory, path, entries, filter, compare)
ONE_AT(int, scandirat64, (int directory, const char *path, void *entries, void *filter, void *compare),
    directory, path, entries, filter, compare)
ONE(int, inotify_add_watch, (int watch, const char *path, uint32_t mask),
    watch, path, mask)
/* clang-format on */

/* ---- links: what they lead to is a path as well, where it is absolute ---- */

static int (*real_symlink)(const char *, const char *),
    (*real_symlinkat)(const char *, int, const char *);
static ssize_t (*real_readlink)(const char *, char *, size_t),
    (*real_readlinkat)(int, const char *, char *, size_t),
    (*real_readlink_chk)(const char *, char *, size_t, size_t),
    (*real_readlinkat_chk)(int, const char *, char *, size_t, size_t);

static int in_place_of_symlink(const char *target, const char *path)
{
    char room[PATH_MAX], other[PATH_MAX];
    return real_symlink(*target == '/' ? fth_prefix_path(target, other) : target,
                        fth_prefix_path(path, room));
}

static int in_place_of_symlinkat(const char *target, int directory, const char *path)
{
    char room[PATH_MAX], other[PATH_MAX];
    return real_symlinkat(*target == '/' ? fth_prefix_path(target, other) : target, directory,
                          fth_prefix_path_at(directory, path, room));
}

static ssize_t in_place_of_readlinkat(int directory, const char *path, char *to, size_t size)
{
    char room[PATH_MAX], target[PATH_MAX];
    path = fth_prefix_path_at(directory, path, room);
    if (!fth_prefix.translates)
        return real_readlinkat ? real_readlinkat(directory, path, to, size)
                               : syscall(SYS_readlinkat, directory, path, to, size);
    ssize_t length = syscall(SYS_readlinkat, directory, path, target, sizeof target - 1);
    if (length < 0)
        return length;
    target[length] = 0;
    fth_prefix_path_back(target, sizeof target);
    length = (ssize_t)strlen(target);
    if ((size_t)length > size)
        length = (ssize_t)size;
    memcpy(to, target, (size_t)length);
    return length;
}

static ssize_t in_place_of_readlink(const char *path, char *to, size_t size)
{
    return fth_prefix.translates ? in_place_of_readlinkat(AT_FDCWD, path, to, size)
                                 : real_readlink(path, to, size);
}

static ssize_t in_place_of_readlink_chk(const char *path, char *to, size_t size, size_t checked)
{
    return fth_prefix.translates ? in_place_of_readlinkat(AT_FDCWD, path, to, size)
                                 : real_readlink_chk(path, to, size, checked);
}

static ssize_t in_place_of_readlinkat_chk(int directory, const char *path, char *to, size_t size,
                                          size_t checked)
{
    return fth_prefix.translates ? in_place_of_readlinkat(directory, path, to, size)
                                 : real_readlinkat_chk(directory, path, to, size, checked);
}

/* ---- the current folder ---- */

static int (*real_chdir)(const char *), (*real_fchdir)(int);

/* Where the prefix is a mount, a current folder in it is one of the mount, for what comes from here
 * past us: programs that nothing can be preloaded into, for one. If the mount does not answer any
 * more, it is one of the folder below. */
static int in_place_of_chdir(const char *path)
{
    char room[PATH_MAX];
    const char *below = fth_prefix_path(path, room);
    int before = errno, result = -1;
    if (below != path && fth_prefix_is_mounted())
        result = real_chdir(path);
    if (result) {
        errno = before;
        result = real_chdir(below);
    }
    fth_prefix_moved();
    return result;
}

static int in_place_of_fchdir(int directory)
{
    int result = real_fchdir(directory);
    fth_prefix_moved();
    return result;
}

/* ---- times that a program sets are not those of its last write any more ---- */

/* So that the last write does not come to change them. */
static void tell_all_times(void)
{
    if (!fth_prefix.is_on)
        return;
    uint64_t signals = fth_prefix_enter();
    for (size_t i = 0; i < fth_client.file_count; i++)
        if (fth_client.files[i]->is_written)
            fth_prefix_tell_times(fth_client.files[i], fth_client.files[i]->writer);
    fth_prefix_leave(signals);
}

static int (*real_utime)(const char *, const void *), (*real_utimes)(const char *, const void *),
    (*real_futimes)(int, const void *), (*real_futimens)(int, const void *),
    (*real_futimesat)(int, const char *, const void *),
    (*real_utimensat)(int, const char *, const void *, int);

static int in_place_of_utime(const char *path, const void *times)
{
    char room[PATH_MAX];
    tell_all_times();
    return real_utime(fth_prefix_path(path, room), times);
}

static int in_place_of_utimes(const char *path, const void *times)
{
    char room[PATH_MAX];
    tell_all_times();
    return real_utimes(fth_prefix_path(path, room), times);
}

static int in_place_of_futimes(int file, const void *times)
{
    tell_all_times();
    return real_futimes(file, times);
}

static int in_place_of_futimens(int file, const void *times)
{
    tell_all_times();
    return real_futimens(file, times);
}

static int in_place_of_futimesat(int directory, const char *path, const void *times)
{
    char room[PATH_MAX];
    tell_all_times();
    return real_futimesat(directory, fth_prefix_path_at(directory, path, room), times);
}

static int in_place_of_utimensat(int directory, const char *path, const void *times, int flags)
{
    char room[PATH_MAX];
    tell_all_times();
    return real_utimensat(directory, fth_prefix_path_at(directory, path, room), times, flags);
}

/* ---- paths that the system says ---- */

static char *(*real_realpath)(const char *, char *),
    *(*real_realpath_chk)(const char *, char *, size_t),
    *(*real_canonicalize_file_name)(const char *), *(*real_getcwd)(char *, size_t),
    *(*real_getcwd_chk)(char *, size_t, size_t), *(*real_getwd)(char *),
    *(*real_getwd_chk)(char *, size_t), *(*real_get_current_dir_name)(void),
    *(*real_mkdtemp)(char *), *(*real_mktemp)(char *);

char *__strdup(const char *text);

/* A copy that the program may give back: libc's __strdup asks the program's malloc; strdup would be
 * that of this library (stand_ins.c). */
static char *copy_back(char *path)
{
    fth_prefix_path_back(path, PATH_MAX);
    return __strdup(path);
}

static char *in_place_of_realpath(const char *path, char *to)
{
    char room[PATH_MAX], found[PATH_MAX];
    path = fth_prefix_path(path, room);
    if (!fth_prefix.translates)
        return real_realpath(path, to);
    if (!real_realpath(path, found))
        return NULL;
    if (!to)
        return copy_back(found);
    fth_prefix_path_back(found, PATH_MAX);
    return strcpy(to, found);
}

static char *in_place_of_realpath_chk(const char *path, char *to, size_t size)
{
    char room[PATH_MAX];
    char *found = real_realpath_chk(fth_prefix_path(path, room), to, size);
    if (found)
        fth_prefix_path_back(found, size);
    return found;
}

static char *in_place_of_canonicalize_file_name(const char *path)
{
    char room[PATH_MAX];
    char *found = real_canonicalize_file_name(fth_prefix_path(path, room));
    if (!found || !fth_prefix.translates)
        return found;
    strcpy(room, found);
    return copy_back(room);
}

/* The current folder; false: errno is set. */
static bool current(char path[PATH_MAX])
{
    if (syscall(SYS_getcwd, path, PATH_MAX) < 0)
        return false;
    fth_prefix_path_back(path, PATH_MAX);
    return true;
}

static char *in_place_of_getcwd(char *to, size_t size)
{
    char path[PATH_MAX];
    if (!fth_prefix.translates)
        return real_getcwd(to, size);
    if (!current(path))
        return NULL;
    if (!to && !size)
        return __strdup(path);
    if (!size || strlen(path) >= size) {
        errno = size ? ERANGE : EINVAL;
        return NULL;
    }
    return to ? strcpy(to, path) : __strdup(path);
}

static char *in_place_of_getcwd_chk(char *to, size_t size, size_t room)
{
    return fth_prefix.translates ? in_place_of_getcwd(to, size) : real_getcwd_chk(to, size, room);
}

static char *in_place_of_getwd(char *to)
{
    return fth_prefix.translates ? in_place_of_getcwd(to, PATH_MAX) : real_getwd(to);
}

static char *in_place_of_getwd_chk(char *to, size_t room)
{
    return fth_prefix.translates ? in_place_of_getcwd(to, PATH_MAX) : real_getwd_chk(to, room);
}

static char *in_place_of_get_current_dir_name(void)
{
    char path[PATH_MAX];
    if (!fth_prefix.translates)
        return real_get_current_dir_name();
    return current(path) ? __strdup(path) : NULL;
}

/* The letters that were chosen, as in the path that was given. */
static char *chosen(char *path, const char *given)
{
    size_t length = strlen(path), other = strlen(given);
    for (size_t i = 1; given != path && i <= length && i <= other && given[other - i] != '/'; i++)
        path[length - i] = given[other - i];
    return path;
}

static char *in_place_of_mkdtemp(char *path)
{
    char room[PATH_MAX], *given = (char *)fth_prefix_path(path, room);
    return real_mkdtemp(given) ? chosen(path, given) : NULL;
}

static char *in_place_of_mktemp(char *path)
{
    char room[PATH_MAX], *given = (char *)fth_prefix_path(path, room);
    real_mktemp(given);
    if (!*given)
        *path = 0;
    return *given ? chosen(path, given) : path;
}

const struct fth_prefix_call fth_prefix_name_calls[] = {
    FTH_PREFIX_ROW(access, access),
    FTH_PREFIX_ROW(faccessat, faccessat),
    FTH_PREFIX_ROW(eaccess, eaccess),
    FTH_PREFIX_ROW(euidaccess, euidaccess),
    FTH_PREFIX_ROW(statfs, statfs),
    FTH_PREFIX_ROW(statfs64, statfs64),
    FTH_PREFIX_ROW(__statfs, statfs_own),
    FTH_PREFIX_ROW(statvfs, statvfs),
    FTH_PREFIX_ROW(statvfs64, statvfs64),
    FTH_PREFIX_ROW(pathconf, pathconf),
    FTH_PREFIX_ROW(getxattr, getxattr),
    FTH_PREFIX_ROW(lgetxattr, lgetxattr),
    FTH_PREFIX_ROW(listxattr, listxattr),
    FTH_PREFIX_ROW(llistxattr, llistxattr),
    FTH_PREFIX_ROW(setxattr, setxattr),
    FTH_PREFIX_ROW(lsetxattr, lsetxattr),
    FTH_PREFIX_ROW(removexattr, removexattr),
    FTH_PREFIX_ROW(lremovexattr, lremovexattr),
    FTH_PREFIX_ROW(readlink, readlink),
    FTH_PREFIX_ROW(readlinkat, readlinkat),
    FTH_PREFIX_ROW(__readlink_chk, readlink_chk),
    FTH_PREFIX_ROW(__readlinkat_chk, readlinkat_chk),
    FTH_PREFIX_ROW(name_to_handle_at, name_to_handle_at),
    FTH_PREFIX_ROW(mkdir, mkdir),
    FTH_PREFIX_ROW(mkdirat, mkdirat),
    FTH_PREFIX_ROW(rmdir, rmdir),
    FTH_PREFIX_ROW(unlink, unlink),
    FTH_PREFIX_ROW(unlinkat, unlinkat),
    FTH_PREFIX_ROW(remove, remove),
    FTH_PREFIX_ROW(symlink, symlink),
    FTH_PREFIX_ROW(symlinkat, symlinkat),
    FTH_PREFIX_ROW(mknod, mknod),
    FTH_PREFIX_ROW(mknodat, mknodat),
    FTH_PREFIX_ROW(__xmknod, xmknod),
    FTH_PREFIX_ROW(__xmknodat, xmknodat),
    FTH_PREFIX_ROW(mkfifo, mkfifo),
    FTH_PREFIX_ROW(mkfifoat, mkfifoat),
    FTH_PREFIX_ROW(chdir, chdir),
    FTH_PREFIX_ROW(fchdir, fchdir),
    FTH_PREFIX_ROW(chmod, chmod),
    FTH_PREFIX_ROW(lchmod, lchmod),
    FTH_PREFIX_ROW(fchmodat, fchmodat),
    FTH_PREFIX_ROW(chown, chown),
    FTH_PREFIX_ROW(lchown, lchown),
    FTH_PREFIX_ROW(fchownat, fchownat),
    FTH_PREFIX_ROW(lutimes, lutimes),
    FTH_PREFIX_ROW(opendir, opendir),
    FTH_PREFIX_ROW(scandir, scandir),
    FTH_PREFIX_ROW(scandir64, scandir64),
    FTH_PREFIX_ROW(scandirat, scandirat),
    FTH_PREFIX_ROW(scandirat64, scandirat64),
    FTH_PREFIX_ROW(inotify_add_watch, inotify_add_watch),
    FTH_PREFIX_ROW(utime, utime),
    FTH_PREFIX_ROW(utimes, utimes),
    FTH_PREFIX_ROW(futimes, futimes),
    FTH_PREFIX_ROW(futimens, futimens),
    FTH_PREFIX_ROW(futimesat, futimesat),
    FTH_PREFIX_ROW(utimensat, utimensat),
    FTH_PREFIX_ROW(realpath, realpath),
    FTH_PREFIX_ROW(canonicalize_file_name, canonicalize_file_name),
    FTH_PREFIX_ROW(getcwd, getcwd),
    FTH_PREFIX_ROW(getwd, getwd),
    FTH_PREFIX_ROW(get_current_dir_name, get_current_dir_name),
    FTH_PREFIX_ROW(mkdtemp, mkdtemp),
    FTH_PREFIX_ROW(mktemp, mktemp),
    FTH_PREFIX_ROW(__realpath_chk, realpath_chk),
    FTH_PREFIX_ROW(__getcwd_chk, getcwd_chk),
    FTH_PREFIX_ROW(__getwd_chk, getwd_chk),
    {NULL, NULL, NULL}};
