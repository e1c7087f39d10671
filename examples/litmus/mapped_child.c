/* Who mapped the file has ended, but its child has the mapping as well, and still writes through
 * it.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static int ends[2];

static void first(void)
{
    int file = open_file("shared", 0);
    volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    if (fork() == 0) {
        usleep(20000);
        memory[0] = 1;
        _exit(0);
    }
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0, "pipe");
    wait_for(start(first));
    wait_for(start(second));
    close(ends[1]);
    must(read(ends[0], bytes, 1) == 0, "read"); /* the grandchild has ended */
    return 0;
}
