/* A child writes and stops: its parent waits for that, and reads. It is not followed what a process
 * did before it was stopped.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
    raise(SIGSTOP);
}

int main(void)
{
    int status;
    pid_t stopped = start(child);
    must(waitpid(stopped, &status, WUNTRACED) == stopped && WIFSTOPPED(status), "waitpid");
    get(open_file("shared", 0), 0, 8);
    kill(stopped, SIGCONT);
    wait_for(stopped);
    return 0;
}
