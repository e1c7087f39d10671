/* System calls that no tracer sees: what a test program does for itself. syscall(2) is a function
 * of libc, and is recorded. */
#ifndef RANDOM_PROGRAMS_KERNEL_H
#define RANDOM_PROGRAMS_KERNEL_H

/* Returns what the kernel does: minus an error number where the call fails. */
static inline long kernel(long number, long a, long b, long c, long d)
{
#if defined __x86_64__
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__
    register long which __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth)
                     : "memory");
    return first;
#else
#error "system calls are not written for this machine"
#endif
}

#endif
