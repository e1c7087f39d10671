/* A signal that is read from a descriptor of signalfd tells the reader that the write is over.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/signalfd.h>

static pid_t reader;

static void second(void)
{
    sigset_t set;
    struct signalfd_siginfo info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    int signals = signalfd(-1, &set, 0);
    must(read(signals, &info, sizeof info) == sizeof info, "read");
    get(open_file("shared", 0), 0, 8);
}

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    kill(reader, SIGUSR1);
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
