/* A child of clone with descriptors of its own is like one of fork.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sched.h>

static int child(void *unused)
{
    (void)unused;
    put(open_file("shared", 0), 0, 8);
    return 0;
}

static void first(void)
{
    static char stack[65536];
    wait_for(clone(child, stack + sizeof stack, SIGCHLD, NULL));
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
