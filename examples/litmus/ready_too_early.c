/* A process waits until there is a byte in a pipe (poll), but the other one writes to the file only
 * after that.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <poll.h>

static int written[2], found[2];

static void first(void)
{
    int file = open_file("shared", 0);
    must(write(written[1], bytes, 1) == 1, "write");
    must(read(found[0], bytes, 1) == 1, "read");
    put(file, 0, 8);
}

static void second(void)
{
    struct pollfd waited = {.fd = written[0], .events = POLLIN};
    int file = open_file("shared", 0);
    must(poll(&waited, 1, -1) == 1, "poll");
    must(write(found[1], bytes, 1) == 1, "write");
    usleep(50000);
    get(file, 0, 8);
}

int main(void)
{
    must(pipe(written) == 0 && pipe(found) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
