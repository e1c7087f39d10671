/* Files of what is preloaded: system calls that no wrapper sees. */
#include "interpose/own/own_files.h"

#include "interpose/own/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

int fth_file_open_at(int directory, const char *path, int flags, int *error)
{
    int before = errno;
    long file = syscall(SYS_openat, directory, path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        *error = errno;
    errno = before;
    return (int)file;
}

int fth_file_open(const char *path)
{
    int error;
    return fth_file_open_at(AT_FDCWD, path, O_RDONLY, &error);
}

int fth_file_make(const char *path, int *error)
{
    return fth_file_open_at(AT_FDCWD, path, O_RDWR | O_CREAT, error);
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
        fth_interposer.has_written((uint64_t)written);
        bytes = (const char *)bytes + written;
        size -= (size_t)written;
        at += (size_t)written;
    }
    errno = before;
    return true;
}

/* The file is made as long as this, with blocks behind all of it: stores to a hole would raise
 * SIGBUS when the disk is full. */
static bool write_zeros(int file, uint64_t end)
{
    static const char zeros[4096];
    long at = syscall(SYS_lseek, file, 0, SEEK_END);
    while (at >= 0 && (uint64_t)at < end) {
        uint64_t rest = end - (uint64_t)at;
        long written =
            syscall(SYS_pwrite64, file, zeros, rest < sizeof zeros ? rest : sizeof zeros, at);
        if (written <= 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        fth_interposer.has_written(written > 0 ? (uint64_t)written : 0);
    }
    return at >= 0;
}

void *fth_file_map(int file, uint64_t at, size_t bytes, int *error)
{
    int before = errno;
    void *memory = MAP_FAILED;
    if (!size_is_allowed(at + bytes))
        errno = EFBIG;
    else if (syscall(SYS_fallocate, file, 0, at, bytes) == 0 ||
             (errno == EOPNOTSUPP && write_zeros(file, at + bytes)))
        memory =
            (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, at);
    if (memory == MAP_FAILED)
        *error = errno;
    errno = before;
    return memory == MAP_FAILED ? NULL : memory;
}

/* Where the system can say whether there is room behind a page that is mapped: Linux 5.14. */
static bool populate(void *start, size_t bytes)
{
    const int populate_write = 23; /* MADV_POPULATE_WRITE */
    return syscall(SYS_madvise, start, bytes, populate_write) == 0;
}

void *fth_file_map_some(int file, uint64_t at, size_t bytes, size_t *reached, int *error)
{
    int before = errno;
    *reached = PAGE;
    bool is_sparse = size_is_allowed(at + bytes) &&
                     syscall(SYS_fallocate, file, 0, at, *reached) == 0 &&
                     syscall(SYS_ftruncate, file, at + bytes) == 0;
    long memory = is_sparse
                      ? syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, at)
                      : -1;
    if (memory != -1 && !populate((void *)memory, *reached)) {
        syscall(SYS_munmap, memory, bytes);
        memory = -1;
    }
    errno = before;
    if (memory != -1)
        return (void *)memory;
    *reached = bytes;
    return fth_file_map(file, at, bytes, error);
}

bool fth_file_reach(void *start, size_t *reached, size_t end)
{
    int before = errno;
    size_t to = (end + PAGE - 1) / PAGE * PAGE;
    if (end > *reached && !fth_is_filtered && !fth_finds_filter() &&
        populate(start, to)) /* from a place where a page begins, however large they are */
        *reached = to;
    errno = before;
    return end <= *reached;
}

bool fth_file_map_over(int file, uint64_t at, size_t bytes, void *memory)
{
    int before = errno;
    long mapped =
        syscall(SYS_mmap, memory, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, at);
    errno = before;
    return (void *)mapped == memory;
}
