/* A signal (SIGIO) tells the reader that there is something in a pipe.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    signalled = number;
}

static int ends[2];

static void first(void)
{
    wait_for_name("asked");
    int shared = open_file("shared", 0);
    put(shared, 0, 8);
    close(shared);
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    signal(SIGIO, on_signal);
    must(fcntl(ends[0], F_SETOWN, getpid()) == 0, "F_SETOWN");
    must(fcntl(ends[0], F_SETFL, O_ASYNC) == 0, "F_SETFL");
    make_name("asked");
    while (!signalled)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
