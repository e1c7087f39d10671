/* A flag in memory that is shared by the number of mmap: who finds it set knows what was done
 * before, but nobody sees the flag.
 * posix: unknown  commit: depends  session: depends  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>
#include <sys/syscall.h>

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
    flag = (void *)syscall(SYS_mmap, 0L, (long)sizeof *flag, (long)(PROT_READ | PROT_WRITE),
                           (long)(MAP_SHARED | MAP_ANONYMOUS), -1L, 0L);
    must(flag != MAP_FAILED, "mmap");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
