/* A descriptor that only stands for the place of the file (O_PATH) gives up no record locks when it
 * is closed.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void lock(int file, short type)
{
    struct flock range = {.l_type = type, .l_len = 8};
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
}

static void first(void)
{
    int file = open_file("shared", 0), place = open("shared", O_PATH);
    lock(file, F_WRLCK);
    must(place >= 0 && close(place) == 0, "open");
    make_name("closed");
    put(file, 0, 8);
    lock(file, F_UNLCK);
    wait_for_name("read");
}

static void second(void)
{
    int file = open_file("shared", 0);
    wait_for_name("closed");
    lock(file, F_WRLCK);
    get(file, 0, 8);
    make_name("read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
