/* A process waits until nobody can write to a pipe any more (POLLHUP), which nobody has written to.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <poll.h>

static int written[2], finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    close(written[1]);
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    struct pollfd waited = {.fd = written[0]};
    int file = open_file("shared", 0);
    close(written[1]);
    must(poll(&waited, 1, -1) == 1, "poll");
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(written) == 0 && pipe(finished) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    close(written[1]);
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
