/* The two lock another file, which is a lock as good as any.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void lock(int file, short type, off_t start)
{
    struct flock range = {.l_type = type, .l_start = start, .l_len = 8};
    must(fcntl(file, F_SETLKW, &range) == 0, "fcntl");
}

static void first(void)
{
    int file = open_file("shared", 0), other = open_file("other", 0);
    lock(other, F_WRLCK, 0);
    get(file, 0, 8);
    put(file, 0, 8);
    lock(other, F_UNLCK, 0);
}

static void second(void)
{
    first();
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
