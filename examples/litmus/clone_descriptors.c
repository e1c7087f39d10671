/* A child has its descriptors in common with its parent, which writes to a file that the child
 * opened, and it is not known for which file the descriptor stands.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: seen */
#include "litmus.h"

#include <sched.h>

static int opened;

static int child(void *unused)
{
    (void)unused;
    return open_file("shared", 0) != opened;
}

static void first(void)
{
    static char stack[65536];
    opened = open_file("other", 0);
    close(opened);
    wait_for(clone(child, stack + sizeof stack, CLONE_FILES | SIGCHLD, NULL));
    put(opened, 0, 8);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
