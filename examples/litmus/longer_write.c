/* A write behind the end of an empty file: the bytes before it, which it leaves out, are zeros from
 * then on, or not there before, and somebody reads them in no order with it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("new", 0);
    put(file, 100, 101);
    close(file);
}

int main(void)
{
    close(open_file("new", O_CREAT | O_EXCL));
    pid_t writer = start(first);
    int file = open_file("new", 0);
    (void)!pread(file, bytes, 10, 0);
    close(file);
    wait_for(writer);
    return 0;
}
