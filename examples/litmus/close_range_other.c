/* A range of descriptors is closed, and that of the file is not in it: nothing is committed.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    put(open_file("shared", 0), 0, 8);
    close_range(100, 200, 0);
    wait_for(start(child));
    return 0;
}
