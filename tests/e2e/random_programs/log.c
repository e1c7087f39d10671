/* The account that a random program keeps of its calls, past the tracer. */
#include "kernel.h"
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 24 };
#define ROOM ((size_t)64 << 20) /* per thread; only what is written takes memory */

struct account {
    size_t used;
    char text[];
};

static struct shared {
    unsigned threads;
    struct account *accounts[MOST_THREADS];
} * shared;
static __thread struct account *mine;
static __thread long owner; /* a forked child needs an account of its own */
static __thread int64_t before, after;
static __thread int error;

static void *map(size_t size)
{
    return kernel_map(size, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE);
}

static char *pool;

/* All accounts are mapped before the first fork, so that they lie at one place in all processes. */
void log_start(void)
{
    shared = map(sizeof *shared);
    pool = map(ROOM * MOST_THREADS);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void log_before(void)
{
    before = now();
    errno = 0;
}

void log_after(void)
{
    error = errno;
    after = now();
}

static void add(const char *format, va_list arguments)
{
    int length = vsnprintf(mine->text + mine->used, 65536, format, arguments);
    mine->used += (size_t)length;
}

static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(format, arguments);
    va_end(arguments);
}

void log_call(const char *function, int64_t result, bool failed, const char *file,
              const char *arguments, ...)
{
    long tid = syscall(SYS_gettid);
    if (!mine || owner != tid) {
        unsigned number = __atomic_fetch_add(&shared->threads, 1, __ATOMIC_RELAXED);
        if (number >= MOST_THREADS)
            abort();
        mine = shared->accounts[number] = (struct account *)(pool + number * ROOM);
        owner = tid;
    }
    if (mine->used > ROOM - (1 << 20))
        abort();
    put("{\"pid\":%ld,\"tid\":%ld,\"before\":%lld,\"after\":%lld,\"func\":\"%s\",\"ret\":%lld,"
        "\"errno\":%d,\"args\":{",
        syscall(SYS_getpid), tid, (long long)before, (long long)after, function, (long long)result,
        failed ? error : 0);
    va_list list;
    va_start(list, arguments);
    add(arguments, list);
    va_end(list);
    if (file)
        put("},\"file\":\"%s\"}\n", file);
    else
        put("},\"file\":null}\n");
}

void log_finish(const char *path)
{
    long out = kernel(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (unsigned i = 0; i < shared->threads; i++)
        for (size_t at = 0; at < shared->accounts[i]->used;) {
            long written = kernel(SYS_write, out, (long)(shared->accounts[i]->text + at),
                                  (long)(shared->accounts[i]->used - at), 0);
            if (written <= 0)
                abort();
            at += (size_t)written;
        }
    kernel(SYS_close, out, 0, 0, 0);
}
