/* A parent that waits for its child to stop: that is not its end, what the child does when it goes
 * on is in no order with the read.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static void child(void)
{
    raise(SIGSTOP);
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int status;
    pid_t stopped = start(child);
    must(waitpid(stopped, &status, WUNTRACED) == stopped && WIFSTOPPED(status), "waitpid");
    kill(stopped, SIGCONT);
    get(open_file("shared", 0), 0, 8);
    wait_for(stopped);
    return 0;
}
