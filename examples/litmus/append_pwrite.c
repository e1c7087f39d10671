/* pwrite appends, too, where the descriptor says so: where that went is not recorded, but the file
 * was so long when it was opened that the front was not written.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", O_APPEND);
    must(pwrite(file, bytes, 8, 0) == 8, "pwrite");
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    wait_for(writer);
    return 0;
}
