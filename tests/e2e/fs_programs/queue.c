/* Asks for queues of reads and writes by instructions of its own. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static long ask(long number)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(0L), "S"(0L)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long asked __asm__("x8") = number, result __asm__("x0") = 0, more __asm__("x1") = 0;
    __asm__ volatile("svc #0" : "+r"(result) : "r"(asked), "r"(more) : "memory");
    return result;
#endif
}

int makes_queues(void)
{
    return ask(SYS_io_uring_setup) != -ENOSYS || ask(SYS_io_setup) != -ENOSYS;
}

#ifndef AS_LIBRARY
int main(void)
{
    return makes_queues();
}
#endif
