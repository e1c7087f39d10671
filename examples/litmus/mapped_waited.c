/* What is written through memory is not seen, but it was before the process ended that wrote it.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    int file = open_file("shared", 0);
    char *memory = mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    memory[0] = 1;
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    wait_for(start(first));
    wait_for(start(second));
    return 0;
}
