/* To close any descriptor of a file drops the locks of the process: the write stands alone.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void lock(int file, short type, off_t start)
{
    struct flock range = {.l_type = type, .l_start = start, .l_len = 8};
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
}

static void first(void)
{
    int file = open_file("shared", 0);
    lock(file, F_WRLCK, 0);
    close(open_file("shared", 0));
    make_name("closed");
    put(file, 0, 8);
    lock(file, F_UNLCK, 0);
}

static void second(void)
{
    int file = open_file("shared", 0);
    wait_for_name("closed");
    lock(file, F_WRLCK, 0);
    put(file, 0, 8);
    lock(file, F_UNLCK, 0);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
