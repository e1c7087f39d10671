/* A child has its current folder in common with its parent, and changes it: for which file the name
 * stands that the parent empties is not known.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: seen */
#include "litmus.h"

#include <sched.h>
#include <sys/stat.h>

static int child(void *unused)
{
    (void)unused;
    return chdir("folder");
}

static void first(void)
{
    static char stack[65536];
    wait_for(clone(child, stack + sizeof stack, CLONE_FS | SIGCHLD, NULL));
    must(!truncate("shared", 0), "truncate");
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(!mkdir("folder", 0700), "folder");
    close(open_file("folder/shared", O_CREAT));
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
