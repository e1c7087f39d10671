/* A mapping of the first page is turned into one of the second: what is stored there is read.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void first(void)
{
    enum { PAGE = 4096 };
    int file = open_file("shared", 0);
    char *mapped = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(mapped != MAP_FAILED, "mmap");
    must(remap_file_pages(mapped, PAGE, 0, 1, 0) == 0, "remap_file_pages");
    mapped[0] = 1;
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
