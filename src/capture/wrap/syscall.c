/* System calls that the program makes by syscall(2). They go where they went, but for those that a
 * function of the catalogue does as well (by_number.c); what takes away system calls is noticed
 * before (interpose/own/sandbox.c). */
#undef syscall

#include "capture/wrap/by_number.h"
#include "interpose/own/sandbox.h"

#include <stdarg.h>
#include <sys/syscall.h>

FTH_PUBLIC long syscall(long number, ...);
long syscall(long number, ...)
{
    long with[FTH_SYSTEM_LIST] = {number, [FTH_SYSTEM_FRAME] = (long)__builtin_frame_address(0)},
         result;
    va_list more;
    va_start(more, number);
    for (int i = 1; i <= FTH_SYSTEM_ARGUMENTS; i++)
        with[i] = va_arg(more, long);
    va_end(more);
    if (fth_call_by_number(with, &result) || fth_copy_by_number(with, &result))
        return result;
    if (number == SYS_prctl)
        fth_before_prctl((int)with[1], (unsigned long)with[2]);
    else if (number == SYS_seccomp)
        fth_before_seccomp((unsigned)with[1]);
    result = fth_make_by_number(with);
    fth_called_by_number(number, result);
    if (number == SYS_prctl)
        fth_after_prctl((int)with[1], result == 0);
    else if (number == SYS_seccomp)
        fth_after_seccomp((unsigned)with[1], result == 0);
    return result;
}
