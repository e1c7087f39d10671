/* The reader is started by a process whose handler has got the signal of the writer.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static pid_t parent;

static void handle(int number)
{
    (void)number;
}

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    kill(parent, SIGUSR1);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    sigset_t set, none;
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    sigaction(SIGUSR1, &action, NULL);
    parent = getpid();
    pid_t writer = start(first);
    must(sigsuspend(&none) < 0 && errno == EINTR, "sigsuspend");
    pid_t reader = start(second);
    wait_for(reader);
    wait_for(writer);
    return 0;
}
