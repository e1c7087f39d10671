/* One appends to a file that was there before, the other one writes to the front of it: that has no
 * part in where the end is.
 * posix: none  commit: none  session: none  mpi-io: none */
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
    put(file, 0, 8);
    close(file);
    wait_for(writer);
    return 0;
}
