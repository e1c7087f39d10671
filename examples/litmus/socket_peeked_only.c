/* A byte that is looked at (MSG_PEEK) and never taken: whose it is is not followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/socket.h>

static int ends[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    must(recv(ends[0], bytes, 1, MSG_PEEK) == 1, "recv");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
