/* One makes the file longer by a byte, another one reads that byte, in no order.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(!ftruncate(file, 4097), "ftruncate");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 4096);
    close(file);
    wait_for(writer);
    return 0;
}
