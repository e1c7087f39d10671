/* A process asks whether another one has a lock (F_TEST of lockf), until it has.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int found[2];

static void first(void)
{
    int lock = open_file("other", 0);
    put(open_file("shared", 0), 0, 8);
    must(lockf(lock, F_LOCK, 0) == 0, "lockf");
    must(read(found[0], bytes, 1) == 1, "read");
}

static void second(void)
{
    int lock = open_file("other", 0), file = open_file("shared", 0);
    while (lockf(lock, F_TEST, 0) == 0)
        usleep(1000);
    get(file, 0, 8);
    must(write(found[1], bytes, 1) == 1, "write");
}

int main(void)
{
    must(pipe(found) == 0, "pipe");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
