/* A process waits until something was added to an eventfd, and takes nothing from it (poll).
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <poll.h>
#include <sys/eventfd.h>

static int counter, finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(eventfd_write(counter, 1) == 0, "eventfd_write");
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    struct pollfd waited = {.fd = counter, .events = POLLIN};
    int file = open_file("shared", 0);
    must(poll(&waited, 1, -1) == 1, "poll");
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    counter = eventfd(0, 0);
    must(counter >= 0 && pipe(finished) == 0, "eventfd");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
