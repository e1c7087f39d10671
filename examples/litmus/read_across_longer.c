/* One makes the file longer, another one reads across the old end, in no order: it finds the end
 * before the length that the first one sets.
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
    int file = open_file("shared", 0);
    must(pread(file, bytes, 8, 4092) == 4, "pread");
    pid_t writer = start(first);
    must(pread(file, bytes, 8, 4092) > 0, "pread");
    close(file);
    wait_for(writer);
    return 0;
}
