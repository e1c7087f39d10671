/* A write finds that nobody can read the pipe any more (EPIPE): it comes behind the close of who
 * could.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <signal.h>

static int ends[2];

static void first(void)
{
    close(ends[1]);
    put(open_file("shared", 0), 0, 8);
    close(ends[0]);
    usleep(50000);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    must(pipe(ends) == 0, "pipe");
    pid_t writer = start(first);
    close(ends[0]);
    while (write(ends[1], bytes, 1) == 1)
        usleep(1000);
    must(errno == EPIPE, "write");
    get(open_file("shared", 0), 0, 8);
    wait_for(writer);
    return 0;
}
