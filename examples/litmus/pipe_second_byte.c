/* A byte through a pipe before the write and one behind it; the reader waits for both.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int ends[2];

static void tell(void)
{
    char byte = 1;
    must(write(ends[1], &byte, 1) == 1, "write");
}

static void hear(void)
{
    char byte;
    must(read(ends[0], &byte, 1) == 1, "read");
}

static void first(void)
{
    int file = open_file("shared", 0);
    tell();
    put(file, 0, 8);
    tell();
}

static void second(void)
{
    hear();
    hear();
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
