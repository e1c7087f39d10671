/* A process writes and lets another one go on: whoever waits for that learns of it, which is not
 * followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static pid_t stopped;

static void stops(void)
{
    raise(SIGSTOP);
    usleep(50000);
}

static void writes(void)
{
    put(open_file("shared", 0), 0, 8);
    kill(stopped, SIGCONT);
    usleep(50000);
}

int main(void)
{
    int status;
    stopped = start(stops);
    must(waitpid(stopped, &status, WUNTRACED) == stopped, "waitpid");
    pid_t writer = start(writes);
    must(waitpid(stopped, &status, WCONTINUED) == stopped && WIFCONTINUED(status), "waitpid");
    get(open_file("shared", 0), 0, 8);
    wait_for(stopped);
    wait_for(writer);
    return 0;
}
