/* lockf locks from where the descriptor stands: the bytes that the second one locks are others,
 * behind those that it has read.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    must(lockf(file, F_LOCK, 8) == 0, "lockf");
    put(file, 0, 8);
    must(lockf(file, F_ULOCK, 8) == 0, "lockf");
}

static void second(void)
{
    int file = open_file("shared", 0);
    must(read(file, bytes, 8) == 8, "read");
    must(lockf(file, F_LOCK, 8) == 0, "lockf");
    put(file, 0, 8);
    must(lockf(file, F_ULOCK, 8) == 0, "lockf");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
