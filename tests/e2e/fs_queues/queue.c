/* Asks for queues of reads and writes by instructions of its own: with constant numbers behind much
 * else; with TABLE, with numbers that only the program knows when it runs. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined TABLE
__attribute__((noinline))
#else
__attribute__((always_inline)) inline
#endif
static long
ask(long number, void *room)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(0L), "S"(room)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long asked __asm__("x8") = number, result __asm__("x0") = 0;
    register void *more __asm__("x1") = room;
    __asm__ volatile("svc #0" : "+r"(result) : "r"(asked), "r"(more) : "memory");
    return result;
#endif
}

int makes_queues(void)
{
    char room[240] = {0};
#if defined TABLE
    volatile long base = 200;
    return ask(base + SYS_io_setup - 200, room) != -ENOSYS;
#else
    return ask(SYS_io_uring_setup, room) != -ENOSYS;
#endif
}

#ifndef AS_LIBRARY
int main(void)
{
    return makes_queues();
}
#endif
