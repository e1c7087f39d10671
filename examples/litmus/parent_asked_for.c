/* The child asks who its parent is until that is over, and another one takes its place.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static void second(void)
{
    pid_t parent = getppid();
    make_name("asked");
    while (getppid() == parent)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

static void first(void)
{
    start(second);
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    wait_for(start(first));
    wait_for_name("read");
    return 0;
}
