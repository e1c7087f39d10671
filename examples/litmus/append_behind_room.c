/* The file was emptied, and given room for 16 bytes: the append is behind that, where it is read.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(pwrite(file, bytes, 8, 0) == 8, "pwrite");
    close(file);
}

int main(void)
{
    int file = open_file("shared", O_TRUNC);
    must(!posix_fallocate(file, 8, 8), "posix_fallocate");
    close(file);
    pid_t writer = start(first);
    file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 16);
    close(file);
    wait_for(writer);
    return 0;
}
