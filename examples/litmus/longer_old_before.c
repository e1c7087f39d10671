/* Behind the end of a file that was there before the run, one writes before the other one starts,
 * and the other one farther behind: what that leaves out was there.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 5000, 5001);
    close(file);
}

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 4096, 5000);
    pid_t writer = start(first);
    (void)!pread(file, bytes, 10, 4096);
    wait_for(writer);
    close(file);
    return 0;
}
