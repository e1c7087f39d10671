/* A program that takes system calls from itself (seccomp) would be killed for those of the tracer: recording ends before. A filter is set up
 * after no_new_privs, by prctl or by a system call of its own; nothing but an exec ends that. */
#include "capture/process.h"
#include "capture/runtime.h"

#include <stdarg.h>
#include <sys/prctl.h>

FTH_PUBLIC int prctl(int option, ...)
{
    static int (*real)(int option, ...);
    unsigned long arguments[4];
    va_list more;
    va_start(more, option);
    for (int i = 0; i < 4; i++)
        arguments[i] = va_arg(more, unsigned long);
    va_end(more);
    if (!real)
        real = (__typeof__(real))fth_real("prctl");
    if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS)
        fth_process_step_aside("what it does after it has given up rights to system calls (prctl)");
    return real(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
