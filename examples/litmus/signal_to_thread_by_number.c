/* A signal goes to the reader's first thread by the number of the system call, which has no
 * function, before the write, and one by kill behind it. The reader takes one, and which it was is
 * not recorded.
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
    must(syscall(SYS_tkill, reader, SIGUSR1) == 0, "tkill");
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
