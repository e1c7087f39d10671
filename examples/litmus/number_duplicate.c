/* A descriptor is copied by the number of fcntl, and the copy is written to.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void first(void)
{
    long copy = syscall(SYS_fcntl, open_file("shared", 0), F_DUPFD, 20);
    must(copy >= 20, "fcntl");
    put((int)copy, 0, 8);
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
