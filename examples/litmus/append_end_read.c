/* One appends to a file that was there before, the other one reads what is behind the front: no
 * byte that was there before is appended again, but the last 8 are new.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(write(file, bytes, 8) == 8, "write");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    must(pread(file, bytes, 16, 4088) >= 8, "pread");
    close(file);
    wait_for(writer);
    return 0;
}
