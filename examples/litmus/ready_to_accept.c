/* A process waits until somebody has connected to its socket (epoll), and accepts nobody.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

#include <sys/epoll.h>

static int finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    connect_there();
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    struct epoll_event waited = {.events = EPOLLIN};
    int file = open_file("shared", 0), set = epoll_create1(0);
    must(epoll_ctl(set, EPOLL_CTL_ADD, listener, &waited) == 0, "epoll_ctl");
    must(epoll_wait(set, &waited, 1, -1) == 1, "epoll_wait");
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(finished) == 0, "pipe");
    listen_at_port();
    start_both(first, second);
    return 0;
}
