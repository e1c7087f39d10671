/* What the system says of files: sizes and times are those that this process has made, too. */
#include "prefix/prefix_calls.h"
#include "prefix/descriptor_table.h"
#include "prefix/file_ends.h"
#include "prefix/fresh_bytes.h"
#include "prefix/prefix_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* What this process and its server know of a file. */
struct known {
    bool is_written; /* and the system knows of that only now */
    int64_t end;     /* -1: errno is set */
};

static struct known ask(const struct stat *facts)
{
    if (fth_prefix_is_plain(facts))
        return (struct known){.end = 0};
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_find(facts);
    struct known known = {file && file->is_written, 0};
    if (known.is_written)
        fth_prefix_tell_times(file, file->writer);
    known.end = fth_prefix_end_of(facts);
    int error = errno;
    fth_prefix_leave(signals);
    errno = error;
    return known;
}

/* On several nodes the list of known files says nothing (fs/protocol/held_files.h): servers are not
 * asked for files that are elsewhere on the device. Without a path: of the descriptor. */
static bool is_below(int directory, const char *path)
{
    char name[PATH_MAX];
    int before = errno, file = directory;
    if (fth_client.instance.server_count == 1)
        return true;
    if (path && *path)
        file = (int)syscall(SYS_openat, directory, path, O_PATH | O_CLOEXEC);
    bool is = file >= 0 && fth_prefix_is_below(file, name);
    if (file >= 0 && file != directory)
        syscall(SYS_close, file);
    errno = before;
    return is;
}

static bool may_be_ours(const struct stat *facts, int directory, const char *path)
{
    return fth_prefix.is_on && facts->st_dev == fth_prefix.device && S_ISREG(facts->st_mode) &&
           is_below(directory, path);
}

enum { BLOCK = 512 };

/* Programs take a file that has fewer blocks for one with holes. */
static void set_end(struct stat *facts, int64_t end)
{
    if (end <= facts->st_size)
        return;
    facts->st_size = end;
    facts->st_blocks = (end + BLOCK - 1) / BLOCK;
}

static int (*real_stat)(const char *, struct stat *), (*real_lstat)(const char *, struct stat *),
    (*real_fstat)(int, struct stat *), (*real_fstatat)(int, const char *, struct stat *, int),
    (*real_statx)(int, const char *, int, unsigned, struct statx *),
    (*real_xstat)(int, const char *, struct stat *),
    (*real_lxstat)(int, const char *, struct stat *), (*real_fxstat)(int, int, struct stat *),
    (*real_fxstatat)(int, int, const char *, struct stat *, int);

/* Asks again where the system did not know of the last write. */
#define ASK(call, directory, path)                                                                 \
    int result = call;                                                                             \
    if (result == 0 && may_be_ours(facts, directory, path)) {                                      \
        struct known known = ask(facts);                                                           \
        if (known.end < 0)                                                                         \
            return -1;                                                                             \
        if (known.is_written)                                                                      \
            result = call;                                                                         \
        if (result == 0)                                                                           \
            set_end(facts, known.end);                                                             \
    }                                                                                              \
    return result

static int in_place_of_stat(const char *path, struct stat *facts)
{
    char room[PATH_MAX];
    path = fth_prefix_path(path, room);
    ASK(real_stat(path, facts), AT_FDCWD, path);
}

static int in_place_of_lstat(const char *path, struct stat *facts)
{
    char room[PATH_MAX];
    path = fth_prefix_path(path, room);
    ASK(real_lstat(path, facts), AT_FDCWD, path);
}

static int in_place_of_fstat(int file, struct stat *facts)
{
    ASK(real_fstat(file, facts), file, NULL);
}

static int in_place_of_fstatat(int directory, const char *path, struct stat *facts, int flags)
{
    char room[PATH_MAX];
    path = fth_prefix_path_at(directory, path, room);
    ASK(real_fstatat(directory, path, facts, flags), directory, path);
}

static int in_place_of_xstat(int version, const char *path, struct stat *facts)
{
    char room[PATH_MAX];
    path = fth_prefix_path(path, room);
    ASK(real_xstat(version, path, facts), AT_FDCWD, path);
}

static int in_place_of_lxstat(int version, const char *path, struct stat *facts)
{
    char room[PATH_MAX];
    path = fth_prefix_path(path, room);
    ASK(real_lxstat(version, path, facts), AT_FDCWD, path);
}

static int in_place_of_fxstat(int version, int file, struct stat *facts)
{
    ASK(real_fxstat(version, file, facts), file, NULL);
}

static int in_place_of_fxstatat(int version, int directory, const char *path, struct stat *facts,
                                int flags)
{
    char room[PATH_MAX];
    path = fth_prefix_path_at(directory, path, room);
    ASK(real_fxstatat(version, directory, path, facts, flags), directory, path);
}

static int in_place_of_statx(int directory, const char *path, int flags, unsigned mask,
                             struct statx *facts)
{
    char room[PATH_MAX];
    path = fth_prefix_path_at(directory, path, room);
    int result = real_statx(directory, path, flags, mask, facts);
    if (result || !fth_prefix.is_on ||
        (facts->stx_mask & (STATX_TYPE | STATX_INO)) != (STATX_TYPE | STATX_INO))
        return result;
    struct stat same = {.st_dev = makedev(facts->stx_dev_major, facts->stx_dev_minor),
                        .st_ino = facts->stx_ino,
                        .st_mode = facts->stx_mode,
                        .st_size = (off_t)facts->stx_size};
    if (!may_be_ours(&same, directory, path))
        return result;
    struct known known = ask(&same);
    if (known.end < 0)
        return -1;
    if (known.is_written)
        result = real_statx(directory, path, flags, mask, facts);
    set_end(&same, known.end);
    if (!result && facts->stx_mask & STATX_SIZE)
        facts->stx_size = (uint64_t)same.st_size;
    if (!result && same.st_blocks)
        facts->stx_blocks = (uint64_t)same.st_blocks;
    return result;
}

const struct fth_prefix_call fth_prefix_fact_calls[] = {FTH_PREFIX_ROW(stat, stat),
                                                        FTH_PREFIX_ROW(stat64, stat),
                                                        FTH_PREFIX_ROW(lstat, lstat),
                                                        FTH_PREFIX_ROW(lstat64, lstat),
                                                        FTH_PREFIX_ROW(fstat, fstat),
                                                        FTH_PREFIX_ROW(fstat64, fstat),
                                                        FTH_PREFIX_ROW(fstatat, fstatat),
                                                        FTH_PREFIX_ROW(fstatat64, fstatat),
                                                        FTH_PREFIX_ROW(statx, statx),
                                                        FTH_PREFIX_ROW(__xstat, xstat),
                                                        FTH_PREFIX_ROW(__xstat64, xstat),
                                                        FTH_PREFIX_ROW(__lxstat, lxstat),
                                                        FTH_PREFIX_ROW(__lxstat64, lxstat),
                                                        FTH_PREFIX_ROW(__fxstat, fxstat),
                                                        FTH_PREFIX_ROW(__fxstat64, fxstat),
                                                        FTH_PREFIX_ROW(__fxstatat, fxstatat),
                                                        FTH_PREFIX_ROW(__fxstatat64, fxstatat),
                                                        {NULL, NULL, NULL}};
