/* A truncation by name makes a file longer that was there before the run. Nobody opens that to
 * write, so it is not recorded how long it was: if it was shorter, somebody reads the new bytes in
 * no order with it.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(!truncate("shared", 8192), "truncate");
}

int main(void)
{
    pid_t writer = start(first);
    int file = open("shared", O_RDONLY);
    usleep(100000);
    (void)!pread(file, bytes, 10, 4096);
    close(file);
    wait_for(writer);
    return 0;
}
