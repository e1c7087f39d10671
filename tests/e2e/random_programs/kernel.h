/* System calls that no tracer sees: what a test program does for itself. syscall(2) is a function
 * of libc, and is recorded. */
#ifndef RANDOM_PROGRAMS_KERNEL_H
#define RANDOM_PROGRAMS_KERNEL_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Returns what the kernel does: minus an error number where the call fails. */
static inline long kernel_of_six(long number, long a, long b, long c, long d, long e, long f)
{
#if defined __x86_64__
    long result;
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long which __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    register long fifth __asm__("x4") = e;
    register long sixth __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
#else
#error "system calls are not written for this machine"
#endif
}

static inline long kernel(long number, long a, long b, long c, long d)
{
    return kernel_of_six(number, a, b, c, d, 0, 0);
}

/* Memory of no file. */
static inline void *kernel_map(size_t size, int flags)
{
    long memory = kernel_of_six(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory < 0)
        abort();
    return (void *)memory;
}

#endif
