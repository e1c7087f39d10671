/* One writes across the end of the file, and appends; another one writes where the file had bytes:
 * nobody makes it shorter, so the append is behind that.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    put(file, 4090, 4100);
    close(file);
    file = open_file("shared", O_APPEND);
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
