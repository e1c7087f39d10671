/* System calls that the program makes by syscall(2). They go where they went, but for those that a
 * function of the catalogue does as well (by_number.c); what takes away system calls is noticed
 * before (interpose/own/sandbox.c). */
#undef syscall

#include "capture/wrap/by_number.h"
#include "interpose/own/sandbox.h"
#include "interpose/reach/reals.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>

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
