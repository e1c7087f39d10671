/* A process sets a flag in the memory of another one (process_vm_writev) when it has written.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/uio.h>

static volatile int flag;

static void second(void)
{
    int file = open_file("shared", 0);
    while (!flag)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    int set = 1;
    struct iovec own = {&set, sizeof set}, other = {(void *)&flag, sizeof flag};
    pid_t child = start(second);
    put(open_file("shared", 0), 0, 8);
    must(process_vm_writev(child, &own, 1, &other, 1, 0) == sizeof set, "process_vm_writev");
    wait_for(child);
    return 0;
}
