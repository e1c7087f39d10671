/* The reader seeks data in a file without any (SEEK_DATA), until there is some.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int holes = open_file("holes", 0);
    usleep(20000);
    put(open_file("shared", 0), 0, 8);
    must(pwrite(holes, "x", 1, 8192) == 1, "pwrite");
}

static void second(void)
{
    int file = open_file("shared", 0), holes = open_file("holes", 0);
    while (lseek(holes, 0, SEEK_DATA) < 0)
        usleep(1000);
    get(file, 0, 8);
}

int main(void)
{
    must(ftruncate(open_file("holes", O_CREAT), 65536) == 0, "ftruncate");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
