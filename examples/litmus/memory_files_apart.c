/* Each has a file of its own in memory, and they are called the same.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    put(memfd_create("memory", 0), 0, 8);
}

static void second(void)
{
    put(memfd_create("memory", 0), 4, 12);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
