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

static struct known ask(const struct stat *facts, const char *identity)
{
    if (fth_prefix_is_plain(identity))
        return (struct known){.end = 0};
    uint64_t signals = fth_prefix_enter();
    struct fth_client_file *file = fth_prefix_find(identity);
    struct known known = {file && file->is_written, 0};
    if (known.is_written)
        fth_prefix_tell_times(file, file->writer);
    known.end = fth_prefix_end_of(identity, facts->st_size);
    int error = errno;
    fth_prefix_leave(signals);
    errno = error;
    return known;
}

enum { MOST_ROUNDS = 1000 };
enum whose { OTHERS, OURS, CHANGED /* the name has another file since */ };

/* On several nodes, which have to know the birth as well. */
static enum whose look_at(const struct stat *facts, int file, char identity[FTH_IDENTITY_MOST])
{
    struct stat now;
    char name[PATH_MAX];
    if (fstat(file, &now) || now.st_ino != facts->st_ino || now.st_dev != facts->st_dev)
        return CHANGED;
    fth_prefix_identity(facts, file, "", identity);
    return fth_prefix_is_below(file, name) ? OURS : OTHERS;
}

/* On several nodes the list of known files says nothing (fs/protocol/held_files.h): servers are not
 * asked for files that are elsewhere on the device. Without a path: of the descriptor. */
static enum whose whose(const struct stat *facts, int directory, const char *path,
                        char identity[FTH_IDENTITY_MOST])
{
    if (!fth_prefix.is_on || facts->st_dev != fth_prefix.device || !S_ISREG(facts->st_mode))
        return OTHERS;
    if (fth_client.instance.server_count == 1) {
        fth_identity_of(facts, 0, identity);
        return OURS;
    }
    int before = errno, file = directory;
    if (path && *path)
        file = (int)syscall(SYS_openat, directory, path, O_PATH | O_CLOEXEC);
    enum whose found = file >= 0         ? look_at(facts, file, identity)
                       : errno == ENOENT ? CHANGED
                                         : OTHERS;
    if (file >= 0 && file != directory)
        syscall(SYS_close, file);
    errno = before;
    return found;
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

/* Asks again where the name has another file since, or where the system did not know of a write. */
#define ASK(call, directory, path)                                                                 \
    char identity[FTH_IDENTITY_MOST];                                                              \
    enum whose of = OTHERS;                                                                        \
    int result, rounds = 0;                                                                        \
    do                                                                                             \
        result = call;                                                                             \
    while (result == 0 && (of = whose(facts, directory, path, identity)) == CHANGED &&             \
           ++rounds < MOST_ROUNDS);                                                                \
    if (result == 0 && of == OURS) {                                                               \
        struct known known = ask(facts, identity);                                                 \
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

/* What is asked of the file in statx(2). */
static bool as_stat(const struct statx *facts, struct stat *same)
{
    *same = (struct stat){.st_dev = makedev(facts->stx_dev_major, facts->stx_dev_minor),
                          .st_ino = facts->stx_ino,
                          .st_mode = facts->stx_mode,
                          .st_size = (off_t)facts->stx_size};
    return (facts->stx_mask & (STATX_TYPE | STATX_INO)) == (STATX_TYPE | STATX_INO);
}

static int in_place_of_statx(int directory, const char *path, int flags, unsigned mask,
                             struct statx *facts)
{
    char room[PATH_MAX], identity[FTH_IDENTITY_MOST];
    enum whose of = OTHERS;
    struct stat same;
    int result, rounds = 0;
    path = fth_prefix_path_at(directory, path, room);
    do
        result = real_statx(directory, path, flags, mask, facts);
    while (result == 0 && fth_prefix.is_on && as_stat(facts, &same) &&
           (of = whose(&same, directory, path, identity)) == CHANGED && ++rounds < MOST_ROUNDS);
    if (result || of != OURS)
        return result;
    struct known known = ask(&same, identity);
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
