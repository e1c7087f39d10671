/* A signal that sigwait returns tells the reader that the write is over.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static pid_t reader;

static void second(void)
{
    sigset_t set;
    int number;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    must(sigwait(&set, &number) == 0, "sigwait");
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
