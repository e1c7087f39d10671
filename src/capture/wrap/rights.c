/* Calls by which a program takes system calls from itself, or the processor's clock. */
#include "interpose/own/sandbox.h"
#include "interpose/reach/reals.h"

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
    fth_before_prctl(option, arguments[0]);
    int result = real(option, arguments[0], arguments[1], arguments[2], arguments[3]);
    fth_after_prctl(option, result == 0);
    return result;
}
