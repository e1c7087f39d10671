/* Wrappers of calls that return twice or not at all: fork, vfork, _exit. They cannot be generated.
 * What they keep follows from their rows in catalog/process.calls, as for the generated ones. They
 * are not left out by the filters on paths: they show how processes hang together. */
#include "calls.h"
#include "capture/wrap/fork.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/process/environment.h"
#include "capture/wrap/contents.h"
#include "capture/wrap/real.h"
#include "capture/wrap/stdio.h"
#include "interpose/own/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the real functions ---- */

static void *real_fork, *real__Fork, *real__exit, *real__Exit, *real_quick_exit;

/* A vforked child should not have to look for them. */
__attribute__((constructor)) static void start(void)
{
    int before = errno;
    fth_environment_keep();
    fth_contents_start();
    real_fork = fth_real("fork");
    real__exit = fth_real("_exit");
    errno = before;
}

/* ---- whose process is this? ---- */

bool fth_process_is_recorded(void)
{
    if (fth_vforked || fth_is_borrowed())
        return false;
    if (*fth_alive != 1)
        fth_begin_rarely(0);
    return fth_process && *fth_alive == 1;
}

/* ---- copies of this process ---- */

static void record_copy(uint32_t function, uint32_t context, uint64_t begin, int64_t child)
{
    struct fth_draft call;
    if (!fth_begin(&call, function, context))
        return;
    call.begin = begin;
    fth_end(&call);
    fth_note_handed_over(&call);
    fth_keep(&call, child < 0 ? fth_failure(&call) : child);
    fth_commit(&call);
}

/* In the child the page behind fth_alive is zero: its first call makes it a process of its own. */
static pid_t copy(pid_t (*real)(void), uint32_t function, uint32_t context)
{
    struct fth_draft call;
    fth_stdio_copied();
    if (!fth_begin(&call, function, context)) {
        pid_t child = real();
        if (child == 0) {
            fth_vforked = 0;
            fth_process_forked();
        }
        return child;
    }
    fth_note_handed_over(&call);
    fth_start(&call);
    pid_t child = real();
    if (child == 0) {
        fth_process_forked();
        return 0;
    }
    fth_end(&call);
    fth_keep(&call, child < 0 ? fth_failure(&call) : child);
    fth_commit(&call);
    return child;
}

FTH_PUBLIC pid_t fork(void)
{
    return copy(REAL(fork), FTH_CALL_fork, FTH_CONTEXT_fork);
}

#if __GLIBC_PREREQ(2, 34)
FTH_PUBLIC pid_t _Fork(void)
{
    return copy(REAL(_Fork), FTH_CALL__Fork, FTH_CONTEXT__Fork);
}
#endif

/* What vfork.S may not leave on the stack. */
static __thread struct {
    uint64_t begin;
    uintptr_t was_busy;
} vforking __attribute__((tls_model("initial-exec")));

uint64_t fth_lend_memory(void)
{
    if (!fth_vforked && fth_process_is_recorded() && fth_self) {
        vforking.was_busy = fth_self->busy;
        fth_self->busy = FTH_BUSY_ELSEWHERE;
    }
    if (!fth_vforked && !fth_aside)
        vforking.begin = fth_ticks();
    fth_vforked++;
    return vforking.begin;
}

bool fth_take_memory_back(void)
{
    if (--fth_vforked)
        return false;
    int before = errno;
    fth_environment_done_in_vfork();
    if (fth_self)
        fth_self->busy = vforking.was_busy;
    errno = before;
    return true;
}

/* Called by vfork.S before the system call. */
__attribute__((used)) void fth_vfork_begin(void);
void fth_vfork_begin(void)
{
    fth_lend_memory();
}

/* Called by vfork.S in the parent, with what the system call returned: the child has gone. */
__attribute__((used)) long fth_vfork_end(long result);
long fth_vfork_end(long result)
{
    bool is_ours = fth_take_memory_back();
    if (result < 0)
        errno = (int)-result;
    if (is_ours)
        record_copy(FTH_CALL_vfork, FTH_CONTEXT_vfork, vforking.begin, result);
    return result < 0 ? -1 : result;
}

/* ---- the end ---- */

static void record_exit(uint32_t function, uint32_t context, int code)
{
    struct fth_draft call;
    if (fth_begin(&call, function, context)) {
        fth_start(&call);
        fth_end(&call);
        fth_keep(&call, code);
        fth_commit(&call);
    }
}

static void record_end(uint32_t function, uint32_t context, int code)
{
    if (!fth_process_is_recorded())
        return;
    record_exit(function, context, code);
    fth_process_ended(FTH_END_EXIT, code);
}

/* Functions that the program has given to at_quick_exit come after this. */
FTH_PUBLIC void quick_exit(int code)
{
    if (fth_process_is_recorded()) {
        record_exit(FTH_CALL_quick_exit, FTH_CONTEXT_quick_exit, code);
        fth_process_exits(code);
    }
    REAL(quick_exit)(code);
    __builtin_unreachable();
}

FTH_PUBLIC void _exit(int code)
{
    record_end(FTH_CALL__exit, FTH_CONTEXT__exit, code);
    REAL(_exit)(code);
    __builtin_unreachable();
}

FTH_PUBLIC void _Exit(int code)
{
    record_end(FTH_CALL__Exit, FTH_CONTEXT__Exit, code);
    REAL(_Exit)(code);
    __builtin_unreachable();
}
