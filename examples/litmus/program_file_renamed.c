/* A file gets the name of a file of a program, by which another process reads it while it is
 * written.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int made;

static void first(void)
{
    put(made, 0, 8);
}

static void second(void)
{
    get(open("library.so", O_RDONLY), 8, 16);
    get(open("library.so", O_RDONLY), 0, 8);
}

int main(void)
{
    must(!rename("shared", "library.so"), "rename");
    made = open_file("library.so", 0);
    pid_t one = start(first), other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
