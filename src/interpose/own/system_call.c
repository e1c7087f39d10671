/* The system calls of what is preloaded. They go straight to the kernel: a debugger that stops at
 * syscall, or a tool that stands before it, is not to meet them. In all files that are preloaded
 * `syscall` means this one (CMakeLists.txt). */
#undef syscall

#include "interpose/interpose.h"

#include <errno.h>

/* As variadic functions are called, integers arrive where those of a plain one do. */
FTH_PUBLIC long fth_system_call(long number, long a, long b, long c, long d, long e, long f);
long fth_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
#if defined __x86_64__
    register long fourth __asm__("r10") = d;
    register long fifth __asm__("r8") = e;
    register long sixth __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
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
    result = first;
#else
#error "system calls are not written for this machine"
#endif
    if ((unsigned long)result < -4095ul)
        return result;
    errno = (int)-result;
    return -1;
}
