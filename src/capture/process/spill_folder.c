/* The folder of spill files. */
#include "capture/process/spill_folder.h"

#include "interpose/own/apart.h"
#include "interpose/own/files.h"
#include "interpose/own/put.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
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

int fth_spill_open(const char *name, int flags, int *error)
{
    char path[FTH_LONGEST_SPILL + 64];
    if (held != AT_FDCWD)
        return fth_file_open_at(held, name, flags, error);
    fth_put_text(fth_put_text(fth_put_text(path, folder), "/"), name);
    return fth_file_open_at(AT_FDCWD, path, flags, error);
}
