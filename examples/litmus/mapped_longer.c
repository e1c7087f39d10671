/* A mapping is made longer: what is stored behind its old end is read.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    enum { PAGE = 4096 };
    int file = open_file("shared", 0);
    char *mapped = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(mapped != MAP_FAILED, "mmap");
    mapped = mremap(mapped, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
    must(mapped != MAP_FAILED, "mremap");
    mapped[PAGE] = 1;
}

int main(void)
{
    int file = open_file("shared", 0);
    must(ftruncate(file, 8192) == 0, "ftruncate");
    pid_t writer = start(first);
    (void)!pread(file, bytes, 8, 4096);
    close(file);
    wait_for(writer);
    return 0;
}
