/* The writer never closes the file: its end does.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
}

int main(void)
{
    wait_for(start(child));
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    return 0;
}
