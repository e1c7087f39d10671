/* A process asks how many bytes are in a pipe (FIONREAD) and reads none: whose they are is not
 * followed.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/ioctl.h>

static int ends[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    must(write(ends[1], bytes, 1) == 1, "write");
}

static void second(void)
{
    int there = 0;
    while (there == 0)
        must(ioctl(ends[0], FIONREAD, &there) == 0, "ioctl");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
