/* A child knows nothing of what its parent does after the fork.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void child(void)
{
    get(file, 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t process = start(child);
    put(file, 0, 8);
    wait_for(process);
    return 0;
}
