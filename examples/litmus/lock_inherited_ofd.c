/* A parent locks the open file description that its child has, too: the child gives that up, and
 * the next one need not wait for the parent.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void lock(int by, short type)
{
    struct flock range = {.l_type = type, .l_len = 8};
    must(fcntl(by, F_OFD_SETLKW, &range) == 0, "fcntl");
}

static void give_up(void)
{
    lock(file, F_UNLCK);
}

static void another(void)
{
    int own = open_file("shared", 0);
    wait_for_name("written");
    lock(own, F_WRLCK);
    put(own, 0, 8);
    lock(own, F_UNLCK);
}

int main(void)
{
    pid_t other = start(another);
    file = open_file("shared", 0);
    lock(file, F_WRLCK);
    wait_for(start(give_up));
    put(file, 0, 8);
    lock(file, F_UNLCK);
    make_name("written");
    wait_for(other);
    return 0;
}
