/* clone, as libc has it: the child begins in a function of the program. With CLONE_VM and
 * CLONE_VFORK it borrows our memory until it becomes another program or ends, like the child of
 * vfork. With memory of its own it is a process like the child of fork, and libc ends it where no
 * wrapper sees that. Threads, and who shares memory with a parent that goes on, pass through. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/wrap/fork.h"
#include "capture/wrap/real.h"
#include "capture/wrap/stdio.h"

#include <sched.h>
#include <stdarg.h>

static void *real_clone;

/* What the caller gave: whom the child runs, and pointers that only some flags ask for. */
struct cloning {
    int (*function)(void *);
    void *stack, *argument, *more[3];
    int flags;
};

static int make(const struct cloning *asked, int (*function)(void *), void *argument)
{
    return REAL(clone)(function, asked->stack, asked->flags, argument, asked->more[0],
                       asked->more[1], asked->more[2]);
}

/* The child of its own memory. */
static int run(void *given)
{
    const struct cloning *asked = given;
    fth_vforked = 0;
    fth_process_forked();
    int status = asked->function(asked->argument);
    if (fth_process_is_recorded())
        fth_process_ended(FTH_END_EXIT, status & 0xff);
    return status;
}

static int copy(struct cloning *asked)
{
    struct fth_draft call;
    fth_stdio_copied();
    if (!fth_begin(&call, FTH_CALL_clone, FTH_CONTEXT_clone))
        return make(asked, run, asked);
    fth_note_handed_over(&call);
    fth_start(&call);
    int child = make(asked, run, asked);
    fth_end(&call);
    fth_keep(&call, asked->flags);
    fth_keep_status(&call, child);
    return child;
}

static int lend(struct cloning *asked)
{
    struct fth_draft call;
    uint64_t begin = fth_lend_memory();
    int child = make(asked, asked->function, asked->argument);
    if (fth_take_memory_back() && fth_begin(&call, FTH_CALL_clone, FTH_CONTEXT_clone)) {
        call.begin = begin;
        fth_end(&call);
        fth_note_handed_over(&call);
        fth_keep(&call, asked->flags);
        fth_keep_status(&call, child);
    }
    return child;
}

FTH_PUBLIC int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    struct cloning asked = {function, stack, argument, .flags = flags};
    va_list more;
    va_start(more, argument);
    for (int i = 0; i < 3; i++)
        asked.more[i] = va_arg(more, void *);
    va_end(more);
    bool shares = flags & CLONE_VM, lends = (flags & CLONE_VFORK) && !(flags & CLONE_SETTLS);
    if (!function || !stack || (flags & CLONE_THREAD) || (shares && !lends))
        return make(&asked, function, argument);
    return shares ? lend(&asked) : copy(&asked);
}
