/* Work on files, apart from the program. Our descriptors are none of the program's: another thread
 * may close any number at any time, counts on the lowest free one, and may use up all there are. So
 * files are opened, written and mapped by a task that lives for that long only, in the same memory,
 * with a table of descriptors of its own. */
#include "interpose/own/apart.h"

#include "interpose/own/sandbox.h"
#include "interpose/own/held_signals.h"
#include "interpose/own/stack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static int kept = AT_FDCWD;

void fth_apart_keeps(int descriptor)
{
    kept = descriptor;
}

/* ---- a task of our own ---- */

struct task {
    void (*work)(void *);
    void *argument;
};

static int run(void *argument)
{
    struct task *task = argument;
    unsigned first_closed = kept == AT_FDCWD ? 0 : (unsigned)kept + 1;
    if (syscall(SYS_close_range, first_closed, ~0u, CLOSE_RANGE_UNSHARE) != 0)
        syscall(SYS_unshare, CLONE_FILES); /* before Linux 5.9 */
    task->work(task->argument);
    return 0;
}

extern int __clone(int (*)(void *), void *, int, void *, ...); /* of glibc */

/* A debugger says nothing of an untraced task, and does not wait for it. But a filter may ask the
 * tracer about a system call (strace --seccomp-bpf): without one the call fails with ENOSYS. Not
 * clone: thread sanitizers take that for a fork. */
static bool run_apart(struct task *task, char *top)
{
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                      CLONE_SYSVSEM | CLONE_VFORK | (fth_begins_filtered() ? 0 : CLONE_UNTRACED);
    return __clone(run, top, flags, task) >= 0;
}

/* ---- without a task ---- */

/* In what glibc 2.32 and later have: no other thread can be about. */
extern char __libc_single_threaded __attribute__((weak));

enum { MOST_DESCRIPTORS = 3 }; /* that such work has at a time */

static bool has_descriptors(void)
{
    int file[MOST_DESCRIPTORS], count = 0;
    while (count < MOST_DESCRIPTORS) {
        file[count] = (int)(count ? syscall(SYS_fcntl, file[0], F_DUPFD_CLOEXEC, 0)
                                  : syscall(SYS_openat, AT_FDCWD, "/", O_PATH | O_CLOEXEC));
        if (file[count] < 0)
            break;
        count++;
    }
    for (int i = 0; i < count; i++)
        syscall(SYS_close, file[i]);
    return count == MOST_DESCRIPTORS;
}

static bool is_done_alone(void (*work)(void *), void *argument)
{
    if (!&__libc_single_threaded || !__libc_single_threaded)
        return false;
    uint64_t signals = fth_signals_wait();
    int saved_errno = errno;
    bool can = has_descriptors();
    if (can)
        work(argument);
    errno = saved_errno;
    fth_signals_go(signals);
    return can;
}

void fth_apart_or_alone(void (*work)(void *), void *argument)
{
    if (fth_is_filtered || fth_finds_filter())
        return;
    if (!is_done_alone(work, argument))
        fth_apart(work, argument);
}

/* ---- in one ---- */

void fth_apart(void (*work)(void *), void *argument)
{
    struct task task = {work, argument};
    if (fth_is_filtered || fth_finds_filter())
        return;
    uint64_t signals = fth_signals_wait();
    int saved_errno = errno;
    char *top = fth_stack_take();
    if (!top || !run_apart(&task, top))
        work(argument); /* no task can be had: the program lends us a descriptor */
    if (top)
        fth_stack_give(top);
    errno = saved_errno;
    fth_signals_go(signals);
}
