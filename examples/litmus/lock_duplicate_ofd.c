/* A lock of an open file description stays though the descriptor that asked for it is closed: its
 * duplicate gives it up.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void lock(int file, short type)
{
    struct flock range = {.l_type = type, .l_len = 8};
    must(fcntl(file, F_OFD_SETLKW, &range) == 0, "fcntl");
}

static void first(void)
{
    int own = open_file("other", 0), copy = dup(own);
    lock(own, F_WRLCK);
    close(own);
    make_name("closed");
    put(open_file("shared", 0), 0, 8);
    lock(copy, F_UNLCK);
    wait_for_name("read");
}

static void second(void)
{
    int file = open_file("other", 0);
    wait_for_name("closed");
    lock(file, F_WRLCK);
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
