/* A grandchild has the pipe, and makes no call on it: the pipe ends when it is over.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void writes(void)
{
    usleep(10000);
    put(open_file("shared", 0), 0, 8);
}

static void child(void)
{
    start(writes);
}

int main(void)
{
    int ends[2];
    must(pipe(ends) == 0, "pipe");
    wait_for(start(child));
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
