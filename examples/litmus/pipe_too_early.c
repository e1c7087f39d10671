/* A byte through a pipe, before the write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void first(void)
{
    char byte = 1;
    int file = open_file("shared", 0);
    must(write(ends[1], &byte, 1) == 1, "write");
    put(file, 0, 8);
}

static void second(void)
{
    char byte;
    must(read(ends[0], &byte, 1) == 1, "read");
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
