/* The reader was started before its parent got the signal of the writer.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
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
    make_name("sent");
}

static void second(void)
{
    wait_for_name("sent");
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
    pid_t reader = start(second), writer = start(first);
    must(sigsuspend(&none) < 0 && errno == EINTR, "sigsuspend");
    wait_for(reader);
    wait_for(writer);
    return 0;
}
