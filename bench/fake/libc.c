/* Where calls of a played rank end up that its wrappers take for libc's: this library stands before
 * libc. Nothing is opened or written; each call succeeds. Clock, node and process are made up, too,
 * so that the same ranks make the same trace each time. */
#include "fake/play.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_DESCRIPTOR = 3,
    DESCRIPTORS = 64,
    RANKS_OF_NODE = 64,
    TICK_NS = 700, /* from one look at the clock to the next */
};
static const int64_t start_of_time = 1700000000000000000; /* ns since 1970 */

struct play play;

/* ---- the system ---- */

static long (*system_call)(long, ...);

__attribute__((constructor)) static void start(void)
{
    system_call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
}

pid_t getpid(void)
{
    return play.is_on ? 10000 + play.rank % RANKS_OF_NODE * 3 + play.rank / RANKS_OF_NODE % 7
                      : (pid_t)system_call(SYS_getpid);
}

pid_t getppid(void)
{
    return play.is_on ? 9000 + play.rank / RANKS_OF_NODE % 7 : (pid_t)system_call(SYS_getppid);
}

long syscall(long number, ...)
{
    long given[6];
    va_list arguments;
    if (!system_call)
        start();
    if (number == SYS_gettid && play.is_on)
        return getpid();
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        given[i] = va_arg(arguments, long);
    va_end(arguments);
    return system_call(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

int gethostname(char *name, size_t size)
{
    snprintf(name, size, "node%04d", play.rank / RANKS_OF_NODE);
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int64_t ns;
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
        return (int)system_call(SYS_clock_gettime, clock, now);
    ns += TICK_NS;
    int64_t at = ns + (clock == CLOCK_REALTIME ? start_of_time : 0);
    *now = (struct timespec){at / 1000000000, at % 1000000000};
    return 0;
}

/* ---- files ---- */

static bool is_open[FIRST_DESCRIPTOR + DESCRIPTORS];

static bool is_played(int descriptor)
{
    return play.is_on && descriptor >= FIRST_DESCRIPTOR &&
           descriptor < FIRST_DESCRIPTOR + DESCRIPTORS && is_open[descriptor];
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!play.is_on)
        return (int)system_call(SYS_openat, AT_FDCWD, path, flags, mode);
    for (int i = FIRST_DESCRIPTOR; i < FIRST_DESCRIPTOR + DESCRIPTORS; i++)
        if (!is_open[i]) {
            is_open[i] = true;
            return i;
        }
    errno = EMFILE;
    return -1;
}

int close(int descriptor)
{
    if (!is_played(descriptor))
        return (int)system_call(SYS_close, descriptor);
    is_open[descriptor] = false;
    return 0;
}

ssize_t read(int descriptor, void *buffer, size_t size)
{
    if (!is_played(descriptor))
        return system_call(SYS_read, descriptor, buffer, size);
    size_t moved = size < play.file_bytes ? size : play.file_bytes;
    play.file_bytes -= moved;
    return (ssize_t)moved;
}

ssize_t write(int descriptor, const void *buffer, size_t size)
{
    return is_played(descriptor) ? (ssize_t)size : system_call(SYS_write, descriptor, buffer, size);
}

ssize_t pread(int descriptor, void *buffer, size_t size, off_t offset)
{
    return is_played(descriptor) ? (ssize_t)size
                                 : system_call(SYS_pread64, descriptor, buffer, size, offset);
}

/* Models say where they go. */
off_t lseek(int descriptor, off_t offset, int whence)
{
    return is_played(descriptor) && whence == SEEK_SET
               ? offset
               : (off_t)system_call(SYS_lseek, descriptor, offset, whence);
}

ssize_t pwrite(int descriptor, const void *buffer, size_t size, off_t offset)
{
    return is_played(descriptor) ? (ssize_t)size
                                 : system_call(SYS_pwrite64, descriptor, buffer, size, offset);
}
