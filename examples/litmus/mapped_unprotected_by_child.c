/* A shared map that may only be read is made writable by a child: what that writes, and when, is
 * not seen.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static char *memory;

static void first(void)
{
    must(mprotect(memory, sizeof bytes, PROT_READ | PROT_WRITE) == 0, "mprotect");
    memory[0] = 1;
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    int file = open_file("shared", 0);
    pid_t reader = start(second);
    memory = mmap(NULL, sizeof bytes, PROT_READ, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    pid_t writer = start(first);
    wait_for(reader);
    wait_for(writer);
    return 0;
}
