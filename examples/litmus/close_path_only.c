/* The file is opened and closed with O_PATH, which looks up its name: neither commits anything, nor
 * shows anything.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open("shared", O_PATH);
    must(file >= 0, "shared");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    put(open_file("shared", 0), 0, 8);
    close(open("shared", O_PATH));
    wait_for(start(child));
    return 0;
}
