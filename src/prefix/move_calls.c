/* Names that move: a file of ours stays in the folder below. Elsewhere, a server that is started
 * again would not find it, and who opens it there would not find its bytes. So EXDEV is the answer,
 * as between any two file systems: programs copy then. */
#include "prefix/descriptor_table.h"
#include "prefix/prefix.h"
#include "prefix/prefix_calls.h"
#include "prefix/prefix_paths.h"
#include "prefix/program_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A path that a call is given, from a folder. */
struct named {
    int directory;
    const char *path;
};

/* Are they names in one folder, as their text says? */
static bool are_beside(const struct named *one, const struct named *other)
{
    const char *slash = strrchr(one->path, '/'), *second = strrchr(other->path, '/');
    size_t length = slash ? (size_t)(slash - one->path) : 0;
    if (*one->path != '/' && one->directory != other->directory)
        return false;
    return !slash == !second && (!slash || ((size_t)(second - other->path) == length &&
                                            memcmp(one->path, other->path, length) == 0));
}

/* May it be the folder below itself? */
static bool may_be_below(const struct named *named)
{
    const char *slash = strrchr(named->path, '/'), *own = strrchr(fth_prefix.under, '/');
    return own && strcmp(slash ? slash + 1 : named->path, own + 1) == 0;
}

static bool is_in_below(const struct named *to)
{
    char name[PATH_MAX];
    const char *base;
    int folder = fth_prefix_folder_of(to->directory, to->path, &base);
    bool is = folder < 0 || fth_prefix_is_below(folder, name);
    if (folder >= 0)
        syscall(SYS_close, folder);
    return is;
}

/* Only files and folders of files have bytes that would be left behind. The folder below itself is
 * as the root of a mounted file system. false: errno is set. */
static bool may_be_moved(int file, const struct named *to)
{
    char name[PATH_MAX];
    struct stat facts;
    if (syscall(SYS_newfstatat, file, "", &facts, AT_EMPTY_PATH) ||
        facts.st_dev != fth_prefix.device ||
        (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) || !fth_prefix_is_below(file, name))
        return true;
    errno = *name ? EXDEV : EBUSY;
    return *name && is_in_below(to);
}

static bool may_path_be_moved(const struct named *from, const struct named *to, int flags)
{
    int file = (int)syscall(SYS_openat, from->directory, from->path,
                            O_PATH | O_CLOEXEC | (flags & AT_SYMLINK_FOLLOW ? 0 : O_NOFOLLOW));
    if (file < 0)
        return true;
    bool may = may_be_moved(file, to);
    int error = errno;
    syscall(SYS_close, file);
    errno = error;
    return may;
}

/* Where the system will find something else wrong: true. */
static bool may_move(const struct named *from, const struct named *to, int flags)
{
    int before = errno;
    if (!fth_prefix.is_on || !fth_memory_there(from->path, 1, false) ||
        !fth_memory_there(to->path, 1, false) ||
        (*from->path && !(flags & AT_SYMLINK_FOLLOW) && are_beside(from, to) &&
         !may_be_below(from)))
        return true;
    bool may = flags & AT_EMPTY_PATH && !*from->path ? may_be_moved(from->directory, to)
                                                     : may_path_be_moved(from, to, flags);
    errno = may ? before : errno;
    return may;
}

static int (*real_rename)(const char *, const char *),
    (*real_renameat)(int, const char *, int, const char *),
    (*real_renameat2)(int, const char *, int, const char *, unsigned),
    (*real_link)(const char *, const char *),
    (*real_linkat)(int, const char *, int, const char *, int);

static int in_place_of_rename(const char *path, const char *to_path)
{
    char room[PATH_MAX], other[PATH_MAX];
    const struct named from = {AT_FDCWD, fth_prefix_path(path, room)},
                       to = {AT_FDCWD, fth_prefix_path(to_path, other)};
    return may_move(&from, &to, 0) ? real_rename(from.path, to.path) : -1;
}

static int in_place_of_renameat(int directory, const char *path, int to_directory,
                                const char *to_path)
{
    char room[PATH_MAX], other[PATH_MAX];
    const struct named from = {directory, fth_prefix_path_at(directory, path, room)},
                       to = {to_directory, fth_prefix_path_at(to_directory, to_path, other)};
    return may_move(&from, &to, 0) ? real_renameat(directory, from.path, to_directory, to.path)
                                   : -1;
}

static int in_place_of_renameat2(int directory, const char *path, int to_directory,
                                 const char *to_path, unsigned flags)
{
    char room[PATH_MAX], other[PATH_MAX];
    const struct named from = {directory, fth_prefix_path_at(directory, path, room)},
                       to = {to_directory, fth_prefix_path_at(to_directory, to_path, other)};
    if (!may_move(&from, &to, 0) || (flags & RENAME_EXCHANGE && !may_move(&to, &from, 0)))
        return -1;
    return real_renameat2(directory, from.path, to_directory, to.path, flags);
}

static int in_place_of_link(const char *path, const char *to_path)
{
    char room[PATH_MAX], other[PATH_MAX];
    const struct named from = {AT_FDCWD, fth_prefix_path(path, room)},
                       to = {AT_FDCWD, fth_prefix_path(to_path, other)};
    return may_move(&from, &to, 0) ? real_link(from.path, to.path) : -1;
}

static int in_place_of_linkat(int directory, const char *path, int to_directory,
                              const char *to_path, int flags)
{
    char room[PATH_MAX], other[PATH_MAX];
    const struct named from = {directory, fth_prefix_path_at(directory, path, room)},
                       to = {to_directory, fth_prefix_path_at(to_directory, to_path, other)};
    return may_move(&from, &to, flags)
               ? real_linkat(directory, from.path, to_directory, to.path, flags)
               : -1;
}

const struct fth_prefix_call fth_prefix_move_calls[] = {
    FTH_PREFIX_ROW(rename, rename),       FTH_PREFIX_ROW(renameat, renameat),
    FTH_PREFIX_ROW(renameat2, renameat2), FTH_PREFIX_ROW(link, link),
    FTH_PREFIX_ROW(linkat, linkat),       {NULL, NULL, NULL}};
