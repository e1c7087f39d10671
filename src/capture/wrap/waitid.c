/* waitid, of which siginfo_t has the child that it waited for, and what happened to it. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/real.h"

#include <signal.h>
#include <sys/wait.h>

static void *real_waitid;

FTH_PUBLIC int waitid(idtype_t idtype, id_t id, siginfo_t *info, int options)
{
    struct fth_draft call;
    siginfo_t own = {0}, *child = info ? info : &own;
    if (!fth_begin(&call, FTH_CALL_waitid, FTH_CONTEXT_waitid))
        return REAL(waitid)(idtype, id, info, options);
    fth_start(&call);
    int result = REAL(waitid)(idtype, id, child, options);
    fth_end(&call);
    call.worked = result >= 0;
    fth_keep(&call, (int64_t)idtype);
    fth_keep(&call, (int64_t)id);
    fth_keep(&call, (int64_t)options);
    fth_keep(&call, call.worked ? child->si_code : 0);
    fth_keep(&call, call.worked ? child->si_pid : 0);
    fth_keep_status(&call, result);
    return result;
}
