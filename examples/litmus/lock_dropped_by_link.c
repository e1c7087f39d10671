/* A descriptor that was opened by another name of the file is closed: its record locks are given up
 * before the write.
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
    must(link("shared", "also") == 0, "link");
    close(open_file("also", 0));
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
