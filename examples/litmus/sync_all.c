/* sync commits all files.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    sync();
    must(write(ends[1], "", 1) == 1, "pipe");
    usleep(50000);
}

static void second(void)
{
    char byte;
    int file = open_file("shared", 0);
    must(read(ends[0], &byte, 1) == 1, "pipe");
    get(file, 0, 8);
}

int main(void)
{
    must(!pipe(ends), "pipe");
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
