/* A shared map that may only be read, of a descriptor that may write: reading meanwhile is no
 * conflict.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    int file = open_file("shared", 0);
    volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    bytes[0] = memory[0];
    close(file);
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    wait_for(writer);
    return 0;
}
