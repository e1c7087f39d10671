/* Signals that wait while something of ours must not be interrupted. */
#include "interpose/own/held_signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGNAL_SET = 8 }; /* bytes, as the kernel has it */

uint64_t fth_signals_wait(void)
{
    uint64_t all = ~(uint64_t)0, before = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, SIGNAL_SET);
    return before;
}

void fth_signals_go(uint64_t before)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, SIGNAL_SET);
}
