/* A file in memory, that a child has inherited.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static int file;

static void child(void)
{
    put(file, 0, 8);
}

int main(void)
{
    file = memfd_create("memory", 0);
    must(file >= 0, "memfd_create");
    pid_t writer = start(child);
    put(file, 4, 12);
    wait_for(writer);
    close(file);
    return 0;
}
