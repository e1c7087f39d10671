/* SIGCHLD is ignored: who waits learns when all children have ended that there is none.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    int file = open_file("shared", 0);
    usleep(20000);
    put(file, 0, 8);
}

int main(void)
{
    signal(SIGCHLD, SIG_IGN);
    pid_t pid = start(child);
    must(waitpid(pid, NULL, 0) < 0 && errno == ECHILD, "a child could be waited for");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
