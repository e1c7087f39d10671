/* A child writes through the descriptor that its parent has opened: the parent reads when it is
 * over.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(write(file, bytes, 8) == 8, "write");
    _exit(0);
}

int main(void)
{
    file = open_file("shared", 0);
    wait_for(start(child));
    get(file, 0, 8);
    return 0;
}
