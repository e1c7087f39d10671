/* A child has the memory of its parent, as a thread has, but is a process: what it does is recorded
 * as what its parent does.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sched.h>

static int child(void *unused)
{
    (void)unused;
    put(open_file("shared", 0), 0, 8);
    return 0;
}

int main(void)
{
    static char stack[65536];
    pid_t other = clone(child, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
    must(other >= 0, "clone");
    get(open_file("shared", 0), 8, 16);
    wait_for(other);
    return 0;
}
