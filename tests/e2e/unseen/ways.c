/* Ways to write 64 KiB (the second argument: or as many bytes) that no function of libc is seen to
 * do. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1 << 20];

/* The instruction itself. */
static long instruct(long number, long a, long b, long c)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
                     x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#endif
}

static int by_instruction(size_t size)
{
    int file = open("raw", O_RDWR | O_CREAT | O_TRUNC, 0600);
    return instruct(SYS_write, file, (long)bytes, (long)size) != (long)size;
}

static int reading_by_instruction(size_t size)
{
    if (by_instruction(size))
        return 1;
    int file = open("raw", O_RDONLY);
    return instruct(SYS_read, file, (long)bytes, (long)size) != (long)size;
}

static int in_children(size_t size)
{
    for (int i = 0; i < 3; i++) {
        if (fork() == 0)
            _exit(write(open("child", O_WRONLY | O_CREAT, 0600), bytes, size) != (ssize_t)size);
        wait(NULL);
    }
    return 0;
}

/* What a function of libc does, too. */
static int by_number(size_t size)
{
    long file = syscall(SYS_openat, AT_FDCWD, "number", O_RDWR | O_CREAT | O_TRUNC, 0600);
    return syscall(SYS_pwrite64, file, bytes, size, 4096L) != (long)size ||
           syscall(SYS_lseek, file, 4096L, SEEK_SET) != 4096 ||
           syscall(SYS_read, file, bytes, 10L) != 10 || syscall(SYS_fsync, file) ||
           syscall(SYS_write, -1L, bytes, 1L) != -1 || errno != EBADF || syscall(SYS_close, file);
}

/* No queue comes of that. */
static int without_ring(size_t size)
{
    return syscall(SYS_io_uring_setup, 0L, NULL) != -1 || size == 0;
}

static struct io_uring_params parameters;

/* 77: the system has no such queues. */
static int by_ring(size_t size)
{
    return size == 0 || syscall(SYS_io_uring_setup, 4L, &parameters) < 0 ? 77 : 0;
}

static int by_ring_of_its_own(size_t size)
{
    return size == 0 || instruct(SYS_io_uring_setup, 4, (long)&parameters, 0) < 0 ? 77 : 0;
}

static int by_submission(size_t size)
{
    aio_context_t context = 0;
    int file = open("submitted", O_WRONLY | O_CREAT, 0600);
    struct iocb block = {.aio_fildes = (uint32_t)file, .aio_lio_opcode = IOCB_CMD_PWRITE};
    struct iocb *blocks = &block;
    struct io_event event;
    block.aio_buf = (uintptr_t)bytes;
    block.aio_nbytes = size;
    return syscall(SYS_io_setup, 1L, &context) ||
           syscall(SYS_io_submit, context, 1L, &blocks) != 1 ||
           syscall(SYS_io_getevents, context, 1L, 1L, &event, NULL) != 1;
}

static int by_map(size_t size)
{
    int file = open("mapped", O_RDWR | O_CREAT, 0600);
    char *start = ftruncate(file, (off_t)size)
                      ? MAP_FAILED
                      : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (start == MAP_FAILED)
        return 1;
    memset(start, 'm', size);
    return 0;
}

/* What is stored stays in memory, or cannot be stored. */
static int by_harmless_maps(size_t size)
{
    int file = open("mapped", O_RDWR | O_CREAT, 0600);
    return ftruncate(file, (off_t)size) ||
           mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0) == MAP_FAILED ||
           mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED ||
           mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) ==
               MAP_FAILED;
}

/* libc reads the number of processors. */
static int none(size_t size)
{
    (void)size;
    return sysconf(_SC_NPROCESSORS_CONF) < 1 || sysconf(_SC_NPROCESSORS_ONLN) < 1;
}

int main(int count, char **arguments)
{
    size_t size = count > 2 ? (size_t)atol(arguments[2]) : 64 << 10;
    static const struct {
        const char *name;
        int (*write)(size_t);
    } ways[] = {
        {"raw", by_instruction},
        {"raw-read", reading_by_instruction},
        {"children", in_children},
        {"number", by_number},
        {"no-ring", without_ring},
        {"ring", by_ring},
        {"ring-raw", by_ring_of_its_own},
        {"submission", by_submission},
        {"map", by_map},
        {"harmless", by_harmless_maps},
        {"none", none},
    };
    for (size_t i = 0; count > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, arguments[1]) == 0)
            return ways[i].write(size);
    return 2;
}
