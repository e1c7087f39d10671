/* posix_fallocate makes the file longer, and another process appends, in no order: the append is
 * before what was made room for, or behind it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
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
    int file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
    close(file);
    wait_for(writer);
    return 0;
}
