/* A truncation makes a file longer that was there before the run: the new bytes are zeros, and
 * somebody reads them in no order with it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(!ftruncate(file, 8192), "ftruncate");
    close(file);
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
