/* Calls by which a program takes system calls from itself, or the processor's clock; the same
 * function asks for a signal at the end of the parent, which is recorded. */
#include "calls.h"
#include "capture/life/begin.h"
#include "interpose/own/sandbox.h"
#include "interpose/reach/reals.h"

#include <stdarg.h>
#include <stdint.h>
#include <sys/prctl.h>

static void end_prctl(struct fth_draft *call, int option, int signal, int result)
{
    fth_end(call);
    call->worked = result >= 0;
    fth_keep(call, option);
    fth_keep(call, signal);
    fth_keep(call, result < 0 ? fth_failure(call) : result);
    fth_commit(call);
}

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
    struct fth_draft call;
    bool recorded =
        option == PR_SET_PDEATHSIG && fth_begin_at(&call, FTH_CALL_prctl, FTH_CONTEXT_prctl,
                                                   (uintptr_t)__builtin_frame_address(0));
    if (recorded)
        fth_start(&call);
    fth_before_prctl(option, arguments[0]);
    int result = real(option, arguments[0], arguments[1], arguments[2], arguments[3]);
    fth_after_prctl(option, result == 0);
    if (recorded)
        end_prctl(&call, option, (int)arguments[0], result);
    return result;
}
