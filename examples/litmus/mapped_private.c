/* A private map: what is stored there stays with who mapped it, also through a descriptor that may
 * write.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    int file = open_file("shared", 0);
    volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    must(memory != MAP_FAILED, "mmap");
    memory[0] = 1;
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
