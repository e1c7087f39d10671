/* The child closes, the parent waits and opens.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
}

int main(void)
{
    wait_for(start(child));
    get(open_file("shared", 0), 0, 8);
    return 0;
}
