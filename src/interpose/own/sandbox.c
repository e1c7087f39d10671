/* A program that takes system calls from itself (seccomp) would be killed for those of the tracer:
 * recording ends before. A filter is set up after no_new_privs, by prctl, seccomp, or a system call
 * that only the kernel sees. What is executed after no_new_privs alone is recorded again; a filter
 * stays, and so programs that are executed behind it are not. */
#include "interpose/own/sandbox.h"

#include "interpose/interpose.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

bool fth_is_filtered, fth_aside;
static long at_start = -1; /* the mode of seccomp that the program began with; -1: not asked yet */

static const char rights[] = "after it has given up rights to system calls (seccomp, prctl)";

void fth_before_prctl(int option, unsigned long argument)
{
    if (option == PR_SET_SECCOMP || option == PR_SET_NO_NEW_PRIVS)
        fth_interposer.step_aside(rights);
    if (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV)
        fth_interposer.step_aside("after it has given up the processor's clock (prctl)");
}

void fth_after_prctl(int option, bool worked)
{
    fth_is_filtered = fth_is_filtered || (option == PR_SET_SECCOMP && worked);
}

void fth_before_seccomp(unsigned operation)
{
    if (operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER)
        fth_interposer.step_aside(rights);
}

void fth_after_seccomp(unsigned operation, bool worked)
{
    fth_is_filtered =
        fth_is_filtered ||
        ((operation == SECCOMP_SET_MODE_STRICT || operation == SECCOMP_SET_MODE_FILTER) && worked);
}

/* By a system call of the program's own: seen before the tracer makes one that is rare. A filter
 * that was there at the start lets it do its work. */
bool fth_finds_filter(void)
{
    int before = errno;
    long mode = syscall(SYS_prctl, PR_GET_SECCOMP);
    errno = before;
    if (at_start < 0)
        at_start = mode;
    if (mode <= at_start)
        return false;
    fth_is_filtered = true;
    fth_interposer.step_aside(rights);
    return true;
}

bool fth_begins_filtered(void)
{
    return at_start > 0;
}
