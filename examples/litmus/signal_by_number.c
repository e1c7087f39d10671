/* A signal is sent by the number of the system call before the write: it tells nothing of that.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
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
    must(sigwaitinfo(&set, &info) == SIGUSR1, "sigwaitinfo");
    get(open_file("shared", 0), 0, 8);
}

static void first(void)
{
    must(syscall(SYS_kill, reader, SIGUSR1) == 0, "kill");
    put(open_file("shared", 0), 0, 8);
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
