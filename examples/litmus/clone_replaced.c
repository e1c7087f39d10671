/* A child has its descriptors in common with its parent, and puts another file where the one of the
 * parent was: what is written there is not taken for a write to the first one.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <sched.h>

static int opened;

static int child(void *unused)
{
    (void)unused;
    return dup2(open_file("shared", 0), opened) != opened;
}

static void first(void)
{
    static char stack[65536];
    opened = open_file("other", 0);
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
