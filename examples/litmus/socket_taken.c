/* A process asks how many of its bytes nobody has read yet (TIOCOUTQ), until there are none.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

static int ends[2], finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(read(ends[1], bytes, 8) == 8, "read");
    must(read(finished[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    int file = open_file("shared", 0), left = 1;
    while (left) {
        must(ioctl(ends[0], TIOCOUTQ, &left) == 0, "ioctl");
        usleep(1000);
    }
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && pipe(finished) == 0, "socketpair");
    must(write(ends[0], bytes, 8) == 8, "write");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
