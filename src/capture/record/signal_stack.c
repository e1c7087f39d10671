/* Which stack a thread has for its signal handlers: asked for when it gets its recorder, and when
 * it sets another one. */
#include "capture/record/signal_stack.h"

#include "interpose/own/sandbox.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls that there was no recorder for to count them. */
static uint32_t lost;

static stack_t ask(void)
{
    stack_t now;
    int before = errno;
    if (fth_is_filtered || fth_finds_filter() || syscall(SYS_sigaltstack, NULL, &now) != 0)
        now = (stack_t){.ss_flags = SS_DISABLE};
    errno = before;
    return now;
}

void fth_signal_stack_known(struct fth_recorder *recorder)
{
    stack_t now = ask();
    recorder->signal_stack = now.ss_flags & SS_DISABLE ? 0 : (uintptr_t)now.ss_sp;
    if (recorder->live && lost)
        recorder->live->lost += __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED);
}

bool fth_is_tight(uintptr_t frame)
{
    stack_t now = {.ss_flags = 0};
    if (frame)
        now = ask();
    if (!(now.ss_flags & SS_ONSTACK) || frame - (uintptr_t)now.ss_sp >= FTH_TIGHT)
        return false;
    __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
    return true;
}
