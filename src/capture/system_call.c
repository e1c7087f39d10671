/* The tracer's own system calls, and those that the program makes by syscall(2). Ours go straight
 * to the kernel: a debugger that stops at syscall, or a tool that stands before it, is not to meet
 * them. In all other files of this library `syscall` means fth_system_call (CMakeLists.txt). Those
 * of the program go where they went; only what takes away system calls is noticed before
 * (sandbox.c). */
#undef syscall

#include "capture/by_number.h"
#include "capture/process.h"
#include "capture/runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

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

FTH_PUBLIC long syscall(long number, ...);
long syscall(long number, ...)
{
    static void *known;
    enum { MOST = 6 };
    long values[MOST];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < MOST; i++)
        values[i] = va_arg(more, long);
    va_end(more);
    long result;
    if (fth_call_by_number(number, values, &result))
        return result;
    long (*real)(long, ...) = (long (*)(long, ...))__atomic_load_n(&known, __ATOMIC_RELAXED);
    if (FTH_UNLIKELY(!real)) {
        real = (long (*)(long, ...))fth_real("syscall");
        __atomic_store_n(&known, (void *)real, __ATOMIC_RELAXED);
    }
    if (number == SYS_prctl)
        fth_before_prctl((int)values[0], (unsigned long)values[1]);
    else if (number == SYS_seccomp)
        fth_before_seccomp((unsigned)values[0]);
    result = real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
    fth_called_by_number(number, result);
    if (number == SYS_prctl)
        fth_after_prctl((int)values[0], result == 0);
    else if (number == SYS_seccomp)
        fth_after_seccomp((unsigned)values[0], result == 0);
    return result;
}
