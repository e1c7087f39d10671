/* One cuts the file off, one gives it room behind that, in no order: how long it is depends on who
 * comes last.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    must(!truncate("shared", 50), "truncate");
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    must(!posix_fallocate(file, 4096, 100), "posix_fallocate");
    close(file);
    wait_for(writer);
    return 0;
}
