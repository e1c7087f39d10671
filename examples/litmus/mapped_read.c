/* What is read through memory, and when, is not seen either: it may be what the other one writes.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    int file = open("shared", O_RDONLY);
    must(file >= 0, "open");
    const volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    must(memory[0] >= 0, "read");
}

static void second(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
