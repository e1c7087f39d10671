/* posix_fallocate gives room where the file has bytes, and another process appends, in no order:
 * the file is as long as it was.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(!posix_fallocate(file, 0, 4000), "posix_fallocate");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
    close(file);
    wait_for(writer);
    return 0;
}
