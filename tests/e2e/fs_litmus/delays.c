/* Waits at random before calls on files and locks, where it is preloaded: an order of processes
 * that a plain folder has seldom. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_at_random(void)
{
    static __thread uint64_t state;
    struct timespec now;
    if (!state) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        state = ((uint64_t)now.tv_nsec << 20 ^ (uint64_t)gettid()) * 0x9e3779b97f4a7c15 | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const struct timespec pause = {.tv_nsec = (long)(state % 20000000)};
    if (state >> 40 & 1)
        nanosleep(&pause, NULL);
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    wait_at_random();
    return REAL(open)(path, flags, mode);
}

int fcntl(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    void *argument = va_arg(more, void *);
    va_end(more);
    wait_at_random();
    return REAL(fcntl)(file, command, argument);
}

int flock(int file, int operation)
{
    wait_at_random();
    return REAL(flock)(file, operation);
}

int lockf(int file, int command, off_t length)
{
    wait_at_random();
    return REAL(lockf)(file, command, length);
}

ssize_t pwrite(int file, const void *from, size_t size, off_t offset)
{
    wait_at_random();
    return REAL(pwrite)(file, from, size, offset);
}

ssize_t pread(int file, void *to, size_t size, off_t offset)
{
    wait_at_random();
    return REAL(pread)(file, to, size, offset);
}
