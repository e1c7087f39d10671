/* The reader is in sigsuspend, and a handler reads when the signal comes: which one it was, nobody
 * sees.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static pid_t reader;
static int file;

static void handle(int number)
{
    (void)number;
    get(file, 0, 8);
}

static void second(void)
{
    sigset_t none;
    struct sigaction action = {.sa_handler = handle};
    file = open_file("shared", 0);
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&none);
    must(sigsuspend(&none) < 0 && errno == EINTR, "sigsuspend");
    get(file, 0, 8);
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
