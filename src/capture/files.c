/* The tracer's own files, memory and locks. A descriptor of ours is there only while something is written, and at a number that
 * programs do not use: another thread may close any number at any time, and the next file it opens gets the lowest one. */
#include "capture/files.h"

#include "capture/put.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    HIGH = 1000, /* descriptors of ours are at least this, if the limit allows */
    BELOW_LIMIT = 24,
    LONGEST_FOLDER = 256,
};

static char folder[LONGEST_FOLDER];
static int held = AT_FDCWD; /* descriptor of the folder, when its path leads there no more */

/* ---- descriptors ---- */

/* The same descriptor at a number out of the way, or as it is when there is none. */
static int move_away(int file)
{
    struct rlimit limit;
    long place = HIGH;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGH + BELOW_LIMIT)
        place = limit.rlim_cur > 2 * BELOW_LIMIT ? (long)limit.rlim_cur - BELOW_LIMIT : 0;
    long high = place > file ? syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, place) : -1;
    return high < 0 ? file : (int)high;
}

static bool is_file(int file, int directory, const char *path)
{
    struct stat opened, named;
    return syscall(SYS_newfstatat, file, "", &opened, AT_EMPTY_PATH) == 0 &&
           syscall(SYS_newfstatat, directory, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static int open_out_of_the_way(int directory, const char *path, int flags, int *error)
{
    int before = errno;
    int low = (int)syscall(SYS_openat, directory, path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (low < 0) {
        *error = errno;
        errno = before;
        return -1;
    }
    int file = move_away(low);
    if (!is_file(
            file, directory,
            path)) { /* another thread closed it, and the number is of a file of the program's by now */
        if (file != low)
            syscall(SYS_close, file);
        *error = EBADF;
        file = -1;
    } else if (file != low) {
        syscall(SYS_close, low);
    }
    errno = before;
    return file;
}

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

void fth_spill_hold_folder(bool hold)
{
    int error;
    if (hold && held == AT_FDCWD && *folder) {
        int made = open_out_of_the_way(AT_FDCWD, folder, O_PATH | O_DIRECTORY, &error);
        held = made < 0 ? AT_FDCWD : made;
    } else if (!hold && held != AT_FDCWD) {
        fth_file_close(held);
        held = AT_FDCWD;
    }
}

int fth_spill_open(const char *name, int flags, int *error)
{
    char path[LONGEST_FOLDER + 64];
    if (held != AT_FDCWD)
        return open_out_of_the_way(held, name, flags, error);
    fth_put_text(fth_put_text(fth_put_text(path, folder), "/"), name);
    return open_out_of_the_way(AT_FDCWD, path, flags, error);
}

int fth_file_open(const char *path)
{
    int error;
    return open_out_of_the_way(AT_FDCWD, path, O_RDONLY, &error);
}

void fth_file_close(int file)
{
    int before = errno;
    syscall(SYS_close, file);
    errno = before;
}

bool fth_error_is_passing(int error)
{
    return error == EMFILE || error == ENFILE || error == EBADF || error == EINTR ||
           error == ENOMEM || error == EAGAIN;
}

/* ---- bytes ---- */

/* A write beyond RLIMIT_FSIZE would raise SIGXFSZ in the program: it is refused here. */
static bool size_is_allowed(uint64_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           end <= limit.rlim_cur;
}

bool fth_file_write(int file, const void *bytes, size_t size, uint64_t at, int *error)
{
    int before = errno;
    if (!size_is_allowed(at + size)) {
        *error = EFBIG;
        return false;
    }
    while (size) {
        ssize_t written = syscall(SYS_pwrite64, file, bytes, size, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            *error = written ? errno : ENOSPC;
            errno = before;
            return false;
        }
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
        at += (size_t)written;
    }
    errno = before;
    return true;
}

void *fth_file_map(int file, uint64_t at, size_t bytes, int *error)
{
    int before = errno;
    void *memory = MAP_FAILED;
    if (!size_is_allowed(at + bytes))
        errno = EFBIG;
    else if (syscall(SYS_fallocate, file, 0, at, bytes) == 0 ||
             (errno == EOPNOTSUPP && posix_fallocate(file, (off_t)at, (off_t)bytes) == 0))
        memory =
            (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, at);
    if (memory == MAP_FAILED)
        *error = errno;
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- memory and locks ---- */

void *fth_map_memory(size_t bytes)
{
    int before = errno;
    void *memory = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

void fth_unmap(void *memory, size_t bytes)
{
    int before = errno;
    syscall(SYS_munmap, memory, bytes);
    errno = before;
}

static __thread char myself __attribute__((tls_model("initial-exec")));

void fth_lock(struct fth_lock *lock)
{
    const char *nobody = NULL;
    while (!__atomic_compare_exchange_n(&lock->owner, &nobody, &myself, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED) &&
           nobody != &myself) {
        nobody = NULL;
        syscall(SYS_sched_yield);
    }
}

void fth_unlock(struct fth_lock *lock)
{
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELEASE);
}
