/* A child gives up a lock of an open file description, behind the write; the next one reads.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int own;

static void lock(int by, short type)
{
    struct flock range = {.l_type = type, .l_len = 8};
    must(fcntl(by, F_OFD_SETLKW, &range) == 0, "fcntl");
}

static void give_up(void)
{
    lock(own, F_UNLCK);
}

static void first(void)
{
    own = open_file("other", 0);
    lock(own, F_WRLCK);
    make_name("locked");
    put(open_file("shared", 0), 0, 8);
    wait_for(start(give_up));
    wait_for_name("read");
}

static void second(void)
{
    int file = open_file("other", 0);
    wait_for_name("locked");
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
