/* A byte through a pair of sockets, there and back: both know what the other one did before.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/socket.h>

static int ends[2];

static void first(void)
{
    char byte = 1;
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(write(ends[0], &byte, 1) == 1, "write");
    must(read(ends[0], &byte, 1) == 1, "read");
    get(file, 8, 16);
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0);
    must(read(ends[1], &byte, 1) == 1, "read");
    get(file, 0, 8);
    put(file, 8, 16);
    must(write(ends[1], &byte, 1) == 1, "write");
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
