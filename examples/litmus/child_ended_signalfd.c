/* The parent reads from a descriptor of signals that the child has ended, reads what it wrote, and
 * waits for it only then.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/signalfd.h>

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    sigset_t set;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int signals = signalfd(-1, &set, 0);
    pid_t writer = start(child);
    must(read(signals, &info, sizeof info) == sizeof info, "signalfd");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
