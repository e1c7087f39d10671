/* A close gives up a record lock, behind what it publishes.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void lock(int file)
{
    struct flock range = {.l_type = F_WRLCK, .l_len = 8};
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
}

static void first(void)
{
    int file = open_file("shared", 0);
    lock(file);
    make_name("locked");
    put(file, 0, 8);
    close(file);
}

static void second(void)
{
    int held = open_file("shared", 0);
    wait_for_name("locked");
    lock(held);
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    close(held);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
