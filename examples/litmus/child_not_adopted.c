/* The parent of the writer is over, and waited for: the writer is not.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void writer(void)
{
    usleep(10000);
    put(open_file("shared", 0), 0, 8);
}

static void child(void)
{
    start(writer);
    _exit(0);
}

int main(void)
{
    wait_for(start(child));
    usleep(50000);
    get(open_file("shared", 0), 0, 8);
    return 0;
}
