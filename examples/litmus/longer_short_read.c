/* A read finds the end of a file that was there before; then somebody writes far behind that, in no
 * order with it: had that come first, the read would have found zeros.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    wait_for_name("read");
    put(file, 100000, 100001);
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 10, 4096);
    close(file);
    make_name("read");
    wait_for(writer);
    return 0;
}
