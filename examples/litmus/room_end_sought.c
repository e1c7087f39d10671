/* posix_fallocate makes the file longer, and another process seeks the end of it, and writes there,
 * in no order: where it writes depends on the order.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(!posix_fallocate(file, 4096, 100), "posix_fallocate");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    must(write(file, bytes, 8) == 8, "write");
    close(file);
    wait_for(writer);
    return 0;
}
