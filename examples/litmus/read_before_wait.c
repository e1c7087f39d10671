/* The parent reads while the child may be writing.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t process = start(child);
    get(open_file("shared", 0), 0, 8);
    wait_for(process);
    return 0;
}
