/* Opening files. */
#include "prefix/prefix_calls.h"
#include "prefix/descriptors.h"
#include "prefix/model_choice.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int (*real_open)(const char *, int, ...), (*real_openat)(int, const char *, int, ...),
    (*real_creat)(const char *, mode_t), (*real_open_2)(const char *, int),
    (*real_openat_2)(int, const char *, int), (*real_open_by_handle_at)(int, void *, int),
    (*real_mkstemp)(char *), (*real_mkostemp)(char *, int), (*real_mkstemps)(char *, int),
    (*real_mkostemps)(char *, int, int);

/* O_TRUNC is left out of what the system is asked: it comes when the file has been taken. To cut
 * off what may only be read is the system's. */
static int without_cut(int flags)
{
    bool leaves = !fth_prefix.is_on || (flags & O_ACCMODE) == O_RDONLY || flags & O_PATH;
    return leaves ? flags : flags & ~O_TRUNC;
}

static enum fth_prefix_cut cut_of(int flags)
{
    return !(flags & O_TRUNC)             ? FTH_NOT_CUT
           : without_cut(flags) & O_TRUNC ? FTH_IS_CUT
                                          : FTH_TO_CUT;
}

static int adopt(int descriptor, int flags)
{
    return fth_prefix_adopt(descriptor, cut_of(flags));
}

/* The path from the folder below, where it has no component that leads elsewhere; NULL: it has. */
static const char *name_below(const char *path)
{
    size_t above = fth_prefix.under_length;
    if (!path || strncmp(path, fth_prefix.under, above) != 0 || path[above] != '/')
        return NULL;
    const char *name = path + above + 1;
    for (const char *at = name;; at = strchr(at, '/') + 1) {
        size_t length = strcspn(at, "/");
        if (!length || (*at == '.' && (length == 1 || (length == 2 && at[1] == '.'))))
            return NULL;
        if (!at[length])
            return name;
    }
}

/* A file that is opened below, and by no link, has that name: nobody has to be asked for it. false:
 * it is to be opened otherwise. */
static bool open_below(const char *path, int flags, mode_t mode, int *opened)
{
    const char *name = fth_prefix.is_on && !(flags & (O_PATH | O_TMPFILE | O_DIRECTORY))
                           ? name_below(path)
                           : NULL;
    int before = errno;
    struct open_how how = {.flags = (uint64_t)(unsigned)without_cut(flags),
                           .mode = flags & O_CREAT ? mode : 0,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    if (!name)
        return false;
    *opened = (int)syscall(SYS_openat2, fth_client.instance.under, name, &how, sizeof how);
    bool is_other = *opened < 0 && (errno == ELOOP || errno == EXDEV || errno == EAGAIN ||
                                    errno == EINVAL || errno == EPERM || errno == ENOSYS);
    if (is_other)
        errno = before;
    else if (*opened >= 0)
        *opened = fth_prefix_adopt_below(*opened, name, flags, cut_of(flags));
    return !is_other;
}

/* A file that is to be cut off and is not there is made by this call or by nobody: it is not cut
 * off then, as others may have written to it as soon as it has its name. false: it is there. */
static bool open_new(int directory, const char *path, int flags, mode_t mode, int *opened)
{
    enum { MADE = O_CREAT | O_TRUNC };
    int before = errno, alone = (flags & ~O_TRUNC) | O_EXCL;
    if (!fth_prefix.is_on || (flags & (MADE | O_EXCL)) != MADE || cut_of(flags) != FTH_TO_CUT)
        return false;
    if (!open_below(path, alone, mode, opened))
        *opened = adopt((int)syscall(SYS_openat, directory, path, alone, mode), alone);
    bool is_there = *opened < 0 && errno == EEXIST;
    if (is_there)
        errno = before;
    return !is_there;
}

static int in_place_of_open(const char *path, int flags, ...)
{
    char room[PATH_MAX];
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    fth_prefix_start();
    path = fth_prefix_path(path, room);
    int opened;
    if (!fth_prefix_may_open(AT_FDCWD, path, flags))
        return -1;
    return open_new(AT_FDCWD, path, flags, mode, &opened) || open_below(path, flags, mode, &opened)
               ? opened
               : adopt(real_open(path, without_cut(flags), mode), flags);
}

static int in_place_of_openat(int directory, const char *path, int flags, ...)
{
    char room[PATH_MAX];
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    fth_prefix_start();
    path = fth_prefix_path_at(directory, path, room);
    int opened;
    if (!fth_prefix_may_open(directory, path, flags))
        return -1;
    return open_new(directory, path, flags, mode, &opened) ||
                   open_below(path, flags, mode, &opened)
               ? opened
               : adopt(real_openat(directory, path, without_cut(flags), mode), flags);
}

/* Without O_CREAT, as they have no mode. */
static int in_place_of_open_2(const char *path, int flags)
{
    char room[PATH_MAX];
    fth_prefix_start();
    path = fth_prefix_path(path, room);
    if (!fth_prefix_may_open(AT_FDCWD, path, flags))
        return -1;
    return adopt(real_open_2(path, without_cut(flags)), flags);
}

static int in_place_of_openat_2(int directory, const char *path, int flags)
{
    char room[PATH_MAX];
    fth_prefix_start();
    path = fth_prefix_path_at(directory, path, room);
    if (!fth_prefix_may_open(directory, path, flags))
        return -1;
    return adopt(real_openat_2(directory, path, without_cut(flags)), flags);
}

static int in_place_of_creat(const char *path, mode_t mode)
{
    enum { FLAGS = O_WRONLY | O_CREAT | O_TRUNC };
    char room[PATH_MAX];
    fth_prefix_start();
    path = fth_prefix_path(path, room);
    if (!fth_prefix.is_on)
        return real_creat(path, mode);
    if (!fth_prefix_may_open(AT_FDCWD, path, FLAGS))
        return -1;
    int opened;
    return open_new(AT_FDCWD, path, FLAGS, mode, &opened)
               ? opened
               : adopt((int)syscall(SYS_openat, AT_FDCWD, path, without_cut(FLAGS), mode), FLAGS);
}

static int in_place_of_open_by_handle_at(int mount, void *handle, int flags)
{
    return adopt(real_open_by_handle_at(mount, handle, without_cut(flags)), flags);
}

/* The six letters that were chosen go where they were asked for. */
static int made(char *path, const char *given, int descriptor)
{
    size_t length = strlen(path), other = strlen(given);
    if (given != path && descriptor >= 0)
        for (size_t i = 1; i <= length && i <= other && given[other - i] != '/'; i++)
            path[length - i] = given[other - i];
    int taken = fth_prefix_adopt(descriptor, FTH_NOT_CUT);
    if (descriptor >= 0 && taken < 0)
        syscall(SYS_unlinkat, AT_FDCWD, given, 0); /* nobody else has it yet */
    return taken;
}

/* A path of which the system's functions write the end. */
static char *writable(char *path, char room[PATH_MAX])
{
    return (char *)fth_prefix_path(path, room);
}

static int in_place_of_mkstemp(char *path)
{
    char room[PATH_MAX], *given = writable(path, room);
    return made(path, given, real_mkstemp(given));
}

static int in_place_of_mkostemp(char *path, int flags)
{
    char room[PATH_MAX], *given = writable(path, room);
    return made(path, given, real_mkostemp(given, flags));
}

static int in_place_of_mkstemps(char *path, int suffix)
{
    char room[PATH_MAX], *given = writable(path, room);
    return made(path, given, real_mkstemps(given, suffix));
}

static int in_place_of_mkostemps(char *path, int suffix, int flags)
{
    char room[PATH_MAX], *given = writable(path, room);
    return made(path, given, real_mkostemps(given, suffix, flags));
}

const struct fth_prefix_call fth_prefix_open_calls[] = {
    FTH_PREFIX_ROW(open, open),
    FTH_PREFIX_ROW(open64, open),
    FTH_PREFIX_ROW(__open, open),
    FTH_PREFIX_ROW(__open64, open),
    FTH_PREFIX_ROW(__open_2, open_2),
    FTH_PREFIX_ROW(__open64_2, open_2),
    FTH_PREFIX_ROW(openat, openat),
    FTH_PREFIX_ROW(openat64, openat),
    FTH_PREFIX_ROW(__openat_2, openat_2),
    FTH_PREFIX_ROW(__openat64_2, openat_2),
    FTH_PREFIX_ROW(creat, creat),
    FTH_PREFIX_ROW(creat64, creat),
    FTH_PREFIX_ROW(open_by_handle_at, open_by_handle_at),
    FTH_PREFIX_ROW(mkstemp, mkstemp),
    FTH_PREFIX_ROW(mkstemp64, mkstemp),
    FTH_PREFIX_ROW(mkostemp, mkostemp),
    FTH_PREFIX_ROW(mkostemp64, mkostemp),
    FTH_PREFIX_ROW(mkstemps, mkstemps),
    FTH_PREFIX_ROW(mkstemps64, mkstemps),
    FTH_PREFIX_ROW(mkostemps, mkostemps),
    FTH_PREFIX_ROW(mkostemps64, mkostemps),
    {NULL, NULL, NULL}};
