/* A folder that only one can make, by the number of the system call, is a lock.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/syscall.h>

static void write_alone(void)
{
    int file = open_file("shared", 0);
    while (syscall(SYS_mkdirat, AT_FDCWD, "lock", 0700))
        usleep(1000);
    put(file, 0, 8);
    must(syscall(SYS_unlinkat, AT_FDCWD, "lock", AT_REMOVEDIR) == 0, "unlinkat");
}

static void first(void)
{
    write_alone();
}

static void second(void)
{
    write_alone();
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
