/* A flag in shared memory: who finds it set knows what was done before, but nobody sees the flag.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static volatile int *flag;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    *flag = 1;
}

static void second(void)
{
    int file = open_file("shared", 0);
    while (!*flag)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    flag = mmap(NULL, sizeof *flag, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(flag != MAP_FAILED, "mmap");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
