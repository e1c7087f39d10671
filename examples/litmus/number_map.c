/* A file is mapped by the number of mmap: what is stored there, and when, is not seen.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>
#include <sys/syscall.h>

static void first(void)
{
    char *map = (char *)syscall(SYS_mmap, 0L, 4096L, (long)(PROT_READ | PROT_WRITE),
                                (long)MAP_SHARED, (long)open_file("shared", 0), 0L);
    must(map != MAP_FAILED, "mmap");
    map[0] = 1;
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
