/* The parent waits for SIGCHLD, which says that the child has ended, reads what it wrote, and waits
 * for it only then.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    sigset_t set;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    pid_t writer = start(child);
    must(sigwaitinfo(&set, &info) == SIGCHLD, "sigwaitinfo");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
