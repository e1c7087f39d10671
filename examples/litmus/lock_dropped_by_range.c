/* A range of descriptors is closed, one of them of the file: its record locks are given up before
 * the write.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int locked(void)
{
    struct flock range = {.l_type = F_WRLCK, .l_len = 8};
    int file = open_file("shared", 0);
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
    return file;
}

static void first(void)
{
    struct flock range = {.l_type = F_UNLCK, .l_len = 8};
    int file = locked();
    must(dup2(file, 100) == 100, "dup2");
    close_range(100, 100, 0);
    put(file, 0, 8);
    must(fcntl(file, F_SETLK, &range) == 0, "fcntl");
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    get(locked(), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
