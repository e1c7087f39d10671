/* A process locks and ends: its child, which makes no call on the lock, holds it until its own end.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int held[2];

static void writes(void)
{
    must(write(held[1], bytes, 1) == 1, "write");
    usleep(10000);
    put(open_file("shared", 0), 0, 8);
}

static void first(void)
{
    must(flock(open_file("other", 0), LOCK_EX) == 0, "flock");
    start(writes);
}

int main(void)
{
    must(pipe(held) == 0, "pipe");
    wait_for(start(first));
    must(read(held[0], bytes, 1) == 1, "read");
    must(flock(open_file("other", 0), LOCK_EX) == 0, "flock");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
