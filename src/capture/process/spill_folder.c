/* The folder of spill files. */
#include "capture/process/spill_folder.h"

#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/put.h"
#include "trace/record/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static char folder[FTH_LONGEST_SPILL];
/* a descriptor of the program's table: the folder, when its path leads there no more */
static int held = AT_FDCWD;

bool fth_spill_here(const char *path)
{
    if (strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    return true;
}

const char *fth_spill_folder(void)
{
    return folder;
}

/* Programs count on the lowest number: the folder's is out of their way. */
static long high_number(void)
{
    struct rlimit limit;
    const long high = 1000, below = 24;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && (long)limit.rlim_cur < high + below)
        return (long)limit.rlim_cur > below ? (long)limit.rlim_cur - below : 0;
    return high;
}

void fth_spill_hold_folder(void)
{
    int before = errno;
    if (held == AT_FDCWD && *folder) {
        long file = syscall(SYS_openat, AT_FDCWD, folder, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
        long high = file < 0 ? -1 : syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, high_number());
        if (high >= 0)
            syscall(SYS_close, file);
        held = high >= 0 ? (int)high : file >= 0 ? (int)file : AT_FDCWD;
        fth_apart_keeps(held);
    }
    errno = before;
}

void fth_spill_let_folder_go(void)
{
    if (held != AT_FDCWD)
        fth_file_close(held);
    held = AT_FDCWD;
    fth_apart_keeps(held);
}

/* `name` is below the folder. */
static int open_below(const char *name, int flags, int *error)
{
    char path[FTH_LONGEST_SPILL + 64];
    if (held != AT_FDCWD)
        return fth_file_open_at(held, name, flags, error);
    fth_put_text(fth_put_text(fth_put_text(path, folder), "/"), name);
    return fth_file_open_at(AT_FDCWD, path, flags, error);
}

int fth_spill_open(const char *name, int flags, int *error)
{
    return open_below(name, flags, error);
}

/* ---- small files ---- */

static uint64_t least_free; /* bytes; 0: memory is not used */

void fth_spill_uses_memory(uint64_t least)
{
    least_free = least;
}

static bool is_short(int file)
{
    struct statfs facts;
    return syscall(SYS_fstatfs, file, &facts) != 0 ||
           (uint64_t)facts.f_bavail * (uint64_t)facts.f_bsize < least_free;
}

static char *put_in_memory(char *path, const char *name)
{
    return fth_put_text(fth_put_text(path, FTH_SPILL_MEMORY "/"), name);
}

static int open_in_memory(const char *name, int flags, int *error)
{
    char path[64];
    *error = ENOENT;
    if (!least_free)
        return -1;
    put_in_memory(path, name);
    int file = open_below(path, flags, error);
    if (file < 0 || !is_short(file))
        return file;
    *error = ENOSPC;
    fth_file_close(file);
    if (flags & O_CREAT)
        fth_spill_remove_from(FTH_SPILL_IN_MEMORY, name);
    return -1;
}

int fth_spill_open_in(enum fth_spill_place place, const char *name, int flags, int *error)
{
    return place == FTH_SPILL_IN_MEMORY ? open_in_memory(name, flags, error)
                                        : open_below(name, flags, error);
}

void fth_spill_remove_from(enum fth_spill_place place, const char *name)
{
    char path[FTH_LONGEST_SPILL + 128], *at = path;
    int before = errno;
    if (held == AT_FDCWD)
        at = fth_put_text(fth_put_text(path, folder), "/");
    if (place == FTH_SPILL_IN_MEMORY)
        put_in_memory(at, name);
    else
        fth_put_text(at, name);
    syscall(SYS_unlinkat, held, path, 0);
    errno = before;
}
