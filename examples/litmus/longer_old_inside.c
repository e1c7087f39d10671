/* A write inside of a file that was there before the run leaves nothing out: who reads before it
 * does not meet it.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 4000, 4096);
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    get(file, 0, 4000);
    close(file);
    wait_for(writer);
    return 0;
}
