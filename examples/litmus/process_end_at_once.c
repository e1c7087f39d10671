/* _exit closes, too, though it writes no buffers.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    _exit(0);
}

int main(void)
{
    wait_for(start(child));
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    return 0;
}
