/* A signal through a descriptor of the process comes before the write, one by kill behind it. The
 * reader takes one, and which it was is not recorded.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/syscall.h>

static pid_t reader;

static void second(void)
{
    sigset_t set;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    usleep(300000);
    must(sigwaitinfo(&set, &info) == SIGUSR1, "sigwaitinfo");
    get(open_file("shared", 0), 0, 8);
}

static void first(void)
{
    int descriptor = (int)syscall(SYS_pidfd_open, reader, 0);
    must(descriptor >= 0, "pidfd_open");
    must(syscall(SYS_pidfd_send_signal, descriptor, SIGUSR1, NULL, 0) == 0, "pidfd_send_signal");
    put(open_file("shared", 0), 0, 8);
    must(kill(reader, SIGUSR1) == 0, "kill");
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    reader = start(second);
    pid_t writer = start(first);
    wait_for(reader);
    wait_for(writer);
    return 0;
}
