/* A signal (PR_SET_PDEATHSIG) tells the child that its parent is over.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <signal.h>
#include <sys/prctl.h>

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    signalled = number;
}

static void second(void)
{
    signal(SIGUSR1, on_signal);
    must(prctl(PR_SET_PDEATHSIG, SIGUSR1) == 0, "prctl");
    make_name("asked");
    while (!signalled)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

static void first(void)
{
    start(second);
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    wait_for(start(first));
    wait_for_name("read");
    return 0;
}
