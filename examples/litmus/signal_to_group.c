/* A signal to all of the own group: who of them it tells what is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static sigset_t expected;

static void reader(void)
{
    must(sigwaitinfo(&expected, NULL) == SIGUSR1, "sigwaitinfo");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(setpgid(0, 0) == 0, "setpgid");
    sigemptyset(&expected);
    sigaddset(&expected, SIGUSR1);
    sigprocmask(SIG_BLOCK, &expected, NULL);
    pid_t child = start(reader);
    put(open_file("shared", 0), 0, 8);
    must(kill(0, SIGUSR1) == 0, "kill");
    wait_for(child);
    return 0;
}
