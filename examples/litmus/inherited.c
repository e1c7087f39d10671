/* A child writes through the descriptor that its parent has opened, where the parent reads, in no
 * order.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    must(write(file, bytes, 8) == 8, "write");
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t writer = start(child);
    get(file, 0, 8);
    wait_for(writer);
    return 0;
}
