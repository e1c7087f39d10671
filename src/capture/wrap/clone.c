/* clone, as libc has it: the child begins in a function of the program. With CLONE_VM and
 * CLONE_VFORK it borrows our memory until it becomes another program or ends, like the child of
 * vfork. With memory of its own it is a process like the child of fork, and libc ends it where no
 * wrapper sees that. Threads, and who shares memory with a parent that goes on, pass through: their
 * calls appear as those of the parent's thread, unless they have thread-local memory of their own,
 * and that is noted. And the system calls clone, clone3 and fork, by number: the child returns as
 * that of fork does. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/process/process.h"
#include "capture/wrap/by_number.h"
#include "capture/wrap/fork.h"
#include "capture/wrap/real.h"
#include "capture/wrap/stdio.h"

#include "interpose/own/put.h"
#include "interpose/own/readable.h"

#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

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

/* Once in a process. */
static void note_shared_memory(void)
{
    static bool noted;
    char text[160];
    if (!fth_process_is_recorded() || __atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
        return;
    char *end = fth_put_text(text, "calls of a child that shares the memory of pid ");
    end = fth_put_decimal(end, (uint64_t)fth_process->pid);
    fth_put_text(end, " (clone with CLONE_VM): they appear as calls of that process");
    fth_process_note("unseen=", text);
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
    bool is_unlike = (flags & CLONE_THREAD) || (shares && !lends);
    if (function && stack && is_unlike && !(flags & CLONE_SETTLS))
        note_shared_memory();
    if (!function || !stack || is_unlike)
        return make(&asked, function, argument);
    return shares ? lend(&asked) : copy(&asked);
}

/* ---- by number ---- */

/* As linux/sched.h has it, which does not go with sched.h: its first version. */
struct clone_arguments {
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
};

/* The flags of a system call that copies this process; false: it is none. */
static bool asks_for_copy(const long *with, uint64_t *flags, bool *has_stack)
{
    struct clone_arguments given;
    *has_stack = false;
#ifdef SYS_fork
    *flags = SIGCHLD;
    if (with[0] == SYS_fork)
        return true;
#endif
    if (with[0] == SYS_clone) {
        *flags = (uint64_t)with[1];
        *has_stack = with[2] != 0;
        return true;
    }
    if (with[0] != SYS_clone3 || (size_t)with[2] < sizeof given ||
        !fth_is_readable((const void *)with[1], sizeof given))
        return false;
    memcpy(&given, (const void *)with[1], sizeof given);
    *flags = given.flags | given.exit_signal;
    *has_stack = given.stack != 0;
    return true;
}

bool fth_copy_by_number(const long *with, long *result)
{
    struct fth_draft call;
    uint64_t flags;
    bool has_stack;
    if (!asks_for_copy(with, &flags, &has_stack))
        return false;
    if ((flags & CLONE_VM) && !(flags & (CLONE_SETTLS | CLONE_VFORK)))
        note_shared_memory();
    if (has_stack || (flags & (CLONE_VM | CLONE_THREAD)))
        return false;
    fth_stdio_copied();
    bool is_begun =
        fth_begin_at(&call, FTH_CALL_clone, FTH_CONTEXT_clone, (uintptr_t)with[FTH_SYSTEM_FRAME]);
    if (is_begun) {
        fth_note_handed_over(&call);
        fth_start(&call);
    }
    *result = fth_make_by_number(with);
    if (*result == 0) {
        fth_vforked = 0;
        fth_process_forked();
    } else if (is_begun) {
        fth_end(&call);
        fth_keep(&call, (int32_t)flags);
        fth_keep_status(&call, (int)*result);
    }
    return true;
}
