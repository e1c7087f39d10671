/* 100 bytes are mapped, and so the whole page is: what is stored behind them is read.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    int file = open_file("shared", 0);
    char *mapped = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(mapped != MAP_FAILED, "mmap");
    mapped[2000] = 1;
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    get(file, 2000, 2008);
    close(file);
    wait_for(writer);
    return 0;
}
