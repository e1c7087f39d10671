/* What the client of the file system asks of libc, as it has to be inside other people's programs:
 * system calls that no wrapper sees, memory and locks that are not the program's, descriptors with
 * numbers that the program would not get. The linker takes these for all files of the library, and
 * nobody else sees them. */
#include "prefix/stand_ins.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* ---- descriptors ---- */

enum { OWN = 128, HIGHEST = 4096 };
static int first_own;

static int own_from(void)
{
    struct rlimit limit;
    if (first_own)
        return first_own;
    int most = HIGHEST;
    if (syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) == 0 && limit.rlim_cur < HIGHEST)
        most = (int)limit.rlim_cur;
    first_own = most > 2 * OWN ? most - OWN : most / 2;
    return first_own;
}

static uint8_t own[HIGHEST / 8];

bool fth_prefix_is_own(int descriptor)
{
    return (unsigned)descriptor < HIGHEST && own[descriptor / 8] >> descriptor % 8 & 1;
}

static void set_own(int descriptor, bool is)
{
    if ((unsigned)descriptor >= HIGHEST)
        return;
    if (is)
        own[descriptor / 8] |= (uint8_t)(1 << descriptor % 8);
    else
        own[descriptor / 8] &= (uint8_t) ~(1 << descriptor % 8);
}

/* To a number that a program does not get. */
static int move(int descriptor)
{
    if (descriptor < 0)
        return descriptor;
    int moved = (int)syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, own_from());
    if (moved < 0)
        return descriptor;
    syscall(SYS_close, descriptor);
    set_own(moved, true);
    return moved;
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    return move((int)syscall(SYS_openat, directory, path, flags, mode));
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    return move((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int close(int descriptor)
{
    set_own(descriptor, false);
    return (int)syscall(SYS_close, descriptor);
}

int socket(int domain, int type, int protocol)
{
    return move((int)syscall(SYS_socket, domain, type, protocol));
}

/* ---- system calls ---- */

int connect(int socket, const struct sockaddr *address, socklen_t length)
{
    return (int)syscall(SYS_connect, socket, address, length);
}

ssize_t read(int descriptor, void *to, size_t size)
{
    return syscall(SYS_read, descriptor, to, size);
}

ssize_t write(int descriptor, const void *from, size_t size)
{
    return syscall(SYS_write, descriptor, from, size);
}

ssize_t pread(int descriptor, void *to, size_t size, off_t at)
{
    return syscall(SYS_pread64, descriptor, to, size, at);
}

ssize_t pwrite(int descriptor, const void *from, size_t size, off_t at)
{
    return syscall(SYS_pwrite64, descriptor, from, size, at);
}

ssize_t recv(int socket, void *to, size_t size, int flags)
{
    return syscall(SYS_recvfrom, socket, to, size, flags, NULL, NULL);
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    return syscall(SYS_recvmsg, socket, message, flags);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
    return syscall(SYS_sendmsg, socket, message, flags);
}

int poll(struct pollfd *polled, nfds_t count, int timeout)
{
    struct timespec wait = {timeout / 1000, timeout % 1000 * 1000000L};
    return (int)syscall(SYS_ppoll, polled, count, timeout < 0 ? NULL : &wait, NULL, 8);
}

int nanosleep(const struct timespec *asked, struct timespec *left)
{
    return (int)syscall(SYS_nanosleep, asked, left);
}

int fstat(int descriptor, struct stat *facts)
{
    return (int)syscall(SYS_fstat, descriptor, facts);
}

int lstat(const char *path, struct stat *facts)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, facts, AT_SYMLINK_NOFOLLOW);
}

int mkdirat(int directory, const char *path, mode_t mode)
{
    return (int)syscall(SYS_mkdirat, directory, path, mode);
}

int unlinkat(int directory, const char *path, int flags)
{
    return (int)syscall(SYS_unlinkat, directory, path, flags);
}

int posix_fallocate(int descriptor, off_t offset, off_t bytes)
{
    return syscall(SYS_fallocate, descriptor, 0, offset, bytes) ? errno : 0;
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes)
{
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, bytes);
}

int ftruncate(int descriptor, off_t length)
{
    return (int)syscall(SYS_ftruncate, descriptor, length);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
    return (void *)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset);
}

int munmap(void *address, size_t bytes)
{
    return (int)syscall(SYS_munmap, address, bytes);
}

/* ---- locks ---- */

/* 0: free, 1: taken, 2: taken and waited for (U. Drepper, Futexes are tricky, 2011). */

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    uint32_t *word = (uint32_t *)mutex, seen = 0;
    if (__atomic_compare_exchange_n(word, &seen, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return 0;
    while (__atomic_exchange_n(word, 2, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    return 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    uint32_t *word = (uint32_t *)mutex;
    if (__atomic_exchange_n(word, 0, __ATOMIC_RELEASE) == 2)
        syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return 0;
}

/* Forks are followed by wrappers (prefix_processes.c). */
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare, (void)parent, (void)child;
    return 0;
}

/* ---- memory: pieces of powers of two; who calls has the lock of the client ---- */

enum { LEAST = 5, LARGE = 17, SIZES = LARGE - LEAST, CHUNK = 1 << 20 };

struct piece {
    _Alignas(16) size_t bytes; /* of a large one all that is mapped, of others 1 << shift */
    struct piece *next;        /* while it is free */
};
enum { HEAD = 16 };

static struct piece *unused[SIZES];
static char *chunk;
static size_t left;

static void *map_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct piece *take_large(size_t bytes)
{
    struct piece *piece = map_memory(bytes);
    if (piece)
        piece->bytes = bytes;
    return piece;
}

static struct piece *take_small(int shift)
{
    size_t bytes = (size_t)1 << shift;
    struct piece *piece = unused[shift - LEAST];
    if (piece) {
        unused[shift - LEAST] = piece->next;
        return piece;
    }
    if (left < bytes) {
        chunk = map_memory(CHUNK);
        left = chunk ? CHUNK : 0;
    }
    if (left < bytes)
        return NULL;
    piece = (struct piece *)chunk;
    chunk += bytes;
    left -= bytes;
    piece->bytes = bytes;
    return piece;
}

void *malloc(size_t size)
{
    if (size > PTRDIFF_MAX)
        return NULL;
    int shift = LEAST;
    while (shift < LARGE && ((size_t)1 << shift) < size + HEAD)
        shift++;
    size_t large = size + HEAD > (size_t)1 << LARGE ? size + HEAD : (size_t)1 << LARGE;
    struct piece *piece =
        shift == LARGE ? take_large((large + 4095) / 4096 * 4096) : take_small(shift);
    return piece ? (char *)piece + HEAD : NULL;
}

void free(void *memory)
{
    if (!memory)
        return;
    struct piece *piece = (struct piece *)((char *)memory - HEAD);
    if (piece->bytes >= (size_t)1 << LARGE) {
        munmap(piece, piece->bytes);
        return;
    }
    struct piece **list = &unused[__builtin_ctzll(piece->bytes) - LEAST];
    piece->next = *list;
    *list = piece;
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    void *memory = __builtin_mul_overflow(count, size, &bytes) ? NULL : malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    size_t has = ((struct piece *)((char *)memory - HEAD))->bytes - HEAD;
    if (size <= has)
        return memory;
    void *more = malloc(size);
    if (more) {
        memcpy(more, memory, has);
        free(memory);
    }
    return more;
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : realloc(memory, bytes);
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *strdup(const char *text)
{
    return strndup(text, strlen(text));
}

int vasprintf(char **to, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *to = length < 0 ? NULL : malloc((size_t)length + 1);
    return *to ? vsnprintf(*to, (size_t)length + 1, format, arguments) : -1;
}

int asprintf(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(to, format, arguments);
    va_end(arguments);
    return length;
}
