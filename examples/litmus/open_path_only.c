/* The reader has opened the file before the write, and looks up its name behind it (O_PATH): that
 * is no open.
 * posix: safe  commit: safe  session: racy  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
}

int main(void)
{
    int file = open_file("shared", 0);
    wait_for(start(child));
    close(open("shared", O_PATH));
    get(file, 0, 8);
    return 0;
}
