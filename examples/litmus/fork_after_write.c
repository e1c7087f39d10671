/* A child knows what its parent did before the fork.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    get(file, 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    put(file, 0, 8);
    wait_for(start(child));
    return 0;
}
