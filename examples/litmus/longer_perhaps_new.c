/* A write at byte 100 of a file that was new, or not, as nobody knows, but empty: who reads below
 * in no order with it finds zeros, or the end.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("new", 0);
    put(file, 100, 101);
    close(file);
    make_name("written");
}

int main(void)
{
    close(open_file("new", O_CREAT));
    pid_t writer = start(first);
    int file = open_file("new", 0);
    wait_for_name("written");
    get(file, 0, 10);
    close(file);
    wait_for(writer);
    return 0;
}
