/* The reader polls a flag in a file that it has mapped to read; the writer writes it with a call.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    int flag = open_file("other", 0);
    must(pwrite(flag, "1", 1, 0) == 1, "pwrite");
}

static void second(void)
{
    int flag = open("other", O_RDONLY);
    const volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ, MAP_SHARED, flag, 0);
    must(memory != MAP_FAILED, "mmap");
    while (!memory[0])
        usleep(100);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
