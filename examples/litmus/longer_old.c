/* A write behind the end of a file that was there before the run: the bytes between are zeros from
 * then on, and somebody reads them in no order with it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 8192, 8193);
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    usleep(100000);
    (void)!pread(file, bytes, 10, 4096);
    close(file);
    wait_for(writer);
    return 0;
}
